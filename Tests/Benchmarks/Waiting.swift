import Foundation
import TestSupport

/// Has an agent wait for half a minute in states in which there is nothing to be done, or nothing that helps.
func waiting() async -> [Row] {
    await [
        waiting(", an open event grows", #""multiLineStartPattern": "START""#) { directory in
            try directory.append("START" + String(repeating: " more\n", count: 800_000), to: "event.log")
        } eachSecond: { directory in
            try directory.append(" a line\n", to: "event.log")
        },
        waiting(", a line grows", #""compression": "none""#) { directory in
            try directory.append(String(repeating: "x", count: 900_000), to: "line.log")
        } eachSecond: { directory in
            try directory.append("more", to: "line.log")
        },
        waiting(", nobody listens", #""compression": "none""#, isRefused: true) { directory in
            try directory.append("a line\n", to: "refused.log")
        } eachSecond: { directory in
            try directory.append("a line\n", to: "refused.log")
        },
        waiting(", files and path are gone", #""compression": "none""#) { directory in
            for file in 0..<100 { try directory.append("a line\n", to: "\(file).log") }
        } eachSecond: { directory in
            for file in 0..<100 { try? directory.remove("\(file).log") }
        },
    ]
}

/// Measures one state, once the agent has come into it; the rows' amounts are of no account.
private func waiting(
    _ name: String,
    _ flow: String,
    isRefused: Bool = false,
    prepare: (TemporaryDirectory) throws -> Void,
    eachSecond: (TemporaryDirectory) throws -> Void
) async -> Row {
    do {
        let directory = try TemporaryDirectory()
        try prepare(directory)
        let sink = try CountingSink()
        let agent = try startAgent(in: directory, sendingTo: isRefused ? "http://127.0.0.1:9" : sink.url, flow)
        try await agent.waitForLog("ready: ")
        for _ in 0..<5 {
            try eachSecond(directory)
            try await Task.sleep(for: .seconds(1))
        }
        let before = ProcessUsage(of: agent.processID).cpuSeconds
        let start = ContinuousClock.now
        for _ in 0..<30 {
            try eachSecond(directory)
            try await Task.sleep(for: .seconds(1))
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let usage = ProcessUsage(of: agent.processID)
        try await agent.kill()
        let used = usage.cpuSeconds - before
        let remark = "\(oneDecimal(used / seconds * 100)) % of a core, \(usage.peakKiB / 1_024) MiB at most"
        return Row(name: name, bytes: 0, cpuSeconds: used, remark: remark)
    } catch {
        return Row(name: name, bytes: 0, cpuSeconds: 0, remark: "\(error)")
    }
}
