import Foundation
import TestSupport

/// Has agents, one and three, drain a backlog into a stream whose quota is a MiB a second, for a minute after the first ten seconds.
func pace() async -> [Row] {
    // Side by side, since all they do is wait.
    async let one = paced(agents: 1, refusesWholeRequests: true)
    async let oneByRecords = paced(agents: 1, refusesWholeRequests: false)
    async let three = paced(agents: 3, refusesWholeRequests: true)
    async let threeByRecords = paced(agents: 3, refusesWholeRequests: false)
    return await [one, oneByRecords, three, threeByRecords]
}

private func paced(agents count: Int, refusesWholeRequests: Bool) async -> Row {
    let agents = count == 1 ? "1 agent" : "\(count) agents"
    let name = ", \(agents), refusing \(refusesWholeRequests ? "requests" : "records")"
    do {
        let quota = 1_048_576
        let server = try QuotaServer(bytesPerSecond: quota, refusesWholeRequests: refusesWholeRequests)
        let directory = try TemporaryDirectory()
        let log = SampleLog.make()
        for _ in 0..<90 { try directory.append(log, to: "big.log") }
        let agents = try (1...count).map {
            try startAgent($0, in: directory, sendingTo: server.url, #""compression": "none""#)
        }
        try await Task.sleep(for: .seconds(10))
        let before = server.counts
        let start = ContinuousClock.now
        try await Task.sleep(for: .seconds(60))
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let after = server.counts
        let cpuSeconds = agents.reduce(0) { $0 + ProcessUsage(of: $1.processID).cpuSeconds }
        for agent in agents { try await agent.kill() }
        let bytes = after.acceptedBytes - before.acceptedBytes
        let use = Double(bytes) / (Double(quota) * seconds) * 100
        let requests = share(after.throttledRequests - before.throttledRequests, of: after.requests - before.requests)
        let records = share(after.throttledRecords - before.throttledRecords, of: after.records - before.records)
        let remark =
            "\(oneDecimal(use)) % of the quota used; throttled: \(requests) % of requests, \(records) % of records"
        return Row(name: name, bytes: bytes, cpuSeconds: cpuSeconds, remark: remark)
    } catch {
        return Row(name: name, bytes: 0, cpuSeconds: 0, remark: "\(error)")
    }
}

private func share(_ part: Int, of whole: Int) -> String { oneDecimal(Double(part) / Double(max(1, whole)) * 100) }
