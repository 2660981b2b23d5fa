import Intake
import TestSupport
import Testing

/// Where files begin, at the first start and at later ones.
@Suite(.serialized, .timeLimit(.minutes(1))) struct BeginningTests {
    let bench: Bench
    let directory: TemporaryDirectory

    init() throws {
        bench = try Bench()
        directory = bench.directory
    }

    @Test func `a file that is there at the first start is read from the line that is being written`() async throws {
        try directory.append("old\nbeing wri", to: "a.log")
        try await bench.start(bench.flow("*.log"))
        try directory.append("tten\nnew\n", to: "a.log")
        #expect(try await bench.lines(2) == ["being written", "new"])
        try await bench.stop()
    }

    @Test func `it is read from its start where that is wished`() async throws {
        try directory.append("old\n", to: "a.log")
        try await bench.start(bench.flow("*.log", fromStart: true))
        #expect(try await bench.lines(1) == ["old"])
        try await bench.stop()
    }

    @Test func `its first offset is stored before anything is read`() async throws {
        try directory.append("old\n", to: "a.log")
        try await bench.start(bench.flow("*.log"))
        try await waitUntil("it is stored") { try bench.checkpoint(of: "a.log")?.offset == 4 }
        await bench.crash()
        try directory.append("new\n", to: "a.log")
        try await bench.start(bench.flow("*.log"))
        #expect(try await bench.lines(1) == ["new"])
        try await bench.stop()
    }

    @Test(arguments: [true, false]) func `a file that appears later is read whole`(empty: Bool) async throws {
        try await bench.start(bench.flow("*.log"))
        try directory.append(empty ? "" : "1\n", to: "b.log")
        try await bench.waitForEvent("it is followed") {
            if case .following(_, _, 0, .start) = $0 { true } else { false }
        }
        try directory.append("2\n", to: "b.log")
        let expected = empty ? ["2"] : ["1", "2"]
        #expect(try await bench.lines(expected.count) == expected)
        try await bench.stop()
    }

    @Test(arguments: [true, false]) func `a restart goes on where the last run ended`(crash: Bool) async throws {
        try await bench.start(bench.flow("*.log"))
        try directory.append("1\n2\n", to: "a.log")
        try await bench.lines(2)
        if crash { await bench.crash() } else { try await bench.stop() }
        try directory.append("3\n", to: "a.log")
        try directory.append("4\n", to: "appeared-meanwhile.log")
        try await bench.start(bench.flow("*.log"))
        #expect(try await bench.lines(4).sorted() == ["1", "2", "3", "4"])
        try await bench.stop()
    }

    @Test func `a run that crashed before anything was stored is as if it had not been`() async throws {
        try directory.append("old\n", to: "a.log")
        bench.store.change { $0.isBlocked = true }
        try await bench.start(bench.flow("*.log"))
        await bench.crash()
        bench.store.change { $0.isBlocked = false }
        #expect(bench.store.now.adopted.isEmpty && bench.store.now.checkpoints.isEmpty)
        try directory.append("older\n", to: "a.log")
        try await bench.start(bench.flow("*.log"))
        try directory.append("new\n", to: "a.log")
        #expect(try await bench.lines(1) == ["new"])
        try await bench.stop()
    }

    @Test func `a flow that is new has old files begin at their end although others have run`() async throws {
        try await bench.start(bench.flow("a*.log"))
        try await bench.stop()
        try directory.append("old\n", to: "a.log")
        try directory.append("old\n", to: "b.log")
        try await bench.start(bench.flow("a*.log"), bench.flow("b*.log", to: .others))
        try directory.append("new\n", to: "b.log")
        #expect(try await bench.lines(1) == ["old"])
        #expect(try await bench.lines(1, of: .others) == ["new"])
        try await bench.stop()
    }

    @Test(arguments: ["a.log", "a*.log", "**/a.log"])
    func `what was renamed while nobody looked is read to its end`(pattern: String) async throws {
        try await bench.start(bench.flow(pattern))
        try directory.append("1\n", to: "a.log")
        try await bench.lines(1)
        await bench.crash()
        try directory.append("2\n", to: "a.log")
        try directory.rename("a.log", to: "a.log.1")
        try directory.append("3\n", to: "a.log")
        try await bench.start(bench.flow(pattern))
        #expect(try await bench.lines(3).sorted() == ["1", "2", "3"])
        try directory.append("late\n", to: "a.log.1")
        #expect(try await bench.lines(4).contains("late"))
        #expect(bench.count { if case .rotatedAway = $0 { true } else { false } } == 1)
        try await bench.stop()
    }

    @Test func `a file that is gone at the next start is reported and forgotten`() async throws {
        try await bench.start(bench.flow("*.log"))
        try directory.append("1\n", to: "a.log")
        try await bench.lines(1)
        try await bench.stop()
        try directory.remove("a.log")
        for _ in 1...2 {
            try await bench.start(bench.flow("*.log"))
            try await bench.stop()
        }
        #expect(bench.count { if case .lost(_, _, 2) = $0 { true } else { false } } == 1)
        #expect(bench.store.now.checkpoints.isEmpty)
    }

    @Test func `a file that no pattern matches any more is let be`() async throws {
        try await bench.start(bench.flow("*.log"))
        try directory.append("1\n", to: "a.log")
        try await bench.lines(1)
        try await bench.stop()
        try directory.append("2\n", to: "a.log")
        try await bench.start(bench.flow("b.log"))
        try directory.append("3\n", to: "b.log")
        #expect(try await bench.lines(2) == ["1", "3"])
        try await bench.stop()
        try await bench.start(bench.flow("*.log"))
        #expect(try await bench.lines(3) == ["1", "3", "2"])
        #expect(bench.count { if case .lost = $0 { true } else { false } } == 0)
        try await bench.stop()
    }

    @Test func `another file that got the inode of one that is gone is not sent`() async throws {
        try await bench.start(bench.flow("a.log"))
        try directory.append("", to: "a.log")
        try await waitUntil("it is known") { try bench.checkpoint(of: "a.log") != nil }
        await bench.crash()
        try directory.rename("a.log", to: "private")
        try directory.append("secret\n", to: "private")
        try await bench.start(bench.flow("a.log"))
        try directory.append("1\n", to: "a.log")
        #expect(try await bench.lines(1) == ["1"])
        try await bench.stop()
    }

    @Test func `the inode of a file that is gone may come back`() async throws {
        try await bench.start(bench.flow("*.log"))
        try directory.append("the old one\n", to: "a.log")
        try await bench.lines(1)
        await bench.crash()
        // The same inode with another content is what counts, however it came about.
        try directory.overwrite("a.log", with: "the new one, which is longer\nnext\n")
        try await bench.start(bench.flow("*.log"))
        #expect(try await bench.lines(3) == ["the old one", "the new one, which is longer", "next"])
        try await bench.stop()
    }
}
