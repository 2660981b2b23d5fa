import Foundation
import TestSupport
import Testing

/// One story of a failure, told in the words of the acceptance page: files and what happens to them, the agent, the
/// service, and which lines must have arrived at the end.
///
/// Names of files are relative to the directory of the logs. Whatever a story is about, it also fails if the agent
/// crashes, does not end when it is told to, spins, floods its log, or has a record's text in there.
final class Scenario {
    let scene: AgentScene
    let sink: Sink
    var ledger = WrittenLines()
    private(set) var agent: Program?

    /// The logs of all agents of this story.
    private(set) var logs: [String] = []

    /// How long an agent may take to end once it is told to.
    private static let grace: Duration = .seconds(15)

    /// Makes the surroundings: what the flow reads, relative to the logs, and keys of the configuration beyond the usual.
    init(_ patterns: String..., flow: [String: Any] = [:], agent: [String: Any] = [:]) throws {
        let usual: [String: Any] = ["scanIntervalMillis": 1_000, "shutdownTimeoutMillis": 5_000]
        scene = try AgentScene(flow: flow, agent: usual.merging(agent) { $1 })
        sink = Sink()
        sink.serve(scene.standIn)
        if !patterns.isEmpty { scene.flows[0]["filePattern"] = patterns.map { scene.directory.path("logs/\($0)") } }
    }

    /// Tells the story, and checks what must hold at the end of every one.
    func run(_ story: (Scenario) async throws -> Void) async throws {
        try await story(self)
        if agent != nil {
            try await settle()
            try await expectIdle()
            let contradictions = try await scene.balance().contradictions
            #expect(contradictions.isEmpty, "the balance of the agent")
            try await stop()
        }
        expectSilence()
        ledger.check(sink.lines)
    }

    // MARK: The agent

    /// Starts an agent; `wrapper` is a command that becomes it.
    func start(wrapper: [String] = [], waiting: Bool = true) async throws {
        let agent = try scene.start(wrapper: wrapper)
        self.agent = agent
        if waiting { try await agent.waitForLog("ready: ") }
    }

    /// One run of the agent from its start to its end, in which everything that is there arrives.
    func session(_ work: () throws -> Void = {}) async throws {
        try await start()
        try work()
        try await settle()
        try await stop()
    }

    /// Tells the agent to end, and waits for it.
    func stop() async throws {
        let agent = try running
        agent.send(SIGTERM)
        try await waitUntil("the agent ends; what it said:\n\(agent.log)", timeout: Self.grace) {
            agent.hasEnded != nil
        }
        #expect(agent.hasEnded == .code(0), "\(agent.log)")
        leave(agent)
    }

    /// Kills the agent; what was on its way may come again.
    func kill9() async throws {
        let agent = try running
        try await agent.kill()
        ledger.mayRepeat = true
        leave(agent)
    }

    private func leave(_ agent: Program) {
        logs.append(agent.log)
        self.agent = nil
    }

    /// Lets the agent stand still until the end of `body`, as if it were starved of its processor.
    func pausing(_ body: () throws -> Void) throws {
        let agent = try running
        agent.send(SIGSTOP)
        defer { agent.send(SIGCONT) }
        try body()
    }

    var running: Program {
        get throws { try #require(agent, "no agent runs") }
    }

    /// Waits until the agent has said something.
    func waitForLog(_ text: String) async throws { try await running.waitForLog(text) }

    /// What all agents of the story have said so far.
    var log: String { (logs + [agent?.log ?? ""]).joined() }

    /// What the agent has open.
    var openPaths: [String] { agent?.openPaths ?? [] }

    /// The log files that it has open, deleted ones included.
    var openLogs: [String] { openPaths.filter { $0.contains("/logs/") } }

    // MARK: Waiting

    /// Waits until all that must arrive has arrived.
    func arrive(within limit: Duration = .seconds(30)) async throws {
        try await waitUntil(
            """
            all lines arrive; missing: \(ledger.missing(from: sink.lines)); \
            \(sink.count) came in \(scene.standIn.requests.count) requests to \(scene.standIn.url); it said:
            \(log)
            """,
            timeout: limit,
            lookingEvery: .milliseconds(10)
        ) {
            if let ending = agent?.hasEnded { throw Ended(ending: ending, log: log) }
            return ledger.isComplete(sink)
        }
    }

    /// Waits until all that must arrive has arrived, and nothing more comes for a moment.
    func settle(within limit: Duration = .seconds(30)) async throws {
        try await arrive(within: limit)
        var last = -1
        try await waitUntil("nothing more comes", timeout: limit, lookingEvery: .milliseconds(120)) {
            defer { last = sink.count }
            return sink.count == last
        }
    }

    /// The agent ended in the middle of a story.
    struct Ended: Error, CustomStringConvertible {
        let ending: Program.Exit
        let log: String
        var description: String { "the agent ended with \(ending): \(log)" }
    }

    // MARK: What every story demands

    /// Expects that an agent with nothing to do uses next to no processor time.
    private func expectIdle() async throws {
        let agent = try running
        let measured: Duration = .milliseconds(250)
        let before = try agent.processorTime
        try await Task.sleep(for: measured)
        let used = try agent.processorTime - before
        #expect(used < measured / 2, "an agent with nothing to do used \(used) of \(measured)")
    }

    private func expectSilence() {
        for log in logs {
            #expect(!log.contains(WrittenLines.marker), "a record's text is in the log")
            let kinds = Dictionary(grouping: log.split(separator: "\n"), by: Self.kind)
            for (kind, lines) in kinds where lines.count > 14 {
                Issue.record("\(lines.count) log lines of the kind '\(kind)', such as '\(lines[0])'")
            }
        }
    }

    /// A log line without what differs between two of a kind: the time, numbers and paths.
    private static func kind(of line: Substring) -> String {
        let words = line.split(separator: " ").dropFirst()
        return words.filter { !$0.contains("/") && !$0.contains { $0.isNumber } }.joined(separator: " ")
    }
}

extension Program {
    /// How long its threads have run on a processor.
    fileprivate var processorTime: Duration {
        get throws {
            let tasks = "/proc/\(processID)/task"
            let threads = try FileManager.default.contentsOfDirectory(atPath: tasks)
            let nanoseconds = threads.compactMap { thread -> Int? in
                let text = try? String(contentsOfFile: "\(tasks)/\(thread)/schedstat", encoding: .utf8)
                return text?.split(separator: " ").first.flatMap { Int($0) }
            }
            return .nanoseconds(nanoseconds.reduce(0, +))
        }
    }

    /// Kilobytes that are resident.
    var residentKilobytes: Int {
        get throws {
            let status = try String(contentsOfFile: "/proc/\(processID)/status", encoding: .utf8)
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
            return try #require(Int(line.filter(\.isNumber)))
        }
    }

    /// What its open descriptors lead to.
    fileprivate var openPaths: [String] {
        let directory = "/proc/\(processID)/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(directory)/\($0)") }
    }
}
