import AmplifyFirehoseClient
import Foundation

/// Records a greeting, sends it, and looks at the stream: each thing that the client can do, once.
///
/// It runs against any endpoint: set `AWS_ENDPOINT_URL_FIREHOSE` to a local one to try it without an account.
@main
struct Example {
    static func main() async throws {
        let stream = CommandLine.arguments.dropFirst().first ?? "my-delivery-stream"
        let firehose = try makeManualClient(DefaultCredentialsProvider())
        do {
            try await greet(stream, over: firehose)
            let result = try await firehose.flush()
            print("flushed \(result.recordsFlushed) records, in progress: \(result.flushInProgress)")

            // Disabled, the client drops what is recorded; what is cached can still be flushed.
            await firehose.disable()
            try await firehose.record(data: Data("nobody hears this\n".utf8), streamName: stream)
            await firehose.enable()

            try await firehose.record(data: Data("forget me\n".utf8), streamName: stream)
            print("cached: \(try await firehose.cacheSize.records) record")
            let cleared = try await firehose.clearCache()
            print("cleared \(cleared.recordsCleared) record")

            // The plain client, for what the cache does not do.
            let client = firehose.getFirehoseClient()
            let output = try await client.putRecord(
                input: PutRecordInput(
                    deliveryStreamName: stream,
                    record: FirehoseClientTypes.Record(data: Data("past the cache\n".utf8))
                )
            )
            print("the service calls it \(output.recordId ?? "nothing")")
        } catch let error as FirehoseError {
            print(explain(error))
        }
        await firehose.close()
    }
}
