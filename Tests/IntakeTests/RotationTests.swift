import Intake
import TestSupport
import Testing

/// What becomes of lines when files are renamed, truncated, deleted, or links are switched.
@Suite(.serialized, .timeLimit(.minutes(1))) struct RotationTests {
    let bench: Bench
    let directory: TemporaryDirectory

    init() throws {
        bench = try Bench()
        directory = bench.directory
    }

    private func isEnding(_ event: IntakeEvent) -> Bool { if case .rotatedAway = event { true } else { false } }

    private func isStartedOver(_ event: IntakeEvent) -> Bool { if case .startedOver = event { true } else { false } }

    // MARK: Renaming

    @Test(arguments: ["a.log", "a.log*", "*"])
    func `rename and create loses nothing, whether the old name matches or not`(pattern: String) async throws {
        try await bench.start(bench.flow(pattern))
        var expected: [String] = []
        for generation in 0..<20 {
            for line in 0..<10 {
                expected.append("\(generation)-\(line)")
                try directory.append(expected.last! + "\n", to: "a.log")
            }
            try directory.rename("a.log", to: "a.log.\(generation)")
            expected.append("\(generation)-straggler")
            try directory.append(expected.last! + "\n", to: "a.log.\(generation)")
        }
        #expect(try await bench.lines(expected.count).sorted() == expected.sorted())
        try await bench.stop()
    }

    @Test func `generations that come faster than the intake are read, as long as they have a name`() async throws {
        try await bench.start(bench.flow("a.log*"))
        bench.store.change { $0.isBlocked = true }
        try directory.append("first\n", to: "a.log")
        try await waitUntil("the intake waits") { bench.store.now.waiting == 1 }
        for generation in 0..<50 {
            try directory.append("\(generation)\n", to: "a.log")
            try directory.rename("a.log", to: "a.log.\(generation)")
        }
        bench.store.change { $0.isBlocked = false }
        #expect(try await Set(bench.lines(51)) == Set((0..<50).map(String.init) + ["first"]))
        try await bench.stop()
    }

    @Test(arguments: [false, true])
    func `a file that is moved out of sight stays open, and what comes late is read`(reloads: Bool) async throws {
        bench.changePolicy { $0.maxOpenFiles = 1 }
        try directory.makeDirectory("x/y")
        try await bench.start(bench.flow("*.log"))
        try directory.append("0\n", to: "a.log")
        try await bench.lines(1)
        try directory.rename("a.log", to: "x/y/a")
        try await bench.waitForEvent("it is ending") { if case .rotatedAway = $0 { true } else { false } }
        // Until it would be closed for want of descriptors, and for its quietness.
        for number in 1...3 {
            try directory.append("\(number)\n", to: "\(number).log")
            try await bench.lines(number + 1)
        }
        try directory.rename("1.log", to: "1")
        try await waitUntil("what was rotated in sight is closed") { directory.openFiles.isDisjoint(with: ["1"]) }
        if reloads { try await bench.reload(bench.flow("*.log")) }
        try directory.append("late\n", to: "x/y/a")
        #expect(try await bench.lines(5).last == "late")
        try await bench.stop()
    }

    @Test func `a file that was made and rotated away just before the end is read by the next run`() async throws {
        try await bench.start(bench.flow("*.log"))
        bench.store.change { $0.isBlocked = true }
        try directory.append("0\n", to: "a.log")
        try await waitUntil("the store waits") { bench.store.now.waiting == 1 }
        try directory.append("1\n", to: "b.log")
        try directory.rename("b.log", to: "b.log.1")
        try bench.intake.stop()
        bench.store.change { $0.isBlocked = false }
        try await bench.stop()
        try await bench.start(bench.flow("*.log"))
        #expect(try await bench.lines(2) == ["0", "1"])
        try await bench.stop()
    }

    @Test func `a rotation is reported once for each file, with the file that is let go at the end`() async throws {
        bench.changePolicy { $0.letGoAfter = .milliseconds(60) }
        try await bench.start(bench.flow("a.log"))
        try directory.append("1\n", to: "a.log")
        try await bench.lines(1)
        try directory.rename("a.log", to: "b.log")
        try directory.append("2\n", to: "b.log")
        try await bench.waitForEvent("it is let go") { if case .letGo(_, read: 4) = $0 { true } else { false } }
        #expect(bench.count(isEnding) == 1 && bench.store.lines(of: .logs) == ["1", "2"])
        // Its checkpoint is of no more use, and nothing remembers it.
        try await waitUntil("it is forgotten") { bench.store.now.checkpoints.isEmpty }
        try await bench.expectNoTraces()
        try await bench.stop()
    }

    @Test func `a file that is renamed and matches again goes on`() async throws {
        try await bench.start(bench.flow("a.log", "c.log"))
        try directory.append("1\n", to: "a.log")
        try await bench.lines(1)
        try directory.rename("a.log", to: "b.log")
        try await bench.waitForEvent("it is ending", isEnding)
        try directory.rename("b.log", to: "c.log")
        try directory.append("par", to: "c.log")
        // The half line waits, since the file lives again.
        try directory.append("x\n", to: "a.log")
        try await bench.lines(2)
        try directory.append("tial\n", to: "c.log")
        #expect(try await bench.lines(3) == ["1", "x", "partial"])
        try await bench.stop()
    }

    @Test func `a file that is replaced by renaming another one over it is read to its end`() async throws {
        try await bench.start(bench.flow("a.log"))
        try directory.append("1\n", to: "a.log")
        try await bench.lines(1)
        bench.store.change { $0.full = [.logs] }
        try directory.append("trigger\n", to: "a.log")
        try await bench.lines(2)
        try directory.append("2\n", to: "a.log")
        try directory.append("3\n", to: "other")
        try directory.rename("other", to: "a.log")
        bench.makeRoom()
        #expect(try await bench.lines(4).sorted() == ["1", "2", "3", "trigger"])
        try await waitUntil("only the new one is remembered") { bench.store.now.checkpoints.count == 1 }
        try await bench.stop()
    }

    // MARK: Truncating

    @Test(arguments: ["", "4\n", "four\nfive\n", "4\n5\n6\n", "four\nfive\nsix\nseven\n"])
    func `copytruncate starts over, however far the file grows again`(content: String) async throws {
        try await bench.start(bench.flow("a.log"))
        try directory.append("1\n2\n3\n", to: "a.log")
        try await bench.lines(3)
        try directory.overwrite("a.log", with: content)
        try await bench.waitForEvent("it started over", isStartedOver)
        try directory.append("end\n", to: "a.log")
        let new = content.split(separator: "\n").map(String.init) + ["end"]
        #expect(try await bench.lines(3 + new.count) == ["1", "2", "3"] + new)
        #expect(bench.count(isStartedOver) == 1)
        try await bench.stop()
    }

    @Test(arguments: [true, false])
    func `a truncation is stored at once, so that it is none at the next start`(crash: Bool) async throws {
        try await bench.start(bench.flow("a.log"))
        try directory.append("1\n2\n3\n", to: "a.log")
        try await bench.lines(3)
        try directory.truncate("a.log")
        try await waitUntil("it is stored") { try bench.checkpoint(of: "a.log")?.offset == 0 }
        if crash { await bench.crash() } else { try await bench.stop() }
        try directory.append("4\n", to: "a.log")
        try await bench.start(bench.flow("a.log"))
        #expect(try await bench.lines(4) == ["1", "2", "3", "4"])
        try await bench.stop()
    }

    @Test func `what lingered when its file was truncated is stored before the new content`() async throws {
        try await bench.start(bench.flow("a.log", joinedBytes: 1_000))
        try directory.append("1\n2\n", to: "a.log")
        try await bench.settle(at: 4)
        #expect(bench.store.records(of: .logs).isEmpty)
        try directory.overwrite("a.log", with: "3\n")
        try await waitUntil("it is stored") { bench.store.records(of: .logs) == ["1\n2\n"] }
        await bench.crash()
        try await bench.start(bench.flow("a.log"))
        #expect(try await bench.lines(3) == ["1", "2", "3"])
        try await bench.stop()
    }

    @Test func `bytes that are known to be lost are reported`() async throws {
        try await bench.start(bench.flow("a.log"))
        try directory.append("1\nhalf a line", to: "a.log")
        try await bench.lines(1)
        try directory.truncate("a.log")
        try await bench.waitForEvent("it started over, with loss") {
            if case .startedOver(_, from: 2, unread: 11) = $0 { true } else { false }
        }
        try await bench.stop()
    }

    // MARK: Deleting

    @Test func `a deleted file is read to its end, and forgotten when its lines are safe`() async throws {
        try await bench.start(bench.flow("*.log"))
        try directory.append("1\n", to: "a.log")
        try directory.append("known\n", to: "b.log")
        try await bench.lines(2)
        bench.store.change { $0.full = [.logs] }
        try directory.append("trigger\n", to: "b.log")
        try await bench.lines(3)
        try directory.append("2\n3\n", to: "a.log")
        try directory.unlink("a.log")
        bench.makeRoom()
        #expect(try await bench.lines(5).filter { $0.count == 1 } == ["1", "2", "3"])
        try await waitUntil("only the other one is remembered") { bench.store.now.checkpoints.count == 1 }
        try await bench.stop()
    }

    @Test func `a file that is deleted and made again is two files`() async throws {
        try await bench.start(bench.flow("*.log"))
        var expected: [String] = []
        for round in 0..<20 {
            try directory.append("\(round)\n", to: "a.log")
            expected.append("\(round)")
            try await bench.lines(expected.count)
            try directory.unlink("a.log")
        }
        #expect(try await bench.lines(20) == expected)
        try await waitUntil("nothing is remembered") { bench.store.now.checkpoints.isEmpty }
        try await bench.expectNoTraces()
        try await bench.stop()
    }

    @Test func `lines of a deleted file do not linger`() async throws {
        try await bench.start(bench.flow("*.log", joinedBytes: 1_000))
        try directory.append("1\n", to: "a.log")
        try await bench.settle(at: 2)
        try directory.unlink("a.log")
        #expect(try await bench.lines(1) == ["1"])
        try await bench.stop()
    }

    // MARK: Links

    @Test func `a link that leads to another file is followed there, and the old one is read to its end`() async throws
    {
        try directory.makeDirectory("real")
        try directory.append("", to: "real/1")
        try directory.append("", to: "real/2")
        try directory.link("a.log", to: directory.path("real/1"))
        try await bench.start(bench.flow("a.log"))
        try directory.append("1\n", to: "real/1")
        try await bench.lines(1)
        try directory.append("2\n", to: "real/2")
        try directory.link("a.log", to: directory.path("real/2"))
        #expect(try await bench.lines(2) == ["1", "2"])
        try directory.append("straggler\n", to: "real/1")
        try directory.append("3\n", to: "real/2")
        #expect(try await Set(bench.lines(4)) == ["1", "2", "straggler", "3"])
        try await bench.stop()
    }

    @Test func `a directory's link that leads elsewhere is followed there`() async throws {
        try directory.makeDirectory("r1")
        try directory.makeDirectory("r2")
        try directory.link("current", to: directory.path("r1"))
        try await bench.start(bench.flow("current/*.log"))
        try directory.append("1\n", to: "r1/app.log")
        try await bench.lines(1)
        try directory.link("current", to: directory.path("r2"))
        try directory.append("2\n", to: "r2/app.log")
        try directory.append("straggler\n", to: "r1/app.log")
        #expect(try await Set(bench.lines(3)) == ["1", "2", "straggler"])
        try await bench.waitForEvent("the old one is ending", isEnding)
        try directory.append("3\n", to: "r2/new.log")
        #expect(try await bench.lines(4).last == "3")
        try await bench.stop()
    }

    @Test func `a file with several names is read once, also when it loses one`() async throws {
        try directory.makeDirectory("d")
        try directory.append("", to: "a.log")
        try directory.hardLink("d/b.log", to: "a.log")
        try directory.link("d/c.log", to: directory.path("a.log"))
        bench.changePolicy { $0.scanInterval = .milliseconds(100) }
        try await bench.start(bench.flow("*.log", "d/*.log"))
        try directory.append("1\n", to: "d/b.log")
        try await bench.lines(1)
        try directory.unlink("a.log")
        try directory.append("2\n", to: "d/b.log")
        try await bench.lines(2)
        try directory.append("half", to: "d/b.log")
        try directory.append("3\n", to: "other.log")
        try await bench.lines(3)
        try directory.append(" and half\n", to: "d/b.log")
        #expect(try await bench.lines(4) == ["1", "2", "3", "half and half"])
        #expect(bench.count(isEnding) == 0)
        try await bench.stop()
    }

    @Test func `a file goes once to each stream that wants it`() async throws {
        try await bench.start(
            bench.flow("*.log"),
            bench.flow("a*", to: .others),
            bench.flow("**/a.log")
        )
        try directory.append("1\n", to: "a.log")
        try await bench.lines(1)
        try await bench.lines(1, of: .others)
        try directory.append("2\n", to: "a.log")
        #expect(try await bench.lines(2) == ["1", "2"])
        #expect(try await bench.lines(2, of: .others) == ["1", "2"])
        #expect(bench.count { if case .shared = $0 { true } else { false } } == 1)
        try await bench.stop()
    }
}
