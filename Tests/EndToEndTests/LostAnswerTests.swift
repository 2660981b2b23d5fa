import TestSupport
import Testing

/// A network and proxies that do what networks and proxies do.
@Suite(.timeLimit(.minutes(2))) struct LostAnswerTests {
    @Test(
        arguments: [
            (StandInAnswer.fail(status: 503, code: "ServiceUnavailableException"), "ServiceUnavailableException"),
            (.fail(status: 500, code: "InternalFailure"), "InternalFailure (HTTP 500)"),
            (.html(status: 502), "HTTP 502 without an error code"),
            (.html(status: 200), "HTTP 200, but not with an answer to this request"),
            (.body(status: 200, ""), "HTTP 200, but not with an answer to this request"),
            (.huge(bytes: 20_000_000), "nothing delivered"),
            (.resetBeforeReading, "nothing delivered"),
            (.resetAfterReading, "nothing delivered"),
        ]
    )
    func `what was not taken is sent again and arrives once`(answer: StandInAnswer, cause: String) async throws {
        let scene = try AgentScene()
        scene.standIn.enqueue(answer)
        try scene.append(1...100)
        let agent = try scene.start()
        try await scene.waitForRecords(100, from: agent)
        #expect(try await agent.stop() == .code(0))
        #expect(scene.deliveredLines == AgentScene.lines(1...100))
        #expect(agent.log.contains("WARN  delivery: stream: nothing delivered: "))
        #expect(agent.log.contains(cause))
    }

    @Test(arguments: [StandInAnswer.resetAfterAccepting, .shortList, .truncated])
    func `what was taken without a whole answer arrives twice, and nothing else does`(
        answer: StandInAnswer
    ) async throws {
        let scene = try AgentScene()
        scene.standIn.enqueue(.accept, answer, .accept)
        try scene.append(1...10)
        let agent = try scene.start()
        try await scene.waitForRecords(10, from: agent)
        try scene.append(11...20)
        try await scene.waitForRecords(30, from: agent)
        try scene.append(21...30)
        try await scene.waitForRecords(40, from: agent)
        #expect(try await agent.stop() == .code(0))
        let repeated = AgentScene.lines(11...20)
        #expect(scene.deliveredLines == AgentScene.lines(1...10) + repeated + repeated + AgentScene.lines(21...30))
    }

    @Test func `a service that cannot be reached is said with the cause, and all lines are kept`() async throws {
        let scene = try AgentScene()
        let closed = try FirehoseStandIn()
        closed.stop()
        let plain = try LoopbackServer { $0.write(Array("no TLS here".utf8)) }
        let causes = [
            closed.url: "onnect",
            "http://firetail.invalid": "esolve",
            plain.url.replacing("http://", with: "https://"): "SSL",
        ]
        try scene.append(1...10)
        for (endpoint, cause) in causes {
            scene.agentKeys["firehose.endpoint"] = endpoint
            let agent = try scene.start()
            try await agent.waitForLog("nothing delivered")
            #expect(agent.log.contains(cause))
            #expect(try await agent.stop() == .code(0))
            #expect(agent.log.contains("cached 10 records"))
        }
        scene.agentKeys["firehose.endpoint"] = scene.standIn.url
        let agent = try scene.start()
        try await scene.waitForRecords(10, from: agent)
        #expect(try await agent.stop() == .code(0))
        #expect(scene.deliveredLines == AgentScene.lines(1...10))
    }
}
