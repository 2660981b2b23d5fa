import TestSupport
import Testing

@testable import Intake

/// What becomes a line, and when.
@Suite(.serialized, .timeLimit(.minutes(1))) struct LineTests {
    let bench: Bench
    let directory: TemporaryDirectory

    init() throws {
        bench = try Bench()
        directory = bench.directory
    }

    @Test func `bytes pass as they are, and empty lines are lines`() async throws {
        try await bench.start(bench.flow("a.log"))
        try directory.append("cr\r\n\n\r\nnul\u{0}\nlone\rcr\n", to: "a.log")
        let expected = ["cr\r\n", "\n", "\r\n", "nul\u{0}\n", "lone\rcr\n"]
        try await waitUntil("they have come") { bench.store.records(of: .logs) == expected }
        try directory.append([0xFF, 0xFE, 0x0A], to: "a.log")
        try await waitUntil("it has come") { bench.store.now.records[.logs]?.last == [0xFF, 0xFE, 0x0A] }
        try await bench.stop()
    }

    @Test func `half a line waits as long as its file lives`() async throws {
        try await bench.start(bench.flow("*.log"))
        try directory.append("half", to: "a.log")
        try directory.append("other\n", to: "b.log")
        try await bench.lines(1)
        try directory.append(" and half\n", to: "a.log")
        #expect(try await bench.lines(2) == ["other", "half and half"])
        try await bench.stop()
    }

    @Test(arguments: ["rotated", "deleted", "rotated and deleted"])
    func `half a line of a file that ended is sent with a newline`(how: String) async throws {
        try await bench.start(bench.flow("a.log"))
        try directory.append("1\nhalf", to: "a.log")
        try await bench.lines(1)
        if how.hasPrefix("rotated") { try directory.rename("a.log", to: "b.log") }
        if how.hasSuffix("deleted") { try directory.unlink(how == "deleted" ? "a.log" : "b.log") }
        #expect(try await bench.lines(2) == ["1", "half"])
        #expect(bench.store.records(of: .logs).last == "half\n")
        if how == "rotated" {
            // What is appended afterwards is a line of its own, also without a newline.
            try directory.append(" more", to: "b.log")
            #expect(try await bench.lines(3) == ["1", "half", " more"])
        }
        try await bench.stop()
    }

    @Test func `what was sent as the last line is not sent again`() async throws {
        try await bench.start(bench.flow("a.log"))
        try directory.append("half", to: "a.log")
        try await bench.waitForEvent("it is followed") { if case .following = $0 { true } else { false } }
        try directory.rename("a.log", to: "b.log")
        try await bench.lines(1)
        await bench.crash()
        try directory.append(" more\n", to: "b.log")
        try await bench.start(bench.flow("a.log"))
        #expect(try await bench.lines(2) == ["half", " more"])
        try await bench.stop()
    }

    @Test func `a burst to a file that ended is read as lines, not as a last one`() async throws {
        try await bench.start(bench.flow("a.log", maxLineBytes: 100))
        try directory.append("half", to: "a.log")
        try await bench.waitForEvent("it is followed") { if case .following = $0 { true } else { false } }
        try directory.rename("a.log", to: "b.log")
        for round in 0..<50 { try directory.append(" a\n\(round)", to: "b.log") }
        let lines = try await bench.lines(51)
        #expect(lines.first?.hasPrefix("half") == true && lines.last == "49")
        try await bench.stop()
    }

    @Test func `a line may take many turns`() async throws {
        bench.changePolicy { $0.turnBytes = 100 }
        try await bench.start(bench.flow("a.log"))
        let long = String(repeating: "0123456789", count: 3_000)
        try directory.append("first\n", to: "a.log")
        try directory.append(long + "\nlast\n", to: "a.log")
        #expect(try await bench.lines(3) == ["first", long, "last"])
        try await bench.stop()
    }

    @Test func `lines that are too long are cut, counted and reported`() async throws {
        try await bench.start(bench.flow("a.log", maxLineBytes: 10))
        try directory.append("0123456789\nshort\n0123456789abcdef\nend\n", to: "a.log")
        #expect(try await bench.lines(4) == ["012345678", "short", "012345678", "end"])
        try await bench.waitForEvent("lines were cut") {
            if case .cut(_, lines: 2, let limits) = $0 { limits.maxLineBytes == 10 } else { false }
        }
        try await bench.stop()
        let counts = try bench.lastStatistics.counts
        #expect(counts.lines == 4 && counts.cutLines == 2 && counts.droppedBytes == 10 && counts.bytes == 38)
    }

    @Test(arguments: [true, false]) func `a line that was cut stays cut after a restart`(crash: Bool) async throws {
        try await bench.start(bench.flow("a.log", maxLineBytes: 10))
        try directory.append("0123456789abc", to: "a.log")
        try await bench.lines(1)
        try await waitUntil("what was skipped is stored") { try bench.checkpoint(of: "a.log")?.offset == 13 }
        #expect(try bench.checkpoint(of: "a.log")?.isSkippingLine == true)
        if crash { await bench.crash() } else { try await bench.stop() }
        try directory.append("def\nnext\n", to: "a.log")
        try await bench.start(bench.flow("a.log", maxLineBytes: 10))
        #expect(try await bench.lines(2) == ["012345678", "next"])
        try await bench.stop()
    }

    // MARK: Joined lines

    @Test func `lines wait for others to share their record, and are not in the checkpoint till then`() async throws {
        try await bench.start(bench.flow("*.log", joinedBytes: 8))
        try directory.append("1\n2\n", to: "a.log")
        try await bench.settle(at: 4)
        try directory.append("33\n4\n", to: "b.log")
        try await bench.settle(at: 9)
        #expect(bench.store.records(of: .logs).isEmpty)
        for name in ["a.log", "b.log"] { #expect(try bench.checkpoint(of: name)?.offset ?? 0 == 0) }
        await bench.crash()
        try await bench.start(bench.flow("*.log", joinedBytes: 8))
        try await bench.settle(at: 9)
        try await bench.stop()
        #expect(bench.store.records(of: .logs).joined().count == 9)
        #expect(try bench.checkpoint(of: "a.log")?.offset == 4)
        #expect(try bench.checkpoint(of: "b.log")?.offset == 5)
    }

    @Test func `lines do not wait longer than allowed`() async throws {
        try await bench.start(bench.flow("a.log", joinedBytes: 1_000, linger: .milliseconds(50)))
        try directory.append("1\n2\n", to: "a.log")
        try await waitUntil("the record has come") { bench.store.records(of: .logs) == ["1\n2\n"] }
        try await bench.stop()
    }

    @Test func `an end hands over what waits`() async throws {
        try await bench.start(bench.flow("a.log", joinedBytes: 1_000))
        try directory.append("1\n2\nhalf", to: "a.log")
        try await bench.settle(at: 4, behind: 4)
        try await bench.stop()
        #expect(bench.store.records(of: .logs) == ["1\n2\n"])
        #expect(try bench.checkpoint(of: "a.log")?.offset == 4)
    }

    @Test func `a checkpoint of a closed file whose lines waited resumes`() async throws {
        bench.changePolicy { $0.maxOpenFiles = 0 }
        try await bench.start(bench.flow("a.log", joinedBytes: 1_000))
        try directory.append("1\n2\n", to: "a.log")
        try await bench.settle(at: 4)
        try await bench.stop()
        try directory.append("3\n", to: "a.log")
        try await bench.start(bench.flow("a.log"))
        #expect(try await bench.lines(3) == ["1", "2", "3"])
        try await bench.stop()
    }
}
