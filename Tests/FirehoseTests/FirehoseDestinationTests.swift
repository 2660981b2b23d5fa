import AWS
import Firehose
import HTTP
import Records
import Synchronization
import TestSupport
import Testing

@Suite struct FirehoseDestinationTests {
    let service: FirehoseStandIn
    let credentials = CountingCredentials()
    let destination: FirehoseDestination
    let stream: StreamName
    let batch = RecordBatch(bytes: Array("one\ntwo\nthree\n".utf8), lengths: [4, 4, 6])
    private let records = ["one\n", "two\n", "three\n"]

    init() throws {
        service = try FirehoseStandIn()
        destination = try Self.destination(at: service.url, credentials)
        stream = try #require(StreamName("logs"))
    }

    static func destination(
        at url: String,
        _ credentials: any CredentialsProvider,
        stallTimeout: Duration = .seconds(30)
    ) throws -> FirehoseDestination {
        try FirehoseDestination(
            endpoint: Endpoint(scheme: .http, host: String(url.dropFirst("http://".count)), region: "eu-west-1"),
            credentials: credentials,
            options: HTTPOptions(stallTimeout: stallTimeout, proxy: .direct),
            userAgent: "firetail/test"
        )
    }

    private func deliver() async -> Delivery { await destination.deliver(batch, to: stream) }

    private var kept: [String] { service.records(of: "logs").map { String(decoding: $0, as: UTF8.self) } }

    @Test func `an accepted batch is at the service, byte for byte and in order`() async {
        #expect(await deliver() == .accepted)
        #expect(kept == records)
    }

    @Test func `a request is what the service expects`() async throws {
        _ = await deliver()
        let request = try #require(service.requests.first)
        #expect(request.line == "POST / HTTP/1.1")
        #expect(request.headers["x-amz-target"] == "Firehose_20150804.PutRecordBatch")
        #expect(request.headers["content-type"] == "application/x-amz-json-1.1")
        #expect(request.headers["host"].map { "http://" + $0 } == service.url)
        #expect(request.headers["user-agent"] == "firetail/test")
        #expect(request.headers["x-amz-security-token"] == "token 0")
        #expect(request.headers["expect"] == nil)
        let authorization = try #require(request.headers["authorization"])
        #expect(authorization.hasPrefix("AWS4-HMAC-SHA256 Credential=AKID/"))
        #expect(authorization.contains("/eu-west-1/firehose/aws4_request, SignedHeaders=content-type;host;x-amz-date;"))
    }

    @Test func `requests one after another share a connection`() async {
        for _ in 1...3 { #expect(await deliver() == .accepted) }
        #expect(service.requests.map(\.connection) == [1, 1, 1])
    }

    @Test func `a connection that the service closed is replaced`() async {
        service.enqueue(.accept.closingAfterwards, .accept.closingUnannounced, .accept)
        for _ in 1...3 { #expect(await deliver() == .accepted) }
        #expect(kept == records + records + records)
        #expect(service.requests.map(\.connection) == [1, 2, 3])
    }

    @Test func `requests at the same time run over connections of their own`() async throws {
        service.enqueue(.accept.hanging, .accept.hanging)
        async let first = deliver()
        async let second = deliver()
        try await waitUntil("both are at the service") { service.hangingCount == 2 }
        service.release()
        #expect(await [first, second] == [.accepted, .accepted])
    }

    @Test func `an answer in chunks is read`() async {
        service.enqueue(.accept.chunked)
        #expect(await deliver() == .accepted)
    }

    @Test func `refused records are told one by one`() async {
        service.enqueue(.refuse([1: "InternalFailure"]))
        #expect(await deliver() == .partlyAccepted([nil, Refusal(code: "InternalFailure", isThrottle: false), nil]))
        #expect(kept == ["one\n", "three\n"])
    }

    @Test func `a stream at its limit refuses everything with 200`() async {
        service.enqueue(.throttleAll)
        let slowDown = Refusal(code: "ServiceUnavailableException", isThrottle: true)
        #expect(await deliver() == .partlyAccepted([slowDown, slowDown, slowDown]))
        #expect(kept.isEmpty)
    }

    @Test func `an empty batch needs no request`() async {
        #expect(await destination.deliver(RecordBatch(), to: stream) == .accepted)
        #expect(service.requests.isEmpty)
    }

    @Test func `a full batch of large records goes through`() async {
        var full = RecordBatch()
        for index in 0..<4 { full.append([UInt8](repeating: UInt8(index), count: 1_024_000).span) }
        #expect(await destination.deliver(full, to: stream) == .accepted)
        #expect(service.records(of: "logs").flatMap { $0 } == full.bytes)
    }
}

/// Credentials whose session token says how often they were thrown away.
final class CountingCredentials: CredentialsProvider {
    private let count = Mutex(0)

    var invalidationCount: Int { count.withLock { $0 } }

    func credentials() async throws(CredentialsError) -> Credentials {
        Credentials(
            accessKeyID: "AKID",
            secretAccessKey: "secret",
            sessionToken: "token \(invalidationCount)",
            source: "test"
        )
    }

    func invalidate() async { count.withLock { $0 += 1 } }
}
