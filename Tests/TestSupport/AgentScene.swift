import Foundation
import Testing

/// What one test has around its agents: a directory with logs and state, a Firehose stand-in, and a configuration.
///
/// The one flow ships `logs/*.log` to the stream `stream`, from the start of each file, and waits as little as it may.
package final class AgentScene {
    package let directory: TemporaryDirectory
    package let standIn: FirehoseStandIn

    /// The keys of the agent but `flows`.
    package var agentKeys: [String: Any]

    package var flows: [[String: Any]]

    /// The environment of agents that are started from now on.
    package var environment: [String: String] = [:]

    /// Makes the surroundings; `flow` and `agent` are keys that are added to the usual ones, or replace them.
    package init(
        flow: [String: Any] = [:],
        agent: [String: Any] = [:],
        standIn: FirehoseStandIn? = nil
    ) throws {
        directory = try TemporaryDirectory()
        self.standIn = try standIn ?? FirehoseStandIn()
        let standIn = self.standIn
        try FileManager.default.createDirectory(atPath: directory.path("logs"), withIntermediateDirectories: false)
        let usualFlow: [String: Any] = [
            "filePattern": directory.path("logs/*.log"),
            "deliveryStream": "stream",
            "initialPosition": "START_OF_FILE",
            "maxBufferAgeMillis": 100,
            "retryInitialBackoffMillis": 1,
            "retryMaxBackoffMillis": 50,
        ]
        let usualAgent: [String: Any] = [
            "firehose.endpoint": standIn.url,
            "region": "us-east-1",
            "awsAccessKeyId": "AKIDEXAMPLE",
            "awsSecretAccessKey": "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
            "stateDirectory": directory.path("state"),
            "rotatedFileQuietMillis": 200,
        ]
        flows = [usualFlow.merging(flow) { _, new in new }]
        agentKeys = usualAgent.merging(agent) { _, new in new }
    }

    /// What the agents have left behind, the database and the dead letters, must hold no secret.
    deinit {
        let secrets = Secrets(environment: environment, configuration: agentKeys)
        let state = directory.path("state")
        for name in (try? FileManager.default.subpathsOfDirectory(atPath: state)) ?? [] {
            guard let content = try? Data(contentsOf: URL(filePath: state + "/" + name)) else { continue }
            for setting in secrets.leaks(in: content) {
                Issue.record("the agent has written the value of \(setting) to \(name)")
            }
        }
    }

    // MARK: Agents

    /// Starts an agent with the configuration as it is now.
    package func start(_ options: String..., wrapper: [String] = []) throws -> Program {
        try configure(with: JSONSerialization.data(withJSONObject: agentKeys.merging(["flows": flows]) { $1 }))
        return try Program(
            agent: ["run", "-c", configurationPath] + options,
            environment: environment,
            wrapper: wrapper
        )
    }

    package var configurationPath: String { directory.path("agent.json") }

    /// Writes the configuration file.
    package func configure(with content: Data) throws {
        try content.write(to: URL(fileURLWithPath: configurationPath))
    }

    // MARK: Logs

    /// Adds numbered lines to a file below `logs`.
    package func append(_ numbers: ClosedRange<Int>, to name: String = "a.log") throws {
        try append(Self.lines(numbers).map { $0 + "\n" }.joined(), to: name)
    }

    /// Adds text to a file below `logs`.
    package func append(_ text: String, to name: String = "a.log") throws {
        try directory.append(text, to: "logs/" + name)
    }

    /// Numbered lines, without their newlines.
    package static func lines(_ numbers: ClosedRange<Int>) -> [String] { numbers.map { "line \($0)" } }

    /// Gives a file below `logs` another name.
    package func rename(_ name: String, to newName: String) throws {
        guard Foundation.rename(directory.path("logs/" + name), directory.path("logs/" + newName)) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }

    // MARK: Deliveries

    /// The records that the stand-in keeps of the flow's stream, as text, in the order of acceptance.
    package var delivered: [String] {
        standIn.records(of: "stream").map { String(decoding: $0, as: UTF8.self) }
    }

    /// The lines in these records.
    package var deliveredLines: [String] { delivered.joined().split(separator: "\n").map(String.init) }

    /// Waits until this many records are kept, duplicates included.
    package func waitForRecords(_ count: Int, from agent: Program) async throws {
        try await agent.wait(for: "\(count) records arrive, of which \(delivered.count) have") {
            standIn.records(of: "stream").count >= count
        }
    }
}
