import Framing
import Platform
import TestSupport
import Testing

@testable import Intake

/// Encodings, headers, and what is at the end of a file.
@Suite(.serialized, .timeLimit(.minutes(1))) struct TextTests {
    let bench: Bench
    let directory: TemporaryDirectory

    init() throws {
        bench = try Bench()
        directory = bench.directory
    }

    private func expectRecords(_ records: [String]) async throws {
        try await waitUntil("these have come: \(bench.store.records(of: .logs))") {
            bench.store.records(of: .logs) == records
        }
    }

    // MARK: Encodings

    @Test func `the mark of UTF-8 at the beginning of a file is dropped, any other stays`() async throws {
        try await bench.start(bench.flow("a.log"))
        try directory.append([0xEF], to: "a.log")
        try directory.append([0xBB, 0xBF] + Array("1\n\u{FEFF}2\n".utf8), to: "a.log")
        try await expectRecords(["1\n", "\u{FEFF}2\n"])
        try await bench.stop()
        #expect(try bench.checkpoint(of: "a.log")?.offset == 10)
        try directory.append("3\n", to: "a.log")
        try await bench.start(bench.flow("a.log"))
        try await expectRecords(["1\n", "\u{FEFF}2\n", "3\n"])
        try await bench.stop()
    }

    @Test(arguments: [true, false], [true, false])
    func `UTF-16 is known by its mark, also after a restart`(isBig: Bool, crash: Bool) async throws {
        func bytes(_ text: String) -> [UInt8] {
            text.utf16.flatMap { unit in
                let pair = [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)]
                return isBig ? pair.reversed() : pair
            }
        }
        try await bench.start(bench.flow("a.log"))
        let first = bytes("\u{FEFF}one \u{0A0A}\ntwo \u{0D0A}é😀\n")
        for byte in first { try directory.append([byte], to: "a.log") }
        try await expectRecords(["one \u{0A0A}\n", "two \u{0D0A}é😀\n"])
        if crash { await bench.crash() } else { try await bench.stop() }
        let second = bytes("three\n")
        try directory.append(Array(second.prefix(3)), to: "a.log")
        try await bench.start(bench.flow("a.log"))
        try directory.append(Array(second.dropFirst(3)), to: "a.log")
        try await expectRecords(["one \u{0A0A}\n", "two \u{0D0A}é😀\n", "three\n"])
        try await bench.stop()
        #expect(try bench.checkpoint(of: "a.log")?.offset == first.count + second.count)
    }

    @Test func `of a UTF-16 file that is there, the line that is being written is read`() async throws {
        let flow = try bench.flow("a.log", encoding: .called("utf-16le"))
        try directory.append([0x61, 0, 0x0A, 0, 0x0A, 0x0A, 0x0A], to: "a.log")
        try await bench.start(flow)
        try directory.append([0x0D, 0x0A, 0], to: "a.log")
        try await expectRecords(["\u{0A0A}\u{0D0A}\n"])
        try await bench.stop()
    }

    @Test func `what makes no sense in an encoding is replaced, and nothing is stuck`() async throws {
        try await bench.start(bench.flow("*.log", encoding: .called("utf-16le")))
        try directory.append([0x61, 0, 0, 0xD8, 0x0A, 0, 0x62], to: "a.log")
        try await expectRecords(["a\u{FFFD}\n"])
        try directory.rename("a.log", to: "b")
        try await expectRecords(["a\u{FFFD}\n", "\u{FFFD}\n"])
        try await bench.stop()
    }

    @Test func `half a character waits while its file lives, and is not sent as the end of a line`() async throws {
        let encoding = try FileEncoding.called("utf-16le")
        try await bench.start(bench.flow("a.log", encoding: encoding, partialLineTimeout: .milliseconds(50)))
        try directory.append([0x61, 0, 0x0A, 0, 0x62, 0, 0x63], to: "a.log")
        try await expectRecords(["a\n", "b\n"])
        try directory.append([0, 0x0A, 0, 0x64, 0, 0x0A, 0], to: "a.log")
        try await expectRecords(["a\n", "b\n", "c\n", "d\n"])
        try await bench.stop()
    }

    @Test func `what follows half a character that ended a file is read as it was meant`() async throws {
        try await bench.start(bench.flow("*.log", encoding: .called("utf-16le")))
        try directory.append([0x61, 0, 0x0A, 0, 0x62], to: "a.log")
        try await expectRecords(["a\n"])
        try directory.rename("a.log", to: "b")
        try await expectRecords(["a\n", "\u{FFFD}\n"])
        try directory.append([0, 0x63, 0, 0x0A, 0, 0x64, 0, 0x0A, 0], to: "b")
        try await expectRecords(["a\n", "\u{FFFD}\n", "c\n", "d\n"])
        try await bench.stop()
    }

    @Test(arguments: ["latin1", "utf-16le"])
    func `a line that would grow beyond a record is split where nothing of it is lost`(name: String) async throws {
        let isWide = name != "latin1"
        try await bench.start(bench.flow("a.log", oversized: .split, encoding: .called(name)))
        let character: [UInt8] = isWide ? [0x22, 0x6F] : [0xE9]
        let count = 1_000_000 / character.count
        let line = [[UInt8]](repeating: character, count: count).joined()
        try directory.append(line + (isWide ? [0x0A, 0] : [0x0A]), to: "a.log")
        let text = String(repeating: isWide ? "\u{6F22}" : "é", count: count)
        try await waitUntil("all of it has come") {
            bench.store.records(of: .logs).joined().filter { $0 != "\n" } == text
        }
        try await bench.stop()
        #expect(bench.store.records(of: .logs).allSatisfy { $0.utf8.count <= 1_024_000 && $0.hasSuffix("\n") })
    }

    @Test func `other encodings are read as the flow says, also in events and joined lines`() async throws {
        let latin = try bench.flow("*.log", encoding: .called("latin1"), joinedBytes: 100, linger: .milliseconds(1))
        try await bench.start(latin)
        try directory.append([0xE9, 0x0A, 0x61, 0x0A], to: "a.log")
        try await expectRecords(["é\na\n"])
        try await bench.stop()
        #expect(try bench.checkpoint(of: "a.log")?.offset == 4)
    }

    // MARK: Lines that are dropped

    @Test(arguments: [false, true]) func `the header of every file is dropped, also after a restart in it`(
        crash: Bool
    ) async throws {
        let flow = try bench.flow("*.log", headerLines: 2)
        try await bench.start(flow)
        try directory.append("head\nhe", to: "a.log")
        try await waitUntil("it is stored") { try bench.checkpoint(of: "a.log")?.offset == 7 }
        if crash { await bench.crash() } else { try await bench.stop() }
        try await bench.start(flow)
        try directory.append("ad\n1\n", to: "a.log")
        try await bench.lines(1)
        try directory.append("head\nhead\n2\n", to: "b.log")
        try await bench.lines(2)
        try directory.append("3\n", to: "a.log")
        #expect(try await bench.lines(3) == ["1", "2", "3"])
        try await bench.stop()
        #expect(try bench.lastStatistics.counts.droppedBytes == 0)
    }

    @Test(arguments: [LineLimits.Oversized.split, .skip])
    func `long lines are split or skipped, counted and reported`(_ oversized: LineLimits.Oversized) async throws {
        let flow = try bench.flow("a.log", maxLineBytes: 10, oversized: oversized)
        try await bench.start(flow)
        try directory.append("0123456789abcdef\nend\n0123456789", to: "a.log")
        let expected = oversized == .split ? ["012345678", "9abcdef", "end", "012345678"] : ["end"]
        #expect(try await bench.lines(expected.count) == expected)
        await bench.crash()
        try directory.append("ab\nlast\n", to: "a.log")
        try await bench.start(flow)
        let more = oversized == .split ? ["9ab", "last"] : ["last"]
        #expect(try await bench.lines(expected.count + more.count) == expected + more)
        try await bench.stop()
        try await bench.waitForEvent("it is reported") { if case .cut(_, _, flow.lines) = $0 { true } else { false } }
    }

    @Test func `empty lines are dropped if that is wanted, and are behind the checkpoint`() async throws {
        try await bench.start(bench.flow("a.log", dropsEmptyLines: true))
        try directory.append("aa\r\n\r\nbb\r\n\n  \ncc\n\n\r\n", to: "a.log")
        try await expectRecords(["aa\r\n", "bb\r\n", "  \n", "cc\n"])
        try await bench.stop()
        #expect(try bench.checkpoint(of: "a.log")?.offset == 20)
    }

    // MARK: The end of a file

    @Test func `a last line that waited long enough is sent, and what follows is another`() async throws {
        try await bench.start(bench.flow("a.log", partialLineTimeout: .milliseconds(50)))
        try directory.append("1\nhalf", to: "a.log")
        try await expectRecords(["1\n", "half\n"])
        await bench.crash()
        try directory.append(" more\n", to: "a.log")
        try await bench.start(bench.flow("a.log", partialLineTimeout: .seconds(3_600)))
        try await expectRecords(["1\n", "half\n", " more\n"])
        try await bench.stop()
    }

    @Test func `a hole at the end of a file is waited for`() async throws {
        bench.changePolicy { $0.holeQuiet = .seconds(3_600) }
        try await bench.start(bench.flow("a.log", maxLineBytes: 100, partialLineTimeout: .milliseconds(1)))
        try directory.append("", to: "a.log")
        var expected: [String] = []
        for round in 1...20 {
            let lines = (1...50).map { "\(round) \($0)\n" }
            let start = expected.joined().utf8.count
            try directory.truncate("a.log", to: start + lines.joined().utf8.count)
            try await waitUntil("the hole is seen") { try bench.intake.currentStatistics.behind.bytes > 0 }
            try directory.overwrite(lines.joined(), in: "a.log", at: start)
            expected += lines
            try await waitUntil("the lines have come") { bench.store.records(of: .logs) == expected }
        }
        try await bench.stop()
    }

    @Test(arguments: ["half a line", "\0\0\0\0"])
    func `nothing is due of a file that ends in half a line, or in a hole`(end: String) async throws {
        try await bench.start(bench.flow("a.log"))
        try directory.append("0\n", to: "a.log")
        try await bench.lines(1)
        // With the next line the intake learns that the stream is full from then on.
        bench.store.change { $0.full = [.logs] }
        try directory.append("whole\n" + end, to: "a.log")
        try await bench.lines(2)
        try await bench.settle(at: 8, behind: end.utf8.count)
        #expect(try bench.intake.currentStatistics.behind == Lag(bytes: end.utf8.count, due: 0))
        try directory.append("more\n", to: "a.log")
        try await bench.settle(at: 8, behind: end.utf8.count + 5)
        #expect(try bench.intake.currentStatistics.behind.due == end.utf8.count + 5)
        bench.makeRoom()
        try await bench.settle(at: 13 + end.utf8.count)
        try await bench.stop()
        #expect(try bench.lastStatistics.behind == Lag())
    }

    @Test(arguments: [true, false]) func `a hole that is larger than a line is waited for`(isThere: Bool) async throws {
        bench.changePolicy { $0.holeQuiet = .seconds(3_600) }
        let flow = try bench.flow("a.log", maxLineBytes: 100, partialLineTimeout: .milliseconds(1))
        if !isThere { try await bench.start(flow) }
        try directory.append(isThere ? "old\n" : "", to: "a.log")
        try directory.truncate("a.log", to: 8 << 20)
        if isThere { try await bench.start(flow) }
        try await waitUntil("the hole is seen") { try bench.intake.currentStatistics.behind.bytes > 0 }
        var expected: [String] = []
        for round in 1...20 {
            let lines = (1...50).map { "\(round) \($0)\n" }
            let start = expected.joined().utf8.count + (isThere ? 4 : 0)
            try directory.overwrite(lines.joined(), in: "a.log", at: start)
            expected += lines
            try await waitUntil("the lines have come") { bench.store.records(of: .logs) == expected }
        }
        try directory.truncate("a.log", to: expected.joined().utf8.count + (isThere ? 4 : 0))
        try directory.append("last\n", to: "a.log")
        try await expectRecords(expected + ["last\n"])
        try await bench.stop()
    }

    @Test func `of a hole that stays and is larger than a line no more than a line is sent with its file`() async throws
    {
        bench.changePolicy { policy in
            policy.holeQuiet = .milliseconds(50)
            policy.turnBytes = 1_000
        }
        try await bench.start(bench.flow("a.log", maxLineBytes: 100))
        try directory.append("1\n", to: "a.log")
        try directory.truncate("a.log", to: 100_000)
        try directory.rename("a.log", to: "a.log.1")
        try await waitUntil("the file is read") {
            try bench.intake.currentStatistics.behind.bytes == 0 && bench.store.records(of: .logs).count == 2
        }
        try await bench.stop()
        #expect(bench.store.records(of: .logs).map(\.utf8.count) == [2, 99])
        #expect(try bench.lastStatistics.counts.cutLines == 0)
    }

    @Test(arguments: [99, 100, 250, 299, 100_000])
    func `what is written behind a hole that is larger than a line is whole`(hole: Int) async throws {
        bench.changePolicy { $0.turnBytes = 1_000 }
        try await bench.start(bench.flow("a.log", maxLineBytes: 100))
        try directory.append("", to: "a.log")
        // As a program does that does not append, when its log was truncated.
        try directory.overwrite("the first line\n2\n", in: "a.log", at: hole)
        try await waitUntil("the lines have come") { bench.store.records(of: .logs).count == 2 }
        let records = bench.store.records(of: .logs)
        #expect(records.map { String($0.drop { $0 == "\0" }) } == ["the first line\n", "2\n"])
        #expect(records[0].utf8.count <= 100)
        try await bench.stop()
    }

    @Test func `a hole that stays is sent in the end, as it is`() async throws {
        bench.changePolicy { $0.holeQuiet = .milliseconds(50) }
        try await bench.start(bench.flow("a.log", partialLineTimeout: .milliseconds(1)))
        try directory.append("a\0b\nc\0\0", to: "a.log")
        try await expectRecords(["a\0b\n", "c\0\0\n"])
        try await bench.stop()
    }
}

extension FileEncoding {
    /// The named encoding, which there is.
    fileprivate static func called(_ name: String) -> FileEncoding { (try? FileEncoding(named: name)) ?? .utf8 }
}
