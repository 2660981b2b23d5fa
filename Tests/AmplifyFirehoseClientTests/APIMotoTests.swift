import AWS
import CredentialSources
import Foundation
import TestSupport
import Testing

@testable import AmplifyFirehoseClient

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

    @Test func `a role is assumed, and its session's credentials sign`() async throws {
        let moto = try await Moto()
        func client(secret: String? = nil, token: String? = nil) async throws -> FirehoseClient {
            let keys = StaticCredentialsProvider(
                accessKeyId: moto.accessKeyID,
                secretAccessKey: secret ?? moto.secretAccessKey
            )
            let context = CredentialsContext(environment: [:], region: "us-east-1", stsEndpoint: moto.url)
            let role = Role(arn: moto.roleARN, sessionName: "session")
            let provider = AssumeRoleCredentialsProvider(role, keys, context)
            let configuration = APIScene.configuration(for: moto.url) {
                $0.region = "us-east-1"
                $0.credentialsProvider = provider
            }
            guard let token else { return try FirehoseClient(config: configuration) }
            let found = try await provider.resolve()
            var other = configuration
            other.credentialsProvider = StaticCredentialsProvider(
                accessKeyId: found.accessKeyId,
                secretAccessKey: found.secretAccessKey,
                sessionToken: token
            )
            return try FirehoseClient(config: other)
        }
        #expect(try await client().listDeliveryStreams().deliveryStreamNames == ["stream"])

        let error = await #expect(throws: FirehoseClientError.self) {
            try await client(secret: "wrong").listDeliveryStreams()
        }
        #expect(error?.description.contains("STS answered SignatureDoesNotMatch (HTTP 403)") == true)
        let input = DescribeDeliveryStreamInput(deliveryStreamName: "stream")
        #expect(
            await code(of: try client(token: "another"), input) == FirehoseErrorCode(rawValue: "InvalidClientTokenId")
        )
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
