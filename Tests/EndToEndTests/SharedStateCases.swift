import Foundation
import TestSupport
import Testing

/// Two agents on one state directory, and an agent that would read what it writes.
@Suite(.timeLimit(.minutes(2))) struct SharedStateCases {
    /// LS-008: a rolling update.
    @Test func `a second agent waits for the first one to end, and takes over`() async throws {
        let scene = try AgentScene()
        let first = try scene.start()
        try await first.waitForLog("started: ")
        let second = try scene.start()
        try await second.waitForLog("waiting until it ends")
        try scene.append(1...100)
        try await scene.waitForRecords(100, from: first)
        #expect(try await first.stop() == .code(0))
        try await second.waitForLog("started: ")
        try scene.append(101...200)
        try await scene.waitForRecords(200, from: second)
        #expect(try await second.stop() == .code(0))
        #expect(scene.deliveredLines == AgentScene.lines(1...200))
        #expect(second.log.ranges(of: "waiting until it ends").count == 1)
    }

    @Test func `an agent that waits for another one ends when it is told to`() async throws {
        let scene = try AgentScene(agent: ["shutdownTimeoutMillis": 60_000])
        let first = try scene.start()
        try await first.waitForLog("started: ")
        let second = try scene.start()
        try await second.waitForLog("waiting until it ends")
        #expect(try await second.stop() == .code(0))
        #expect(try await first.stop() == .code(0))
    }

    /// LS-005: the agent's own log among the files that it follows.
    @Test func `its own log is not tailed, not even after a rotation`() async throws {
        let scene = try AgentScene()
        scene.flows[0]["filePattern"] = scene.directory.path("logs/*")
        let log = scene.directory.path("logs/agent.log")
        let agent = try scene.start(
            "--log-level",
            "debug",
            wrapper: ["sh", "-c", "exec \"$@\" 2>>\(log)", "sh"]
        )
        func said() -> String {
            String(decoding: (try? scene.directory.contents(of: "logs/agent.log")) ?? [], as: UTF8.self)
        }
        try await agent.wait(for: "it says so") { said().contains("the agent's own log goes there; it is not tailed") }
        try scene.rename("agent.log", to: "agent.log.1")
        try scene.append(1...10)
        try await scene.waitForRecords(10, from: agent)
        #expect(try await agent.stop() == .code(0))
        #expect(scene.deliveredLines == AgentScene.lines(1...10))
    }
}
