import AmplifyFirehoseClient

/// Records a text, as code for the client on Apple platforms does, which imports nothing else for it.
func greet(_ stream: String, over firehose: AmplifyFirehoseClient) async throws {
    // swift-format-ignore: NeverForceUnwrap
    // UTF-8 takes every text.
    try await firehose.record(
        data: "Hello Firehose\n".data(using: .utf8)!,
        streamName: stream
    )
}
