import Foundation
import TestSupport
import Testing

/// The example package's program, as a user runs it.
struct ExampleTests {
    private func start(_ scene: ClientScene) throws -> Program {
        try Program(
            [Program.built("firehose-client-example"), "my-stream"],
            environment: [
                "AWS_ENDPOINT_URL_FIREHOSE": scene.service.url, "XDG_STATE_HOME": scene.directory.path,
                "AWS_ACCESS_KEY_ID": "AKIDTEST", "AWS_SECRET_ACCESS_KEY": "secret",
            ]
        )
    }

    @Test func `a second process on the same cache is refused and told who has it`() async throws {
        let scene = try ClientScene()
        let client = try scene.client { $0.cachePath = scene.directory.path("firehose-client/us-east-1.db") }
        let example = try start(scene)
        #expect(try await example.exit() != .code(0))
        #expect(example.log.contains("in use by process \(ProcessInfo.processInfo.processIdentifier)"))
        await client.close()
        #expect(try await start(scene).exit() == .code(0))
    }

    @Test func `the example runs from its first record to its last`() async throws {
        let scene = try ClientScene()
        let example = try start(scene)
        #expect(try await example.exit() == .code(0))
        #expect(
            example.output == """
                flushed 1 records, in progress: false
                cached: 1 record
                cleared 1 record
                the service calls it Rid

                """
        )
        #expect(scene.delivered("my-stream") == ["Hello Firehose\n", "past the cache\n"])
        #expect(FileManager.default.fileExists(atPath: scene.directory.path("firehose-client/us-east-1.db")))
    }
}
