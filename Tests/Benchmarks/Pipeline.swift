import Foundation
import TestSupport

/// Has the agent, as a process of its own, ship logs to a server on loopback, without TLS; its cache is durable.
///
/// `flow` is what the flow's configuration has besides its pattern and stream.
func pipeline(_ flow: String, name: String = "", _ logs: LogShape = LogShape(), byteCount: Int) async -> Row {
    do {
        let directory = try TemporaryDirectory()
        let (lines, bytes) = try logs.write(byteCount, into: directory)
        let sink = try CountingSink()
        let agent = try startAgent(in: directory, sendingTo: sink.url, flow)
        let start = ContinuousClock.now
        try await agent.wait(for: "all lines are delivered") { sink.lines >= lines }
        let wall = ContinuousClock.now - start
        let usage = ProcessUsage(of: agent.processID)
        let rate =
            Double(bytes) / 1e6 / (Double(wall.components.seconds) + Double(wall.components.attoseconds) / 1e18)
        let remark = "\(oneDecimal(rate)) MB a second, \(usage.peakKiB / 1_024) MiB at most"
        return Row(name: name, bytes: bytes, cpuSeconds: usage.cpuSeconds, remark: remark)
    } catch {
        return Row(name: name, bytes: 0, cpuSeconds: 0, remark: "\(error)")
    }
}

/// Starts one of the agents that ship the logs in a directory, each with its own state.
///
/// `flow` is what the flow's configuration has besides its pattern and stream.
func startAgent(
    _ number: Int = 1,
    in directory: TemporaryDirectory,
    sendingTo url: String,
    _ flow: String
) throws -> Program {
    let state = directory.path("state\(number)")
    let configuration = """
        { "firehose.endpoint": "\(url)", "region": "us-east-1", "stateDirectory": "\(state)",
          "flows": [{ "filePattern": "\(directory.path("*.log"))", "deliveryStream": "benchmark",
                      "initialPosition": "START_OF_FILE", "maxBufferAgeMillis": 1000, \(flow) }] }
        """
    try directory.append(configuration, to: "agent\(number).json")
    return try Program(
        agent: ["run", "-c", directory.path("agent\(number).json")],
        environment: ["AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": "secret"]
    )
}
