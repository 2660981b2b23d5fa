import Framing
import Regex
import TestSupport
import Testing

@testable import Intake

/// Events of several lines: when they end, and what is known of them afterwards.
@Suite(.serialized, .timeLimit(.minutes(1))) struct EventTests {
    let bench: Bench
    let directory: TemporaryDirectory

    init() throws {
        bench = try Bench()
        directory = bench.directory
    }

    private func flow(
        _ pattern: String = "*.log",
        timeout: Duration = .seconds(3_600),
        maxEventBytes: Int = 1_000,
        joinedBytes: Int = 0
    ) throws -> IntakeFlow {
        let start = try RegularExpression(#"\d"#)
        let rules = EventRules(startPattern: start, timeout: timeout, maxEventBytes: maxEventBytes)
        return try bench.flow(pattern, events: rules, joinedBytes: joinedBytes, linger: .milliseconds(1))
    }

    private func expectRecords(_ records: [String]) async throws {
        try await waitUntil("these have come: \(bench.store.records(of: .logs))") {
            bench.store.records(of: .logs) == records
        }
    }

    @Test func `an event ends before the next one, which is not in the checkpoint`() async throws {
        try await bench.start(flow())
        try directory.append("1\n a\n\n b\n2\n c\n", to: "a.log")
        try await expectRecords(["1\n a\n\n b\n"])
        try await waitUntil("it is stored") { try bench.checkpoint(of: "a.log")?.offset == 9 }
        try directory.append("3\n", to: "a.log")
        try await expectRecords(["1\n a\n\n b\n", "2\n c\n"])
        try await bench.stop()
        #expect(try bench.checkpoint(of: "a.log")?.offset == 14)
    }

    @Test(arguments: [true, false])
    func `an event that is open at the end of the agent is read again`(crash: Bool) async throws {
        try await bench.start(flow())
        try directory.append("1\n a\n b\n", to: "a.log")
        try await bench.settle(at: 8)
        if crash { await bench.crash() } else { try await bench.stop() }
        #expect(bench.store.records(of: .logs).isEmpty)
        try directory.append(" c\n2\n", to: "a.log")
        try await bench.start(flow())
        try await expectRecords(["1\n a\n b\n c\n"])
        try await bench.stop()
    }

    @Test func `open events take only so much memory, and those that have waited longest end first`() async throws {
        bench.changePolicy { $0.openEventsMaxBytes = 1_000 }
        try await bench.start(flow())
        let events = (10..<30).map { "\($0)\n " + String(repeating: "x", count: 95) + "\n" }
        for (index, event) in events.enumerated() {
            try directory.append(event, to: "\(index).log")
            try await bench.settle(at: (index + 1) * 100)
        }
        // Three times 1,100 bytes were open, and 300 of them ended.
        try await expectRecords(Array(events.prefix(12)))
        #expect(try bench.intake.currentStatistics.counts.splitEvents == 12)
        try await bench.stop()
        #expect(bench.store.records(of: .logs).count == 12)
    }

    /// LS-174.
    @Test func `an event that grows by one line after the other is looked at line by line`() async throws {
        try await bench.start(flow(maxEventBytes: 1 << 20))
        let intake = try bench.intake
        let line = " " + String(repeating: "x", count: 98) + "\n"
        try directory.append("1\n", to: "a.log")
        for count in 1...200 {
            try directory.append(line, to: "a.log")
            try await bench.settle(at: 2 + count * 100)
        }
        try await bench.stop()
        #expect(await intake.matchedLines == 201)
        #expect(intake.currentStatistics.counts.lines == 201)
    }

    @Test func `an event that does not grow ends, and one that does waits`() async throws {
        try await bench.start(flow(timeout: .milliseconds(300)))
        try directory.append("1\n a\n", to: "a.log")
        try await bench.settle(at: 5)
        try directory.append(" b\n", to: "a.log")
        try await expectRecords(["1\n a\n b\n"])
        try await waitUntil("it is stored") { try bench.checkpoint(of: "a.log")?.offset == 8 }
        try directory.append(" c\n", to: "a.log")
        try await expectRecords(["1\n a\n b\n", " c\n"])
        try await bench.stop()
    }

    @Test(arguments: ["rotated", "deleted"]) func `an event ends with its file`(how: String) async throws {
        try await bench.start(flow("a.log"))
        try directory.append("1\n a\n b", to: "a.log")
        try await bench.settle(at: 5, behind: 2)
        if how == "rotated" { try directory.rename("a.log", to: "b") } else { try directory.unlink("a.log") }
        try directory.append(" c\n d\n2\n", to: "a.log")
        try await waitUntil("both have come") { bench.store.records(of: .logs).count == 2 }
        #expect(Set(bench.store.records(of: .logs)) == ["1\n a\n b\n", " c\n d\n"])
        try await bench.stop()
    }

    @Test func `an event ends where its file is truncated`() async throws {
        try await bench.start(flow())
        try directory.append("1\n a\n", to: "a.log")
        try await bench.settle(at: 5)
        try directory.truncate("a.log")
        try await bench.waitForEvent("it started over") { if case .startedOver = $0 { true } else { false } }
        try directory.append("2\n3\n", to: "a.log")
        try await expectRecords(["1\n a\n", "2\n"])
        try await bench.stop()
    }

    @Test func `a pattern that never matches splits events, and is reported once`() async throws {
        try await bench.start(flow(maxEventBytes: 10, joinedBytes: 100))
        try directory.append(String(repeating: " line\n", count: 100), to: "a.log")
        try await waitUntil("all but the last have come") {
            bench.store.records(of: .logs).joined().utf8.count == 99 * 6
        }
        try directory.append(String(repeating: " line\n", count: 100), to: "b.log")
        try await waitUntil("more have come") { bench.store.records(of: .logs).joined().utf8.count == 198 * 6 }
        try await bench.stop()
        #expect(try bench.lastStatistics.counts.splitEvents == 198)
        #expect(bench.count { if case .startPattern(_, .neverMatches) = $0 { true } else { false } } == 1)
        #expect(bench.count { if case .events(_, let counts) = $0 { counts.splits == 99 } else { false } } == 2)
    }

    @Test func `an open event of a quiet file causes no wake-ups`() async throws {
        bench.changePolicy { $0.scanInterval = .milliseconds(50) }
        try await bench.start(flow())
        try directory.append("1\n", to: "a.log")
        try await bench.settle(at: 2)
        #expect(try await bench.wakeUps(in: 5) <= 7)
        try await bench.stop()
    }
}

extension Intake {
    /// How many lines the start pattern of the first flow was tried on.
    fileprivate var matchedLines: Int? { lanes[0].startMatcher?.attempts }
}
