import AWS
import Firehose
import HTTP
import Records
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct FirehoseServiceTests {
    private let standIn: FirehoseStandIn
    private let service: FirehoseService
    private let stream: StreamName

    init() throws {
        standIn = try FirehoseStandIn()
        service = try Self.service(at: standIn)
        stream = try #require(StreamName("logs"))
    }

    private static func service(at standIn: FirehoseStandIn) throws -> FirehoseService {
        try FirehoseService(
            endpoint: Endpoint(scheme: .http, host: standIn.host, region: "eu-west-1"),
            credentials: CountingCredentials(),
            options: HTTPOptions(proxy: .direct),
            userAgent: "firetail/test"
        )
    }

    @Sendable private static func text(_ body: Span<UInt8>) -> String? {
        String(decoding: body.indices.map { body[$0] }, as: UTF8.self)
    }

    @discardableResult
    private static func list(_ service: FirehoseService) async throws -> String {
        try await service.call(.json(.listDeliveryStreams, body: Array("{}".utf8)), reading: text)
    }

    @Test(arguments: FirehoseOperation.allCases)
    func `an operation is named and its body sent as it is`(operation: FirehoseOperation) async throws {
        standIn.enqueue(.body(status: 200, "answer"))
        let body = Array(#"{"DeliveryStreamName":"logs"}"#.utf8)
        #expect(try await service.call(.json(operation, body: body), reading: Self.text) == "answer")
        let request = try #require(standIn.requests.first)
        #expect(request.headers["x-amz-target"] == "Firehose_20150804." + operation.rawValue)
        #expect(request.operation == operation.rawValue)
        #expect(request.body == body)
    }

    @Test func `an error names the request and the service's wish`() async throws {
        standIn.enqueue(
            .fail(status: 503, code: "ServiceUnavailableException", message: "Slow down.")
                .header("x-amzn-RequestId", "r\u{7}1").header("Retry-After", "2")
        )
        let error = await #expect(throws: CallError.self) { try await Self.list(service) }
        guard case .service(let error) = error else {
            Issue.record("expected an error of the service")
            return
        }
        #expect(error.status == 503)
        #expect(error.code?.text == "ServiceUnavailableException")
        #expect(error.requestID == "r?1")
        #expect(error.retryAfter == .seconds(2))
    }

    @Test func `an answer that says nothing names its request`() async throws {
        standIn.enqueue(.html(status: 200))
        let request = FirehoseRequest.json(.listDeliveryStreams, body: Array("{}".utf8))
        await #expect(throws: CallError.unreadable(requestID: "request 1")) {
            try await service.call(request, reading: { _ in String?.none })
        }
    }

    @Test func `what the service said about a batch is passed on beside the reason`() async throws {
        standIn.enqueue(.fail(status: 400, code: "ResourceNotFoundException"), .html(status: 502))
        let destination = FirehoseDestination(service)
        let batch = RecordBatch(bytes: [1], lengths: [1])
        guard case .failed(let refused) = await destination.deliver(batch, to: stream),
            case .failed(let unanswered) = await destination.deliver(batch, to: stream)
        else {
            Issue.record("expected failures")
            return
        }
        #expect(refused.answer == .init(code: "ResourceNotFoundException", status: 400, requestID: "request 1"))
        #expect(unanswered.answer == nil)
    }

    @Test func `a closed service refuses calls, and lets those at work end`() async throws {
        standIn.enqueue(.accept.hanging)
        async let working = Self.list(service)
        try await waitUntil("the request hangs") { standIn.hangingCount == 1 }
        service.close()
        service.close()
        await #expect(throws: CallError.closed) { try await Self.list(service) }
        standIn.release()
        #expect(try await working.contains("DeliveryStreamNames"))
        await #expect(throws: CallError.closed) { try await Self.list(service) }
        #expect(standIn.requests.count == 1)
    }

    @Test func `a cancelled call ends at once, and the next one works`() async throws {
        standIn.enqueue(.accept.hanging)
        let call = Task { try await Self.list(service) }
        try await waitUntil("the request hangs") { standIn.hangingCount == 1 }
        call.cancel()
        await #expect(throws: CallError.cancelled) { try await call.value }
        try await Self.list(service)
    }

    @Test(arguments: [true, false])
    func `services that are closed or dropped leave neither descriptors nor threads`(closes: Bool) async throws {
        let count = 40
        let descriptors = ProcessResources.descriptorCount
        let threads = ProcessResources.threadCount
        for _ in 0..<count { standIn.enqueue(.accept.hanging) }
        var services = try (0..<count).map { _ in try Self.service(at: standIn) }
        try await withThrowingTaskGroup { [services] group in
            for service in services { group.addTask { try await Self.list(service) } }
            try await waitUntil("all are at work") { standIn.hangingCount == count }
            #expect(ProcessResources.threadCount >= threads + count)
            standIn.release()
            try await group.waitForAll()
        }
        #expect(ProcessResources.descriptorCount >= descriptors + count)
        if closes { for service in services { service.close() } }
        let closed = closes ? services : []
        services = []
        // Other tests come and go meanwhile; half of what one descriptor for each would be is far beyond that.
        try await waitUntil("descriptors and threads are given back") {
            ProcessResources.descriptorCount < descriptors + count / 2
                && ProcessResources.threadCount < threads + count / 2
        }
        _ = closed
    }
}
