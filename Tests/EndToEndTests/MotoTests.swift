import TestSupport
import Testing

/// The agent against a Firehose that others have written, which checks our signatures.
@Suite(.enabled(if: Moto.isInstalled, "python3 with moto[server] and boto3 is not installed"), .timeLimit(.minutes(3)))
struct MotoTests {
    private func scene(_ moto: Moto, secret: String) throws -> AgentScene {
        try AgentScene(
            agent: [
                "firehose.endpoint": moto.url, "awsAccessKeyId": moto.accessKeyID, "awsSecretAccessKey": secret,
            ]
        )
    }

    @Test func `a log arrives in the bucket as it was written`() async throws {
        let moto = try await Moto()
        let scene = try scene(moto, secret: moto.secretAccessKey)
        try scene.append(1...1_200)
        try scene.append("umlauts äöü, quotes \" and \\ backslashes, NUL \0 and no end: \u{1F525}\n")
        let agent = try scene.start("--log-level", "debug")
        try await agent.waitForLog("accepted after", times: 3)
        try scene.append(1_201...1_300)
        try await agent.waitForLog("accepted after", times: 4)
        #expect(try await agent.stop() == .code(0))
        #expect(agent.log.contains("cached 0 records (0 B), delivered 1,301 records"))
        let lines = try await moto.delivered().split(separator: "\n").map(String.init)
        let special = "umlauts äöü, quotes \" and \\ backslashes, NUL \0 and no end: \u{1F525}"
        #expect(lines.sorted() == (AgentScene.lines(1...1_300) + [special]).sorted())
    }

    @Test func `a wrong secret is named, and everything arrives with the right one`() async throws {
        let moto = try await Moto()
        let scene = try scene(moto, secret: "wrong" + moto.secretAccessKey)
        try scene.append(1...100)
        let wrong = try scene.start()
        try await wrong.waitForLog("SignatureDoesNotMatch")
        #expect(try await wrong.stop() == .code(0))
        #expect(wrong.log.contains("cached 100 records"))
        #expect(try await moto.delivered().isEmpty)

        scene.agentKeys["awsSecretAccessKey"] = moto.secretAccessKey
        let right = try scene.start()
        try await right.wait(for: "nothing is cached") { try await !moto.delivered().isEmpty }
        #expect(try await right.stop() == .code(0))
        #expect(try await moto.delivered().split(separator: "\n").map(String.init) == AgentScene.lines(1...100))
    }
}
