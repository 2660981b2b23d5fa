import Foundation
import TestSupport
import Testing

@testable import AmplifyFirehoseClient

/// What breaks a limit is told before anything is sent.
@Suite(.timeLimit(.minutes(1))) struct APIValidationTests {
    private let scene: APIScene

    init() throws {
        scene = try APIScene()
    }

    private func refusal(_ call: (FirehoseClient) async throws -> some Any) async throws -> String {
        let error = await #expect(throws: FirehoseClientError.self) { try await call(scene.client) }
        #expect(scene.service.requests.isEmpty)
        guard case .validation(let text) = error else { throw try #require(error) }
        return text
    }

    @Test(
        arguments: [
            (nil, "deliveryStreamName is missing; expected a value"),
            ("", "deliveryStreamName is ''; expected 1 to 64 letters, digits, '_', '.' and '-'"),
            ("a\n\u{1b}b", "deliveryStreamName is 'a??b'; expected 1 to 64 letters, digits, '_', '.' and '-'"),
            (
                String(repeating: "x", count: 200),
                "deliveryStreamName is '\(String(repeating: "x", count: 100))' and so on, 200 characters; "
                    + "expected 1 to 64 letters, digits, '_', '.' and '-'"
            ),
        ] as [(String?, String)]
    )
    func `a name of a stream`(name: String?, expected: String) async throws {
        let record = FirehoseClientTypes.Record(data: Data())
        #expect(
            try await refusal {
                try await $0.putRecord(input: PutRecordInput(deliveryStreamName: name, record: record))
            } == expected
        )
        #expect(
            try await refusal {
                try await $0.putRecordBatch(input: PutRecordBatchInput(deliveryStreamName: name, records: [record]))
            } == expected
        )
        #expect(
            try await refusal {
                try await $0.describeDeliveryStream(input: DescribeDeliveryStreamInput(deliveryStreamName: name))
            } == expected
        )
    }

    @Test(
        arguments: [
            (nil, "records is missing; expected a value"),
            ([], "records has 0 elements; expected 1 to 500"),
            (Array(repeating: 1, count: 501), "records has 501 elements; expected 1 to 500"),
            ([1, nil], "records[1].data is missing; expected a value"),
            ([1, 1_024_001], "records[1].data has 1024001 bytes; expected at most 1024000"),
            (
                [1_024_000, 1_024_000, 1_024_000, 1_024_000, 98_305],
                "records has 4194305 bytes of data in all; expected at most 4194304"
            ),
        ] as [([Int?]?, String)]
    )
    func `the records of a batch`(sizes: [Int?]?, expected: String) async throws {
        let records = sizes?.map { FirehoseClientTypes.Record(data: $0.map { Data(count: $0) }) }
        let input = PutRecordBatchInput(deliveryStreamName: "logs", records: records)
        #expect(try await refusal { try await $0.putRecordBatch(input: input) } == expected)
    }

    @Test func `one record`() async throws {
        let none = PutRecordInput(deliveryStreamName: "logs")
        #expect(try await refusal { try await $0.putRecord(input: none) } == "record is missing; expected a value")
        let large = PutRecordInput(deliveryStreamName: "logs", record: .init(data: Data(count: 1_024_001)))
        #expect(
            try await refusal { try await $0.putRecord(input: large) }
                == "record.data has 1024001 bytes; expected at most 1024000"
        )
    }

    @Test(arguments: [0, -1, 10_001])
    func `a limit`(limit: Int) async throws {
        #expect(
            try await refusal { try await $0.listDeliveryStreams(input: ListDeliveryStreamsInput(limit: limit)) }
                == "limit is \(limit); expected 1 to 10,000"
        )
    }

    @Test(arguments: ["", "a_b", String(repeating: "1", count: 101)])
    func `the id of a destination`(id: String) async throws {
        let input = DescribeDeliveryStreamInput(deliveryStreamName: "logs", exclusiveStartDestinationId: id)
        #expect(
            try await refusal { try await $0.describeDeliveryStream(input: input) }
                .hasSuffix("; expected 1 to 100 letters, digits and hyphens")
        )
    }

    // MARK: Configurations

    private func configurationError(
        _ environment: [String: String] = [:],
        _ change: (inout FirehoseClientConfiguration) -> Void
    ) -> String {
        var configuration = FirehoseClientConfiguration(region: "eu-west-1", credentialsProvider: APIScene.keys)
        change(&configuration)
        do {
            _ = try FirehoseClient(config: configuration, environment: environment)
            return "none"
        } catch {
            if case .validation(let text) = error { return text }
            return "\(error)"
        }
    }

    @Test func `a configuration that cannot work`() {
        #expect(
            configurationError { $0.endpoint = "file:///tmp/x" }
                == "the endpoint is 'file:///tmp/x'; expected a host or an http or https URL"
        )
        #expect(configurationError(["AWS_ENDPOINT_URL": "file:///tmp/x"]) { _ in }.hasPrefix("AWS_ENDPOINT_URL is"))
        #expect(
            configurationError { $0.endpoint = "https://host/path" }
                .hasPrefix("the endpoint is 'https://host/path'; expected a host such as")
        )
        #expect(
            configurationError { $0.region = "Ireland" } == "region is 'Ireland'; expected a region such as eu-west-1"
        )
        #expect(configurationError(["HOME": "/nowhere"]) { $0.region = "" }.hasPrefix("no AWS region: "))
        #expect(configurationError { $0.caFile = "/nowhere/ca.pem" }.contains("“/nowhere/ca.pem” cannot be read"))
        #expect(configurationError(["AWS_CA_BUNDLE": "/nowhere/ca.pem"]) { _ in }.contains("“/nowhere/ca.pem”"))
        let proxy = configurationError { $0.proxy = "gopher://user:hush@proxy" }
        #expect(proxy.hasPrefix("the proxy is (not shown") && !proxy.contains("hush"))
        #expect(configurationError(["AWS_USE_FIPS_ENDPOINT": "true"]) { $0.endpoint = "localhost" }.contains("FIPS"))
    }

    @Test func `where a configuration and the environment lead`() throws {
        func host(_ environment: [String: String], region: String = "eu-west-1", endpoint: String? = nil) throws
            -> String
        {
            var configuration = FirehoseClientConfiguration(region: region, credentialsProvider: APIScene.keys)
            configuration.endpoint = endpoint
            return try configuration.makeService(environment: environment).endpoint.url
        }
        #expect(try host([:]) == "https://firehose.eu-west-1.amazonaws.com")
        #expect(try host(["AWS_REGION": "eu-west-2"], region: "") == "https://firehose.eu-west-2.amazonaws.com")
        #expect(try host(["AWS_ENDPOINT_URL": "http://localhost:1"]) == "http://localhost:1")
        let both = ["AWS_ENDPOINT_URL": "http://localhost:1", "AWS_ENDPOINT_URL_FIREHOSE": "http://localhost:2"]
        #expect(try host(both) == "http://localhost:2")
        #expect(try host(both, endpoint: "http://localhost:3/") == "http://localhost:3")
        #expect(try host(["AWS_USE_FIPS_ENDPOINT": "true"]) == "https://firehose-fips.eu-west-1.amazonaws.com")
    }

    @Test func `no text shows what is secret in a configuration`() {
        var configuration = FirehoseClient.FirehoseClientConfiguration(
            region: "eu-west-1",
            credentialsProvider: APIScene.keys
        )
        configuration.proxy = "http://user:hush@proxy"
        var dumped = ""
        dump(configuration, to: &dumped)
        #expect(!"\(configuration) \(String(reflecting: configuration)) \(dumped)".contains("hush"))
    }
}
