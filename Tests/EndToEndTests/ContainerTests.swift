import Foundation
import TestSupport
import Testing

/// Logs of containers, from files to the service.
@Suite(.timeLimit(.minutes(2))) struct ContainerTests {
    static let docker16KiB = String(repeating: "x", count: 16_384)

    /// LS-106, LS-158, LS-167.
    static let cases: [LineCase] = [
        LineCase(
            "parts of Docker",
            docker("a\\n", "stdout") + docker(docker16KiB, "stdout") + docker(docker16KiB, "stdout")
                + docker("end\\n", "stdout") + docker("b\\n", "stdout"),
            ["a", docker16KiB + docker16KiB + "end", "b"],
            keys: ["format": "docker"]
        ),
        LineCase(
            "parts of Docker in both streams",
            docker("o1", "stdout") + docker("e1\\n", "stderr") + docker("o2", "stdout") + docker("e2", "stderr")
                + docker("o3\\n", "stdout") + docker("e3\\n", "stderr"),
            ["o1o2o3", "e1", "e2e3"],
            keys: ["format": "auto"]
        ),
        LineCase(
            "messages of Docker that all end",
            docker("1\\n", "stdout") + docker("2\\n", "stdout") + docker("3\\n", "stdout"),
            ["1", "2", "3"],
            keys: ["format": "auto"]
        ),
        LineCase(
            "broken lines in a log of Docker",
            docker("1\\n", "stdout") + "{\"log\":\"half\n" + docker("2\\n", "stdout") + "\n{\"log\":5}\n\0\0\0\n"
                + docker("3\\n", "stdout"),
            ["1", "{\"log\":\"half", "2", "", "{\"log\":5}", "\0\0\0", "3"],
            keys: ["format": "docker"]
        ),
        LineCase(
            "events of several messages of Kubernetes",
            ["stdout F seq=1", "stderr F seq=2", "stdout P \ta", "stdout F b", "stderr F \tc", "stdout F seq=3"]
                .map { "2024-05-01T10:00:00.123456789Z \($0)\n" }.joined(),
            ["seq=1\n\tab", "seq=2\n\tc", "seq=3"],
            keys: ["format": "cri", "multiLineStartPattern": "seq=", "multiLineTimeoutMillis": 300]
        ),
    ]

    private static func docker(_ message: String, _ stream: String) -> String {
        #"{"log":"\#(message)","stream":"\#(stream)","time":"2024-05-01T10:00:00.123456789Z"}"# + "\n"
    }

    @Test(arguments: cases) func `arrives as it should:`(_ example: LineCase) async throws {
        _ = try await example.run()
    }

    /// LS-040.
    @Test func `a message without an end is sent, and the next run of the container is another one`() async throws {
        let scene = try AgentScene(flow: ["format": "cri", "multiLineTimeoutMillis": 200, "containerOutput": "json"])
        let agent = try scene.start()
        let time = "2024-05-01T10:00:00.123456789Z"
        try scene.append("\(time) stdout P dead\n")
        try await scene.waitForRecords(1, from: agent)
        try scene.append("\(time) stdout F alive\n")
        try scene.append("\(time) stdout P gone\n", to: "b.log")
        try await scene.waitForRecords(3, from: agent)
        #expect(try await agent.stop() == .code(0))
        let objects = try scene.delivered.map {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
        let partial = objects.filter { $0?["partial"] as? Bool == true }.compactMap { $0?["message"] as? String }
        #expect(Set(partial) == ["dead", "gone"])
        #expect(objects.contains { $0?["message"] as? String == "alive" && $0?["time"] as? String == time })
        #expect(agent.log.contains("sent without their last parts"))
    }
}
