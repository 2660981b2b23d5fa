import Foundation
import TestSupport
import Testing

/// What a service manager tells the agent, and what it does then.
@Suite(.timeLimit(.minutes(2))) struct SignalTests {
    @Test(arguments: [SIGTERM, SIGINT])
    func `the first signal lets what is read be delivered, long before its buffers are due`(
        signal: CInt
    ) async throws {
        let scene = try AgentScene(
            flow: ["maxBufferAgeMillis": 900_000, "aggregatedRecordSizeBytes": 1_000_000],
            agent: ["log.statusReportingPeriodSeconds": 1]
        )
        try scene.append(1...700)
        let agent = try scene.start()
        try await agent.waitForLog("read 700 lines")
        #expect(scene.standIn.requests.isEmpty)
        agent.send(signal)
        #expect(try await agent.exit() == .code(0))
        #expect(agent.log.contains("stopping: "))
        #expect(agent.log.contains("delivered 1 record (6.1 kB) in 1 request"))
        #expect(scene.delivered == [AgentScene.lines(1...700).map { $0 + "\n" }.joined()])
    }

    @Test func `the second signal ends it at once, and loses nothing`() async throws {
        let scene = try AgentScene(agent: ["shutdownTimeoutMillis": 86_400_000])
        scene.standIn.answerByDefault { _ in .accept.hanging }
        try scene.append(1...10)
        let agent = try scene.start()
        try await agent.wait(for: "a request hangs") { scene.standIn.hangingCount == 1 }
        agent.send(SIGTERM)
        try await agent.waitForLog("stopping: ")
        #expect(agent.hasEnded == nil)
        agent.send(SIGINT)
        #expect(try await agent.exit() == .code(0))
        #expect(!agent.log.contains("stopped"))
        scene.standIn.release()
        scene.standIn.answerByDefault { _ in .accept }
        let next = try scene.start()
        try await scene.waitForRecords(20, from: next)
        #expect(try await next.stop() == .code(0))
        #expect(scene.deliveredLines == AgentScene.lines(1...10) + AgentScene.lines(1...10))
    }

    @Test func `a service that does not answer does not hold up the end beyond the shutdown timeout`() async throws {
        let scene = try AgentScene(agent: ["shutdownTimeoutMillis": 300])
        scene.standIn.answerByDefault { _ in .accept.hanging }
        try scene.append(1...10)
        let agent = try scene.start()
        try await agent.wait(for: "a request hangs") { scene.standIn.hangingCount == 1 }
        #expect(try await agent.stop() == .code(0))
        #expect(agent.log.contains("not all was delivered within shutdownTimeoutMillis; the rest stays in the cache"))
        #expect(agent.log.contains("cached 10 records"))
    }
}
