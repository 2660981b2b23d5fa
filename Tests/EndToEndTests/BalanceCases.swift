import Foundation
import TestSupport
import Testing

/// Every line that was read is in exactly one place, whatever happens to the agent and to dead letters.
@Suite(.timeLimit(.minutes(3))) struct BalanceCases {
    static let packings: [[String: any Sendable]] = [
        [:],
        ["aggregatedRecordSizeBytes": 100],
        ["aggregatedRecordSizeBytes": 100, "compression": "gzip"],
        ["multiLineStartPattern": "line \\d*0", "multiLineTimeoutMillis": 100, "compression": "gzip"],
    ]

    @Test(arguments: packings.indices)
    func `lines balance over refusals, reloads, restarts, and what becomes of dead letters`(packing: Int) async throws {
        let usual: [String: any Sendable] = ["skipEmptyLines": true, "skipHeaderLines": 1]
        let scene = try AgentScene(flow: usual.merging(Self.packings[packing]) { $1 })
        scene.standIn.answerByDefault { _ in .fail(status: 400, code: "InvalidArgumentException") }
        try scene.append("a header\n\n")
        try scene.append(1...30)
        try scene.append("\n\n")
        var agent = try scene.start()
        try await agent.wait(for: "all is set aside") { try await lines(scene).deadLetters == 30 }
        try await scene.expectBalance()
        #expect(try await scene.balance().flows[0].linesFiltered == 4)

        scene.standIn.answerByDefault { _ in .accept }
        scene.standIn.enqueue(.refuse([1: "InternalFailure"]))
        agent.send(SIGHUP)
        try await agent.waitForLog("started: ", times: 2)
        try scene.append(31...60)
        try await agent.wait(for: "what comes then is delivered") { try await lines(scene).delivered == 30 }
        try await scene.expectBalance()
        #expect(try await scene.balance().flows[0].linesRead == 30)

        #expect(try await scene.askDeadLetters("replay", "1").exit == .code(0))
        try await agent.wait(for: "what was put back is delivered") { try await lines(scene).cached == 0 }
        try await scene.expectBalance()
        #expect(try await scene.askDeadLetters("drop", "--all").exit == .code(0))
        try await scene.expectBalance()
        let balance = try await lines(scene)
        #expect(balance.stored == 60 && balance.deadLetters == 0 && balance.delivered + balance.dropped == 60)
        #expect(balance.dropped > 0 && balance.delivered > 30)

        #expect(try await agent.stop() == .code(0))
        try scene.append(61...70)
        agent = try scene.start()
        try await agent.wait(for: "what came meanwhile is delivered") {
            try await lines(scene).delivered == balance.delivered + 10
        }
        try await scene.expectBalance()
        #expect(try await lines(scene).stored == 70)
        #expect(try await agent.stop() == .code(0))
    }

    /// Where the lines of the stream are; nowhere while no agent answers.
    private func lines(_ scene: AgentScene) async throws -> Balance.Lines {
        let answer = try await scene.askStatus("--json")
        guard answer.exit == .code(0) else { return Balance.Lines() }
        return try JSONDecoder().decode(Balance.self, from: Data(answer.output.utf8)).stream().lines
    }
}
