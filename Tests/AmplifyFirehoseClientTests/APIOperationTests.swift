import AmplifyFirehoseClient
import Foundation
import Records
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct APIOperationTests {
    private let scene: APIScene

    init() throws {
        scene = try APIScene()
    }

    private func body(_ index: Int = 0) throws -> [String: Any] {
        let bytes = try #require(scene.service.requests.dropFirst(index).first).body
        return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }

    private func kept(_ stream: String) -> [String] {
        scene.service.records(of: stream).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `one record`() async throws {
        let input = PutRecordInput(deliveryStreamName: "logs", record: .init(data: Data("a/b?c>\n\0".utf8)))
        #expect(try await scene.client.putRecord(input: input) == PutRecordOutput(encrypted: false, recordId: "Rid"))
        #expect(kept("logs") == ["a/b?c>\n\0"])
        let request = try #require(scene.service.requests.first)
        #expect(request.operation == "PutRecord")
        #expect(request.headers["x-amz-security-token"] == "hist")
        #expect(request.headers["user-agent"]?.hasPrefix("firetail-swift/") == true)
    }

    @Test func `an empty record is one, too`() async throws {
        let input = PutRecordInput(deliveryStreamName: "logs", record: .init(data: Data()))
        _ = try await scene.client.putRecord(input: input)
        #expect(kept("logs") == [""])
    }

    @Test func `many records, of which some are refused`() async throws {
        scene.service.enqueue(.refuse([1: "InternalFailure"]))
        let output = try await scene.client.putRecordBatch(
            input: PutRecordBatchInput(deliveryStreamName: "logs", records: APIScene.records("one", "two", "three"))
        )
        #expect(output.failedPutCount == 1)
        #expect(output.encrypted == false)
        let entries = try #require(output.requestResponses)
        #expect(entries.map(\.errorCode) == [nil, "InternalFailure", nil])
        #expect(entries.map(\.errorMessage) == [nil, "Refused.", nil])
        #expect(entries.map { $0.recordId == nil } == [false, true, false])
        #expect(kept("logs") == ["one", "three"])
    }

    @Test func `a slice of data is sent as what it shows`() async throws {
        let data = Data("0123456789".utf8)[3..<6]
        let input = PutRecordBatchInput(deliveryStreamName: "logs", records: [.init(data: data)])
        _ = try await scene.client.putRecordBatch(input: input)
        #expect(kept("logs") == ["345"])
    }

    @Test func `a full batch`() async throws {
        let records =
            (0..<4).map { FirehoseClientTypes.Record(data: Data(repeating: $0, count: 1_024_000)) }
            + [FirehoseClientTypes.Record(data: Data(repeating: 9, count: 4_194_304 - 4_096_000))]
        let input = PutRecordBatchInput(deliveryStreamName: "logs", records: records)
        #expect(try await scene.client.putRecordBatch(input: input).failedPutCount == 0)
        #expect(scene.service.records(of: "logs").map(\.count) == records.map { $0.data?.count })
    }

    @Test func `the names of the streams`() async throws {
        scene.service.enqueue(
            .body(status: 200, #"{"DeliveryStreamNames":["a","b"],"HasMoreDeliveryStreams":true}"#)
        )
        let output = try await scene.client.listDeliveryStreams(
            input: ListDeliveryStreamsInput(
                deliveryStreamType: .directPut,
                exclusiveStartDeliveryStreamName: "A",
                limit: 2
            )
        )
        #expect(output == ListDeliveryStreamsOutput(deliveryStreamNames: ["a", "b"], hasMoreDeliveryStreams: true))
        let body = try body()
        #expect(body["DeliveryStreamType"] as? String == "DirectPut")
        #expect(body["ExclusiveStartDeliveryStreamName"] as? String == "A")
        #expect(body["Limit"] as? Int == 2)
        #expect(body.count == 3)
        _ = try await scene.client.listDeliveryStreams()
        #expect(try self.body(1).isEmpty)
    }

    @Test func `a type of streams that holds quotes stays a text`() async throws {
        let type = FirehoseClientTypes.DeliveryStreamType(rawValue: "\"\\\n\u{1}é")
        _ = try await scene.client.listDeliveryStreams(input: ListDeliveryStreamsInput(deliveryStreamType: type))
        #expect(try body()["DeliveryStreamType"] as? String == type.rawValue)
    }

    @Test func `a stream with all that is told of it`() async throws {
        scene.service.enqueue(.body(status: 200, Self.description))
        let output = try await scene.client.describeDeliveryStream(
            input: DescribeDeliveryStreamInput(
                deliveryStreamName: "logs",
                exclusiveStartDestinationId: "destinationId-0",
                limit: 1
            )
        )
        #expect(try body()["ExclusiveStartDestinationId"] as? String == "destinationId-0")
        let stream = try #require(output.deliveryStreamDescription)
        #expect(stream.deliveryStreamName == "logs")
        #expect(stream.deliveryStreamARN == "arn:aws:firehose:eu-west-1:1:deliverystream/logs")
        #expect(stream.deliveryStreamStatus == .active)
        #expect(stream.deliveryStreamType == FirehoseClientTypes.DeliveryStreamType(rawValue: "CarrierPigeon"))
        #expect(stream.versionId == "3")
        #expect(stream.createTimestamp == Date(timeIntervalSince1970: 1_700_000_000.25))
        #expect(stream.lastUpdateTimestamp == Date(timeIntervalSince1970: 1_700_000_001))
        #expect(stream.failureDescription?.type == .unknownError)
        #expect(stream.failureDescription?.details == "no idea")
        #expect(stream.deliveryStreamEncryptionConfiguration?.status == .enabled)
        #expect(stream.deliveryStreamEncryptionConfiguration?.keyType == .customerManagedCmk)
        #expect(stream.deliveryStreamEncryptionConfiguration?.keyARN == "arn:key")
        #expect(stream.source == .init(kind: .kinesisStream, sourceARN: "arn:stream"))
        #expect(stream.hasMoreDestinations == false)
        let destinations = try #require(stream.destinations)
        #expect(destinations.map(\.kind) == [.extendedS3, .s3, .splunk, .unknown])
        #expect(destinations.map(\.destinationId) == ["d1", "d2", "d3", nil])
        let bucket = try #require(destinations[0].extendedS3DestinationDescription)
        #expect(bucket.bucketARN == "arn:aws:s3:::b")
        #expect(bucket.prefix == "p/")
        #expect(bucket.errorOutputPrefix == "e/")
        #expect(bucket.compressionFormat == .gzip)
        #expect(bucket.bufferingHints == .init(intervalInSeconds: 60, sizeInMBs: 5))
        #expect(destinations[0].s3DestinationDescription?.bucketARN == "arn:aws:s3:::b")
    }

    private static let description = """
        {"DeliveryStreamDescription": {
          "DeliveryStreamName": "logs", "DeliveryStreamARN": "arn:aws:firehose:eu-west-1:1:deliverystream/logs",
          "DeliveryStreamStatus": "ACTIVE", "DeliveryStreamType": "CarrierPigeon", "VersionId": "3",
          "CreateTimestamp": 1700000000.25, "LastUpdateTimestamp": 1.700000001E9, "HasMoreDestinations": false,
          "FailureDescription": {"Type": "UNKNOWN_ERROR", "Details": "no idea", "New": [1, {"a": null}]},
          "DeliveryStreamEncryptionConfiguration":
            {"Status": "ENABLED", "KeyType": "CUSTOMER_MANAGED_CMK", "KeyARN": "arn:key"},
          "Source": {"KinesisStreamSourceDescription": {"KinesisStreamARN": "arn:stream", "RoleARN": "arn:role"}},
          "Destinations": [
            {"DestinationId": "d1",
             "S3DestinationDescription": {"BucketARN": "arn:aws:s3:::b"},
             "ExtendedS3DestinationDescription": {"BucketARN": "arn:aws:s3:::b", "Prefix": "p/",
               "ErrorOutputPrefix": "e/", "CompressionFormat": "GZIP",
               "BufferingHints": {"SizeInMBs": 5, "IntervalInSeconds": 60}}},
            {"DestinationId": "d2", "S3DestinationDescription": {}},
            {"DestinationId": "d3", "SplunkDestinationDescription": {"S3DestinationDescription": {}}},
            {"DestinationId": 4, "MoonDestinationDescription": {}}]}}
        """

    @Test func `calls one after another share a connection, and the destination of the cached client does`()
        async throws
    {
        _ = try await scene.client.listDeliveryStreams()
        let stream = try #require(StreamName("logs"))
        let batch = RecordBatch(bytes: [1], lengths: [1])
        #expect(await scene.client.destination.deliver(batch, to: stream) == .accepted)
        #expect(scene.service.requests.map(\.connection) == [1, 1])
        scene.client.close()
        await #expect(throws: FirehoseClientError.closed) { try await scene.client.listDeliveryStreams() }
        guard case .failed = await scene.client.destination.deliver(batch, to: stream) else {
            Issue.record("expected a failure")
            return
        }
    }
}
