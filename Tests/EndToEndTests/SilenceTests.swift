import Foundation
import TestSupport
import Testing

/// What must never be in the log, whatever goes wrong: secrets, and what the lines say.
@Suite(.timeLimit(.minutes(2))) struct SilenceTests {
    private static let secret = "topsecretkey"
    private static let marker = "MARKEDTEXT"

    private static let troubles: [@Sendable (FirehoseStandIn.Request) -> StandInAnswer] = [
        { _ in .accept },
        { _ in .refuse([0: "InternalFailure"]) },
        { _ in .throttleAll },
        { _ in .html(status: 502) },
        { _ in .truncated },
        { _ in .resetAfterReading },
        // Services and proxies quote what they were sent.
        { .body(status: 400, "{\"__type\":\"ValidationException\",\"message\":\"bad: \(text(of: $0))\"}") },
        { .fail(status: 400, code: "SerializationException", message: "bad: \(text(of: $0))") },
        { .fail(status: 413, code: "RequestEntityTooLargeException", message: "bad: \(text(of: $0))") },
        { .body(status: 500, text(of: $0)) },
        { .body(status: 200, text(of: $0)) },
    ]

    private static func text(of request: FirehoseStandIn.Request) -> String {
        String(decoding: request.records.joined(), as: UTF8.self).replacing("\n", with: " ")
    }

    @Test(arguments: troubles.indices)
    func `neither secrets nor lines are in the log`(trouble: Int) async throws {
        let scene = try AgentScene(
            flow: ["maxLineBytes": 100],
            agent: ["awsSecretAccessKey": Self.secret, "shutdownTimeoutMillis": 500]
        )
        scene.environment = ["AWS_SESSION_TOKEN": Self.secret, "AWS_SECRET_ACCESS_KEY": Self.secret]
        scene.standIn.answerByDefault(Self.troubles[trouble])
        try scene.append("\(Self.marker) 1\n\(Self.marker) \(String(repeating: "2", count: 200))\n\(Self.marker)")
        let agent = try scene.start("--log-level", "debug")
        try await agent.wait(for: "two requests or one that is taken") {
            scene.standIn.requests.count >= 2 || scene.delivered.count >= 2
        }
        try scene.rename("a.log", to: "b.log")
        #expect(try await agent.stop() == .code(0))
        #expect(agent.log.contains("a.log: following it"))
        #expect(!agent.log.contains(Self.secret))
        #expect(!agent.log.contains(Self.marker))
        #expect(!agent.log.contains(Data(Self.marker.utf8).base64EncodedString().prefix(12)))
    }
}
