import Foundation
import TestSupport
import Testing

/// An agent that has nothing to sign with, or something wrong.
@Suite(.timeLimit(.minutes(2))) struct CredentialsTests {
    @Test func `without credentials it caches, says where it looked, and delivers when they appear`() async throws {
        let scene = try AgentScene()
        for key in ["awsAccessKeyId", "awsSecretAccessKey"] { scene.agentKeys[key] = nil }
        scene.environment["HOME"] = scene.directory.path
        try scene.append(1...10)
        let agent = try scene.start()
        try await agent.waitForLog("ERROR delivery: stream: nothing delivered: ")
        let file = scene.directory.path(".aws/credentials")
        #expect(agent.log.contains("no AWS credentials: looked for awsAccessKeyId and awsSecretAccessKey"))
        #expect(agent.log.contains("AWS_ACCESS_KEY_ID"))
        #expect(agent.log.contains(file))
        #expect(scene.standIn.requests.isEmpty)

        try FileManager.default.createDirectory(
            atPath: scene.directory.path(".aws"),
            withIntermediateDirectories: false
        )
        let keys = "[default]\naws_access_key_id = AKIDLATER\naws_secret_access_key = secret\n"
        try Data(keys.utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
        try await scene.waitForRecords(10, from: agent)
        #expect(try await agent.stop() == .code(0))
        #expect(scene.deliveredLines == AgentScene.lines(1...10))
        #expect(agent.log.contains("stream: sending again"))
        let signature = try #require(scene.standIn.requests.first?.headers["authorization"])
        #expect(signature.hasPrefix("AWS4-HMAC-SHA256 Credential=AKIDLATER/"))
    }

    @Test func `the environment's keys and session token sign`() async throws {
        let scene = try AgentScene()
        for key in ["awsAccessKeyId", "awsSecretAccessKey", "region"] { scene.agentKeys[key] = nil }
        scene.environment = [
            "AWS_ACCESS_KEY_ID": "AKIDENV", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_SESSION_TOKEN": "token",
            "AWS_REGION": "eu-west-3",
        ]
        try scene.append(1...10)
        let agent = try scene.start()
        try await scene.waitForRecords(10, from: agent)
        #expect(try await agent.stop() == .code(0))
        let headers = try #require(scene.standIn.requests.first?.headers)
        let scope = /AWS4-HMAC-SHA256 Credential=AKIDENV\/[0-9]{8}\/eu-west-3\/firehose\/aws4_request, .*/
        #expect(headers["authorization"]?.wholeMatch(of: scope) != nil)
        #expect(headers["x-amz-security-token"] == "token")
    }
}
