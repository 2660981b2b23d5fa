import Framing
import TestSupport
import Testing

@testable import Intake

/// Logs of containers: what is known of the messages of a file after a stop or a crash.
@Suite(.serialized, .timeLimit(.minutes(1))) struct ContainerTests {
    let bench: Bench
    let directory: TemporaryDirectory

    init() throws {
        bench = try Bench()
        directory = bench.directory
    }

    private func flow(_ logs: ContainerLogs = .init(format: .cri), timeout: Duration = .seconds(3_600)) throws
        -> IntakeFlow
    {
        try bench.flow("*.log", events: EventRules(timeout: timeout), containers: logs)
    }

    private func expectRecords(_ records: [String]) async throws {
        try await waitUntil("these have come: \(bench.store.records(of: .logs))") {
            bench.store.records(of: .logs) == records
        }
    }

    private func cri(_ line: String) -> String { "2016-10-06T00:17:09Z \(line)\n" }

    @Test(arguments: [true, false]) func `parts that are open at the end are read again, and nothing is doubled`(
        crash: Bool
    ) async throws {
        try await bench.start(flow())
        let first = cri("stdout F whole") + cri("stdout P a") + cri("stderr F b") + cri("stderr P c")
        try directory.append(first, to: "a.log")
        try await bench.settle(at: first.utf8.count)
        // What is read is not stored at once.
        try await expectRecords(["whole\n"])
        if crash { await bench.crash() } else { try await bench.stop() }
        #expect(bench.store.records(of: .logs) == ["whole\n"])
        #expect(try bench.checkpoint(of: "a.log")?.offset == cri("stdout F whole").utf8.count)
        try directory.append(cri("stdout F d") + cri("stderr F e"), to: "a.log")
        try await bench.start(flow())
        try await expectRecords(["whole\n", "ad\n", "b\n", "ce\n"])
        try await bench.stop()
    }

    @Test func `a first line of Docker in which each byte is an escape tells the format`() async throws {
        try await bench.start(flow(ContainerLogs(format: nil)))
        let escapes = String(repeating: #"\u001b"#, count: 16_384)
        try directory.append("{\"log\":\"\(escapes)\",\"stream\":\"stdout\"}\n{\"log\":\"end\\n\"}\n", to: "a.log")
        try await expectRecords([String(repeating: "\u{1B}", count: 16_384) + "end\n"])
        try await bench.stop()
    }

    @Test func `each file is of the format that its first line tells, also after a restart`() async throws {
        let logs = ContainerLogs(format: nil)
        try directory.append("", to: "a.log")
        try await bench.start(flow(logs))
        try directory.append("20", to: "a.log")
        try directory.append("16-10-06T00:17:09Z stdout F one\n", to: "a.log")
        try await expectRecords(["one\n"])
        try directory.append("{\"log\":\"two\\n\"}\n", to: "b.log")
        try await expectRecords(["one\n", "two\n"])
        try directory.append("three\n", to: "c.log")
        try await expectRecords(["one\n", "two\n", "three\n"])
        try await bench.stop()
        try await bench.start(flow(logs))
        try directory.append(cri("stderr F four"), to: "a.log")
        try await expectRecords(["one\n", "two\n", "three\n", "four\n"])
        try await bench.stop()
    }

    @Test func `a part that gets no end is sent after a while, or when its file ends`() async throws {
        try await bench.start(flow(timeout: .milliseconds(50)))
        try directory.append(cri("stdout P dead"), to: "a.log")
        try await expectRecords(["dead\n"])
        try directory.append(cri("stdout F alive"), to: "a.log")
        try await expectRecords(["dead\n", "alive\n"])
        try await bench.stop()
        try await bench.start(flow())
        try directory.append(cri("stdout P gone"), to: "a.log")
        try directory.unlink("a.log")
        try await expectRecords(["dead\n", "alive\n", "gone\n"])
        try await bench.stop()
        #expect(try bench.lastStatistics.counts.unfinishedMessages == 1)
    }

    @Test func `objects tell where the file's path says it is`() async throws {
        try directory.makeDirectory("ns_pod_uid/main")
        let flow = try bench.flow("**/0.log", containers: ContainerLogs(format: .cri, makesObjects: true))
        try await bench.start(flow)
        try directory.append(cri("stdout F a"), to: "ns_pod_uid/main/0.log")
        let time = "\"time\":\"2016-10-06T00:17:09Z\""
        let place = "\"namespace\":\"ns\",\"pod\":\"pod\",\"container\":\"main\""
        try await expectRecords(["{\"message\":\"a\",\"stream\":\"stdout\",\(time),\(place)}\n"])
        try await bench.stop()
    }
}
