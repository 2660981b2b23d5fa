import Foundation
import TestSupport
import Testing

/// `firetail check` on configurations that are right.
@Suite(.timeLimit(.minutes(2))) struct CheckTests {
    private func check(_ scene: AgentScene, environment: [String: String] = [:]) async throws -> String {
        let content = try JSONSerialization.data(withJSONObject: scene.agentKeys.merging(["flows": scene.flows]) { $1 })
        try scene.configure(with: content)
        let agent = try Program(agent: ["check", "-c", scene.configurationPath], environment: environment)
        #expect(try await agent.exit() == .code(0))
        #expect(agent.log.isEmpty)
        return agent.output.replacingOccurrences(of: scene.directory.path, with: "…")
    }

    @Test func `it shows which files match, where each would start, and what a flow does`() async throws {
        let scene = try AgentScene(flow: ["initialPosition": "END_OF_FILE", "excludePattern": "*secret*"])
        var joined = scene.flows[0]
        joined["filePattern"] = scene.directory.path("none/*.log")
        joined["deliveryStream"] = "joined"
        joined["aggregatedRecordSizeBytes"] = 1_024_000
        joined["compression"] = "gzip"
        scene.flows.append(joined)
        try scene.append(1...100)
        try scene.append("not yet a line", to: "b.log")
        try scene.append("x\n", to: "secret.log")
        try FileManager.default.createDirectory(
            atPath: scene.directory.path("logs/d.log"),
            withIntermediateDirectories: false
        )
        let report = try await check(scene)
        let expected = """
            …/agent.json is right.

            Destination   \(scene.standIn.url) (region us-east-1)
            Credentials   awsAccessKeyId and awsSecretAccessKey of the configuration
            State         …/state: none yet, this is the first start

            Flow 1        …/logs/*.log → stream
                          without *secret*
                          a record a line; lines over 1.0 MB are cut
                          requests of up to 500 records or 4.1 MB, at the latest after 100 ms
            """
        #expect(report.hasPrefix(expected))
        #expect(report.contains("…/logs/d.log: is a directory, which is not tailed"))
        #expect(!report.contains("secret.log"))
        #expect(!report.contains("wJalrXUtnFEMI"))
        #expect(report.contains("Flow 2        …/none/*.log → joined"))
        #expect(report.contains("lines joined to records of up to 1.0 MB, each compressed with gzip"))
        #expect(report.contains("no file matches now; new ones are looked for in …"))
        let rows = report.split(separator: "\n").filter { $0.contains(".log  ") }
        #expect(
            rows.map { $0.split(separator: " ").joined(separator: " ") } == [
                "…/logs/a.log 792 B 792 B (end) 0 B", "…/logs/b.log 14 B 0 B (end) 14 B",
            ]
        )
        #expect(!FileManager.default.fileExists(atPath: scene.directory.path("state")))
        #expect(scene.standIn.requests.isEmpty)
    }

    @Test func `it shows how far an agent has come, and what is cached`() async throws {
        let scene = try AgentScene()
        scene.standIn.answerByDefault { _ in .html(status: 500) }
        try scene.append(1...100)
        let agent = try scene.start()
        try await agent.waitForLog("nothing delivered")
        let running = try await check(scene)
        #expect(running.contains("State         …/state: an agent is running (process \(agent.processID)), so"))
        #expect(running.contains("?"))
        #expect(try await agent.stop() == .code(0))
        try scene.append(101...200)
        let report = try await check(scene)
        #expect(report.contains("State         …/state: 1 file known, 100 records (792 B) cached"))
        #expect(report.contains("792 B (read so far)"))
        #expect(report.contains("900 B\n"))
    }

    @Test func `it names where credentials were looked for`() async throws {
        let scene = try AgentScene()
        for key in ["awsAccessKeyId", "awsSecretAccessKey"] { scene.agentKeys[key] = nil }
        let report = try await check(scene, environment: ["HOME": "/home/nobody"])
        #expect(report.contains("Credentials   no AWS credentials: looked for "))
        #expect(report.contains("/home/nobody/.aws/credentials"))
        let keys = ["AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": "wJalrXUtnFEMI"]
        let found = try await check(scene, environment: keys)
        #expect(found.contains("Credentials   the environment\n"))
        #expect(!found.contains("wJalrXUtnFEMI"))
    }

    @Test func `it says what lines and events are`() async throws {
        let scene = try AgentScene(
            flow: [
                "encoding": "latin1", "format": "cri", "skipHeaderLines": 1, "skipEmptyLines": true,
                "partialLineTimeoutMillis": 100, "multiLineStartPattern": "^x", "oversizedLines": "split",
            ]
        )
        let report = try await check(scene)
        for text in [
            "read as latin1", "without 1 header line a file", "logs of containers (cri), as message",
            "without empty lines", "a last line waits 100 ms for its newline",
            "an event begins with a line like ^x and ends before the next one, or after 5.0 s",
            "a record an event; lines over 1.0 MB are split",
        ] {
            #expect(report.contains(text), "\(report)")
        }
    }

    @Test func `the sample configuration is right as it is`() async throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let original = root.deletingLastPathComponent().appending(path: "agent.json.sample")
        // Whatever an agent on this machine has in its state directory is none of the test's business.
        let directory = try TemporaryDirectory()
        let sample = directory.path("agent.json")
        let text = try String(contentsOf: original, encoding: .utf8)
        try directory.append(text.replacing("/var/lib/firetail", with: directory.path("state")), to: "agent.json")
        let agent = try Program(agent: ["check", "-c", sample])
        #expect(try await agent.exit() == .code(0))
        #expect(agent.output.hasPrefix("\(sample) is right.\n"))
        #expect(agent.log.isEmpty)
    }
}
