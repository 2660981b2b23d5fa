import Foundation
import TestSupport

/// Has the agent, as a process of its own, ship a log file to a server on loopback, without TLS; its cache is durable.
///
/// `flow` is what the flow's configuration has besides its pattern and stream.
func pipeline(_ flow: String, byteCount: Int) async -> Row {
    do {
        let directory = try TemporaryDirectory()
        let lines = try writeLog(byteCount, into: directory)
        let sink = try CountingSink()
        let configuration = """
            { "firehose.endpoint": "\(sink.url)", "region": "us-east-1", "stateDirectory": "\(directory.path("state"))",
              "flows": [{ "filePattern": "\(directory.path("big.log"))", "deliveryStream": "benchmark",
                          "initialPosition": "START_OF_FILE", "maxBufferAgeMillis": 1000, \(flow) }] }
            """
        try directory.append(configuration, to: "agent.json")
        let agent = try Program(
            agent: ["run", "-c", directory.path("agent.json")],
            environment: ["AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": "secret"]
        )
        let start = ContinuousClock.now
        try await agent.wait(for: "all lines are delivered") { sink.lines >= lines }
        let wall = ContinuousClock.now - start
        let usage = ProcessUsage(of: agent.processID)
        let rate =
            Double(byteCount) / 1e6 / (Double(wall.components.seconds) + Double(wall.components.attoseconds) / 1e18)
        let remark = "\(oneDecimal(rate)) MB a second, \(usage.peakKiB / 1_024) MiB at most"
        return Row(bytes: byteCount, cpuSeconds: usage.cpuSeconds, remark: remark)
    } catch {
        return Row(bytes: 0, cpuSeconds: 0, remark: "\(error)")
    }
}

/// Writes sample lines until there are about so many bytes; gives how many lines there are.
private func writeLog(_ byteCount: Int, into directory: TemporaryDirectory) throws -> Int {
    let piece = SampleLog.make()
    let linesInPiece = piece.count { $0 == UInt8(ascii: "\n") }
    let pieces = max(1, byteCount / piece.count)
    for _ in 0..<pieces { try directory.append(piece, to: "big.log") }
    return pieces * linesInPiece
}
