import TestSupport
import Testing

@testable import Intake

/// Which files are read of a stream whose delivery is slower than reading.
@Suite(.serialized, .timeLimit(.minutes(1))) struct LeadTests {
    let bench: Bench
    let directory: TemporaryDirectory

    init() throws {
        bench = try Bench()
        directory = bench.directory
        bench.changePolicy { $0.turnBytes = 4_000 }
    }

    /// Starts with a stream that has used up its lead, and a file that is so many bytes behind.
    private func start(behind bytes: Int, in name: String = "big.log") async throws {
        try await bench.start(bench.flow("*.log"))
        bench.store.change { $0.leads = [.logs: 0] }
        try directory.append("start\n", to: name)
        // With this the intake learns it.
        try await bench.lines(1)
        try directory.append(Self.text(bytes), to: name)
        try await waitUntil("it is seen how far it is behind") {
            try bench.intake.currentStatistics.behind.bytes == bytes
        }
    }

    /// Lines of 100 bytes.
    private static func text(_ bytes: Int) -> String {
        String(repeating: String(repeating: "x", count: 99) + "\n", count: bytes / 100)
    }

    private func grantLead(_ bytes: Int) {
        bench.store.change { $0.leads = [.logs: bytes] }
        bench.doorbell.ring()
    }

    @Test func `a file far behind waits, what is new in others does not`() async throws {
        try await start(behind: 100_000)
        for line in 1...5 {
            try directory.append("new \(line)\n", to: "small.log")
            #expect(try await bench.lines(1 + line).last == "new \(line)")
        }
        grantLead(1_000_000)
        try await bench.lines(1_006)
        try await bench.stop()
    }

    @Test func `it is read as far as its stream's lead goes`() async throws {
        try await start(behind: 100_000)
        for turn in 1...3 {
            grantLead(3_000)
            try await bench.lines(1 + turn * 30)
            try directory.append("new\n", to: "other \(turn).log")
            try await waitUntil("what came later is there") {
                bench.store.lines(of: .logs).count { $0 == "new" } == turn
            }
            #expect(bench.store.lines(of: .logs).count { $0.hasPrefix("x") } == turn * 30)
        }
        try await bench.stop()
    }

    @Test func `a file that never stops growing waits once it has had its share`() async throws {
        try await start(behind: 100_000)
        // A quarter of a turn.
        for line in 1...10 {
            try directory.append(Self.text(100), to: "hot.log")
            try await bench.lines(1 + line)
        }
        try directory.append(Self.text(100), to: "hot.log")
        try await waitUntil("it is seen") { try bench.intake.currentStatistics.behind.bytes == 100_100 }
        try directory.append("new\n", to: "small.log")
        #expect(try await bench.lines(12).last == "new")
        grantLead(1_000_000)
        try await bench.lines(1_013)
        try await bench.stop()
    }

    @Test func `a file that is deleted waits no longer`() async throws {
        try await start(behind: 100_000)
        try directory.remove("big.log")
        try await bench.lines(1_001)
        try await bench.stop()
    }

    @Test func `a younger generation of a log waits with an older one, and nothing spins`() async throws {
        let flow = try bench.flow("*.log")
        try await bench.start(flow)
        try directory.append(Self.text(1_000), to: "big.log")
        try await bench.lines(10)
        try await bench.stop()
        try directory.append(Self.text(100_000), to: "big.log")
        try directory.rename("big.log", to: "big.log.1")
        try directory.append("young\n", to: "big.log")
        bench.store.change { $0.leads = [.logs: 0] }
        // This waits until it has come to rest.
        try await bench.start(flow)
        #expect(bench.store.lines(of: .logs).count == 10)
        grantLead(1_000_000)
        #expect(try await bench.lines(1_011).last == "young")
        try await bench.stop()
    }
}
