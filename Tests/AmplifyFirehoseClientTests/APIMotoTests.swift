import AmplifyFirehoseClient
import Foundation
import TestSupport
import Testing

/// The client against a Firehose that others have written, which checks our signatures.
@Suite(.enabled(if: Moto.isInstalled, "python3 with moto[server] and boto3 is not installed"), .timeLimit(.minutes(3)))
struct APIMotoTests {
    private func client(_ moto: Moto, secret: String? = nil) throws -> FirehoseClient {
        let configuration = APIScene.configuration(for: moto.url) {
            $0.region = "us-east-1"
            $0.credentialsProvider = StaticCredentialsProvider(
                accessKeyId: moto.accessKeyID,
                secretAccessKey: secret ?? moto.secretAccessKey
            )
        }
        return try FirehoseClient(config: configuration)
    }

    @Test func `every operation is understood and answered`() async throws {
        let moto = try await Moto()
        let client = try client(moto)
        let list = try await client.listDeliveryStreams()
        #expect(list.deliveryStreamNames == ["stream"])
        #expect(list.hasMoreDeliveryStreams == false)

        let description = try await client.describeDeliveryStream(
            input: DescribeDeliveryStreamInput(deliveryStreamName: "stream")
        )
        let stream = try #require(description.deliveryStreamDescription)
        #expect(stream.deliveryStreamStatus == .active)
        #expect(stream.deliveryStreamType == .directPut)
        #expect(stream.deliveryStreamARN?.hasSuffix(":deliverystream/stream") == true)
        let created = try #require(stream.createTimestamp)
        #expect(abs(created.timeIntervalSinceNow) < 3600)
        let destination = try #require(stream.destinations?.first)
        #expect(destination.kind == .extendedS3)
        #expect(destination.extendedS3DestinationDescription?.bucketARN == "arn:aws:s3:::bucket")

        let one = FirehoseClientTypes.Record(data: Data("one\n".utf8))
        let output = try await client.putRecord(input: PutRecordInput(deliveryStreamName: "stream", record: one))
        #expect(output.recordId?.isEmpty == false)
        let batch = try await client.putRecordBatch(
            input: PutRecordBatchInput(deliveryStreamName: "stream", records: APIScene.records("two ä\n", "three\n"))
        )
        #expect(batch.failedPutCount == 0)
        #expect(batch.requestResponses?.count == 2)
        #expect(try await moto.delivered().split(separator: "\n").sorted() == ["one", "three", "two ä"])
    }

    @Test func `a stream that is not there, and a wrong secret, are told`() async throws {
        let moto = try await Moto()
        let input = DescribeDeliveryStreamInput(deliveryStreamName: "other")
        #expect(await code(of: try client(moto), input) == .resourceNotFound)
        let wrong = try client(moto, secret: "wrong" + moto.secretAccessKey)
        #expect(await code(of: wrong, input) == FirehoseErrorCode(rawValue: "SignatureDoesNotMatch"))
    }

    private func code(of client: FirehoseClient, _ input: DescribeDeliveryStreamInput) async -> FirehoseErrorCode? {
        do {
            _ = try await client.describeDeliveryStream(input: input)
        } catch {
            if case .service(let error) = error { return error.code }
        }
        return nil
    }
}
