import AmplifyFirehoseClient
import TestSupport
import Testing

/// The client against a Firehose that others have written, which checks our signatures.
@Suite(.enabled(if: Moto.isInstalled, "python3 with moto[server] and boto3 is not installed"), .timeLimit(.minutes(3)))
struct MotoTests {
    @Test func `records arrive in the bucket as they were recorded`() async throws {
        let moto = try await Moto()
        let client = try client(of: moto, secret: moto.secretAccessKey)
        let lines = (1...600).map { "record \($0) “quoted” \\ \u{1F525}\n" }
        for line in lines { try await client.record(line, to: "stream") }
        #expect(try await client.flush().recordsFlushed == 500)
        #expect(try await client.flush().recordsFlushed == 100)
        // A request is an object, and the bucket lists those of one second in any order.
        let delivered = try await moto.delivered()
        #expect([lines.joined(), (lines[500...] + lines[..<500]).joined()].contains(delivered))
        await client.close()
    }

    @Test func `a wrong secret is an error of the service, and the right one delivers`() async throws {
        let moto = try await Moto()
        let scene = try ClientScene()
        let wrong = try client(of: moto, secret: "wrong", in: scene)
        try await wrong.record("a\n", to: "stream")
        #expect(try await wrong.flush().recordsFlushed == 0)
        #expect(scene.log.contains { $0.contains("SignatureDoesNotMatch") })
        #expect(!scene.log.contains { $0.contains(moto.secretAccessKey) })
        await wrong.close()
        let right = try client(of: moto, secret: moto.secretAccessKey, in: scene)
        #expect(try await right.flush().recordsFlushed == 1)
        #expect(try await moto.delivered() == "a\n")
        await right.close()
    }

    private func client(
        of moto: Moto,
        secret: String,
        in scene: ClientScene? = nil
    ) throws -> AmplifyFirehoseClient {
        let scene = try scene ?? ClientScene()
        return try AmplifyFirehoseClient(
            region: "us-east-1",
            credentialsProvider: StaticCredentialsProvider(accessKeyId: moto.accessKeyID, secretAccessKey: secret),
            options: scene.options { $0.configureClient = { $0.endpoint = moto.url } }
        )
    }
}
