import AWS
import CredentialSources
import Firehose
import Foundation
import HTTP
import Records
import TestSupport
import Testing

/// Whatever goes wrong, nothing counts as accepted that the service did not accept.
@Suite struct FirehoseFailureTests {
    private let service: FirehoseStandIn
    private let credentials = CountingCredentials()
    private let destination: FirehoseDestination
    private let stream: StreamName
    private let batch = RecordBatch(bytes: Array("secret\ntwo\n".utf8), lengths: [7, 4])

    init() throws {
        service = try FirehoseStandIn()
        destination = try FirehoseDestinationTests.destination(at: service.url, credentials)
        stream = try #require(StreamName("logs"))
    }

    private func failure(_ destination: FirehoseDestination? = nil) async throws -> DeliveryFailure {
        let delivery = await (destination ?? self.destination).deliver(batch, to: stream)
        guard case .failed(let failure) = delivery else {
            throw Unexpected(delivery: delivery)
        }
        #expect(failure.reason.hasPrefix("delivery stream logs at 127.0.0.1:"))
        return failure
    }

    private struct Unexpected: Error {
        let delivery: Delivery
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var answer: StandInAnswer
        var kind: DeliveryFailure.Kind
        var keptCount = 0
    }

    @Test(arguments: [
        Case(
            testDescription: "a server fault",
            answer: .fail(status: 500, code: "InternalFailure"),
            kind: .unreachable
        ),
        Case(
            testDescription: "throttled as a whole",
            answer: .fail(status: 503, code: "ServiceUnavailableException", message: "Slow down."),
            kind: .throttled
        ),
        Case(
            testDescription: "no such stream",
            answer: .fail(status: 400, code: "ResourceNotFoundException"),
            kind: .configuration
        ),
        Case(testDescription: "a bad gateway's page", answer: .html(status: 502), kind: .unreachable),
        Case(testDescription: "a page with status 200", answer: .html(status: 200), kind: .unreachable),
        Case(testDescription: "an empty answer", answer: .body(status: 200, ""), kind: .unreachable),
        Case(testDescription: "a short list", answer: .shortList, kind: .unreachable, keptCount: 2),
        Case(testDescription: "truncated JSON", answer: .truncated, kind: .unreachable, keptCount: 2),
        Case(testDescription: "a huge answer", answer: .huge(bytes: 9 << 20), kind: .unreachable),
        Case(testDescription: "reset before reading", answer: .resetBeforeReading, kind: .unreachable),
        Case(testDescription: "reset after reading", answer: .resetAfterReading, kind: .unreachable),
        Case(testDescription: "a lost acknowledgement", answer: .resetAfterAccepting, kind: .unreachable, keptCount: 2),
        Case(testDescription: "too large", answer: .html(status: 413), kind: .tooLarge),
        Case(
            testDescription: "a record that is not taken",
            answer: .fail(status: 400, code: "InvalidArgumentException", message: "bad: secret"),
            kind: .invalid
        ),
    ])
    func `is told from the others, and the next batch goes through`(example: Case) async throws {
        service.enqueue(example.answer)
        let failure = try await failure()
        #expect(failure.kind == example.kind)
        #expect(!failure.reason.contains("secret"))
        #expect(service.records(of: "logs").count == example.keptCount)
        #expect(await destination.deliver(batch, to: stream) == .accepted)
    }

    @Test func `a service that is not there`() async throws {
        service.stop()
        #expect(try await failure().kind == .unreachable)
    }

    @Test func `a service that says nothing`() async throws {
        let impatient = try FirehoseDestinationTests.destination(
            at: service.url,
            credentials,
            stallTimeout: .seconds(1)
        )
        service.enqueue(.accept.hanging)
        let failure = try await failure(impatient)
        #expect(failure.kind == .unreachable)
        #expect(failure.reason.contains("timed out"))
    }

    @Test func `a cancelled task ends its request at once`() async throws {
        service.enqueue(.accept.hanging)
        let delivery = Task { await destination.deliver(batch, to: stream) }
        try await waitUntil("the request hangs") { service.hangingCount == 1 }
        delivery.cancel()
        guard case .failed(let failure) = await delivery.value else {
            Issue.record("expected a failure")
            return
        }
        #expect(failure.kind == .unreachable)
        #expect(service.hangingCount == 1)
        #expect(await destination.deliver(batch, to: stream) == .accepted)
    }

    @Test func `expired credentials are fetched anew, once and at once`() async throws {
        service.enqueue(.fail(status: 403, code: "ExpiredTokenException"))
        #expect(await destination.deliver(batch, to: stream) == .accepted)
        #expect(service.requests.map { $0.headers["x-amz-security-token"] } == ["token 0", "token 1"])
        service.enqueue(
            .fail(status: 403, code: "InvalidClientTokenId"),
            .fail(status: 403, code: "InvalidClientTokenId")
        )
        #expect(try await failure().kind == .credentials)
        #expect(credentials.invalidationCount == 2)
    }

    /// About a signature that does not match the service quotes the headers that it has seen.
    @Test func `a session token that the service repeats is not in the reason`() async throws {
        service.answerByDefault { request in
            let token = request.headers["x-amz-security-token"] ?? ""
            let message = "should have been 'x-amz-security-token:\(token)\n'"
            return .fail(status: 403, code: "InvalidSignatureException", message: message)
        }
        let reason = try await failure().reason
        #expect(reason.hasSuffix("should have been 'x-amz-security-token:(secret)?'"), "\(reason)")
    }

    @Test func `without credentials nothing is sent, and the reason says where they were looked for`() async throws {
        let none = CredentialsChain([])
        let failure = try await failure(FirehoseDestinationTests.destination(at: service.url, none))
        #expect(failure.kind == .credentials)
        #expect(failure.reason.contains("credentials"))
        #expect(service.requests.isEmpty)
    }

    @Test(arguments: [("RequestExpired", 3600), ("SignatureDoesNotMatch", -600), ("InvalidSignatureException", 600)])
    func `a wrong clock is corrected from the answer, for good`(code: String, seconds: Int) async throws {
        service.enqueue(.fail(status: 403, code: code).clockAhead(bySeconds: seconds))
        #expect(await destination.deliver(batch, to: stream) == .accepted)
        #expect(await destination.deliver(batch, to: stream) == .accepted)
        #expect(credentials.invalidationCount == 0)
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: "GMT")
        format.dateFormat = "yyyyMMdd'T'HHmmss'Z'"
        let times = service.requests.compactMap { $0.headers["x-amz-date"] }.compactMap { format.date(from: $0) }
        try #require(times.count == 3)
        // The clocks of the test may tick in between.
        #expect(abs(times[1].timeIntervalSince(times[0]) - Double(seconds)) < 30)
        #expect(abs(times[2].timeIntervalSince(times[0]) - Double(seconds)) < 30)
    }

    @Test func `the clock of an answer out of a cache is not believed`() async throws {
        let stale = StandInAnswer.fail(status: 400, code: "RequestExpired").clockAhead(bySeconds: -9000).header(
            "Age",
            "9000"
        )
        service.enqueue(stale)
        #expect(try await failure().kind == .credentials)
        #expect(service.requests.count == 1)
    }

    @Test func `how long the service asks to be left alone is passed on`() async throws {
        let busy = StandInAnswer.fail(status: 503, code: "ServiceUnavailableException")
        service.enqueue(busy.header("Retry-After", "7"), busy.header("x-amz-retry-after", "1500"), busy)
        #expect(try await failure().retryAfter == .seconds(7))
        #expect(try await failure().retryAfter == .milliseconds(1500))
        #expect(try await failure().retryAfter == nil)
    }
}
