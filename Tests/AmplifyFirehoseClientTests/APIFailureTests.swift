import Foundation
import Records
import TestSupport
import Testing

@testable import AmplifyFirehoseClient

@Suite(.timeLimit(.minutes(1))) struct APIFailureTests {
    private let input = PutRecordBatchInput(deliveryStreamName: "logs", records: APIScene.records("secret", "two"))

    @Test(
        arguments: [
            (400, "ResourceNotFoundException", .resourceNotFound, false, false),
            (400, "InvalidArgumentException", .invalidArgument, false, false),
            (400, "InvalidKMSResourceException", .invalidKMSResource, false, false),
            (400, "LimitExceededException", .limitExceeded, true, true),
            (403, "AccessDeniedException", .accessDenied, false, false),
            (400, "ThrottlingException", .throttling, true, true),
            (503, "ServiceUnavailableException", .serviceUnavailable, true, true),
            (500, "InternalFailure", .internalFailure, false, true),
            (418, "TeapotException", FirehoseErrorCode(rawValue: "TeapotException"), false, false),
        ] as [(Int, String, FirehoseErrorCode, Bool, Bool)]
    )
    func `an error of the service`(
        status: Int,
        code: String,
        constant: FirehoseErrorCode,
        isThrottling: Bool,
        isRetryable: Bool
    ) async throws {
        let scene = try APIScene()
        scene.service.enqueue(.fail(status: status, code: code, message: "not the secret"))
        let thrown = await #expect(throws: FirehoseClientError.self) {
            try await scene.client.putRecordBatch(input: input)
        }
        guard case .service(let error) = thrown else {
            Issue.record("expected an error of the service, not \(String(describing: thrown))")
            return
        }
        #expect(error.code == constant)
        #expect(error.httpStatus == status)
        #expect(error.message == "not the secret")
        #expect(error.requestID == "request 1")
        #expect(error.isThrottling == isThrottling)
        #expect(error.isRetryable == isRetryable)
        #expect(thrown?.isRetryable == isRetryable)
        #expect(error.description.contains("\(code) (HTTP \(status))"))
        #expect(error.description.hasSuffix("(request request 1)"))
        #expect(scene.service.requests.count == 1)
    }

    @Test func `what may quote a record is in no description`() async throws {
        let scene = try APIScene()
        scene.service.enqueue(.fail(status: 400, code: "InvalidArgumentException", message: "bad: secret"))
        let error = await #expect(throws: FirehoseClientError.self) {
            try await scene.client.putRecordBatch(input: input)
        }
        var dumped = ""
        dump(error, to: &dumped)
        dump(input, to: &dumped)
        let thrown = try #require(error)
        #expect(!"\(thrown) \(String(reflecting: thrown)) \(dumped) \(input)".contains("secret"))
    }

    @Test(arguments: [
        StandInAnswer.html(status: 200), .body(status: 200, ""), .body(status: 200, "[]"), .body(status: 200, "{}"),
        .shortList, .truncated, .body(status: 200, #"{"RequestResponses":[{},{}] /* no */}"#),
        .body(status: 200, #"{"RequestResponses":[{},{}]} {}"#), .body(status: 200, #"{"RequestResponses":[{},1]}"#),
        .body(status: 200, #"{"RequestResponses":[{},{}],"FailedPutCount":1}"#),
        .body(status: 200, String(repeating: "[", count: 50_000)),
    ])
    func `an answer that is none`(answer: StandInAnswer) async throws {
        let scene = try APIScene()
        scene.service.enqueue(answer)
        let error = await #expect(throws: FirehoseClientError.self) {
            try await scene.client.putRecordBatch(input: input)
        }
        guard case .unreadableAnswer(let text) = error else {
            Issue.record("expected an unreadable answer, not \(String(describing: error))")
            return
        }
        #expect(text.contains("(request request 1)"))
    }

    @Test(arguments: [
        (StandInAnswer.resetAfterReading, FirehoseTransportFailure.broken), (.huge(bytes: 9 << 20), .answerTooLarge),
    ])
    func `no answer at all`(answer: StandInAnswer, failure: FirehoseTransportFailure) async throws {
        let scene = try APIScene()
        scene.service.enqueue(answer)
        let error = await #expect(throws: FirehoseClientError.self) {
            try await scene.client.putRecordBatch(input: input)
        }
        guard case .transport(failure, _) = error else {
            Issue.record("expected \(failure), not \(String(describing: error))")
            return
        }
    }

    @Test func `a service that is not there, one that says nothing, and one with another proxy`() async throws {
        let scene = try APIScene { $0.requestTimeout = .milliseconds(200) }
        scene.service.enqueue(.accept.hanging)
        await expect(.timedOut) { try await scene.client.listDeliveryStreams() }
        scene.service.stop()
        await expect(.unconnected) { try await scene.client.listDeliveryStreams() }
        let lost = try APIScene { $0.proxy = "http://user:hush@proxy.invalid" }
        await expect(.unresolved) { try await lost.client.listDeliveryStreams() }
    }

    private func expect(_ failure: FirehoseTransportFailure, _ call: () async throws -> some Any) async {
        let error = await #expect(throws: FirehoseClientError.self) { try await call() }
        guard case .transport(failure, let text) = error, !text.contains("hush") else {
            Issue.record("expected \(failure), not \(String(describing: error))")
            return
        }
    }

    @Test func `a cancelled call ends at once`() async throws {
        let scene = try APIScene()
        scene.service.enqueue(.accept.hanging)
        let call = Task { try await scene.client.listDeliveryStreams() }
        try await waitUntil("the request hangs") { scene.service.hangingCount == 1 }
        call.cancel()
        await #expect(throws: FirehoseClientError.cancelled) { try await call.value }
    }

    // MARK: Retries

    @Test(arguments: [StandInAnswer.fail(status: 500, code: "InternalFailure"), .html(status: 502), .resetAfterReading])
    func `what may be gone in a moment is tried again, three times in all`(answer: StandInAnswer) async throws {
        let scene = try APIScene { $0.retryMode = .standard }
        scene.service.answerByDefault { _ in answer }
        scene.service.enqueue(answer, answer, .accept)
        #expect(try await scene.client.putRecordBatch(input: input).failedPutCount == 0)
        await #expect(throws: FirehoseClientError.self) { try await scene.client.putRecordBatch(input: input) }
        // libcurl itself sends what a kept connection lost once more.
        #expect(scene.service.requests.count >= 6)
    }

    @Test func `what will not succeed is not tried again`() async throws {
        let scene = try APIScene { $0.retryMode = .standard }
        scene.service.answerByDefault { _ in .fail(status: 400, code: "ResourceNotFoundException") }
        await #expect(throws: FirehoseClientError.self) { try await scene.client.putRecordBatch(input: input) }
        #expect(scene.service.requests.count == 1)
    }

    @Test func `as many attempts as configured`() async throws {
        let scene = try APIScene {
            $0.retryMode = .standard
            $0.maxAttempts = 5
        }
        scene.service.answerByDefault { _ in .html(status: 504) }
        await #expect(throws: FirehoseClientError.self) { try await scene.client.putRecordBatch(input: input) }
        #expect(scene.service.requests.count == 5)
    }

    @Test(arguments: [
        (["AWS_MAX_ATTEMPTS": "2"], nil, 2), (["AWS_MAX_ATTEMPTS": "2"], "max_attempts = 4", 2),
        ([:], "max_attempts = 1", 1), (["AWS_MAX_ATTEMPTS": " "], "retry_mode = adaptive", 3), ([:], nil, 3),
    ])
    func `as many attempts as the environment or the profile says`(
        variables: [String: String],
        profile: String?,
        count: Int
    ) async throws {
        let home = try TemporaryHome(configuration: profile.map { "[default]\n\($0)\n" })
        let service = try FirehoseStandIn()
        service.answerByDefault { _ in .html(status: 504) }
        let client = try FirehoseClient(
            config: APIScene.configuration(for: service.url) { $0.retryMode = .standard },
            environment: home.environment.merging(variables) { $1 }
        )
        await #expect(throws: FirehoseClientError.self) { try await client.putRecordBatch(input: input) }
        #expect(service.requests.count == count)
    }

    @Test(arguments: ["0", "-1", "two", "2.5"])
    func `a number of attempts that makes no sense is told`(value: String) throws {
        let error = #expect(throws: FirehoseClientError.self) {
            try FirehoseClient(
                config: APIScene.configuration(for: "http://127.0.0.1:1") { $0.retryMode = .standard },
                environment: ["AWS_MAX_ATTEMPTS": value, "AWS_CONFIG_FILE": "/nowhere"]
            )
        }
        guard case .validation(let reason) = error else {
            Issue.record("expected validation, not \(String(describing: error))")
            return
        }
        #expect(reason == "AWS_MAX_ATTEMPTS is “\(value)”; expected a whole number, 1 or more")
    }

    @Test func `a cancelled call does not wait for its next attempt`() async throws {
        let scene = try APIScene { $0.retryMode = .standard }
        let slow = StandInAnswer.fail(status: 500, code: "InternalFailure").header("x-amz-retry-after", "60000")
        scene.service.answerByDefault { _ in slow }
        let call = Task { try await scene.client.listDeliveryStreams() }
        try await waitUntil("the first attempt has failed") { scene.service.requests.count == 1 }
        call.cancel()
        await #expect(throws: FirehoseClientError.cancelled) { try await call.value }
        #expect(scene.service.requests.count == 1)
    }

    // MARK: The cached client's failures

    @Test func `a batch's failure is an error of the service only if the service said so`() {
        let refused = DeliveryFailure(
            .configuration,
            reason: "stream s: ResourceNotFoundException (HTTP 400): no",
            answer: .init(code: "ResourceNotFoundException", status: 400, requestID: "r")
        )
        guard case .service(let error) = FirehoseClientError(refused) else {
            Issue.record("expected an error of the service")
            return
        }
        #expect(error.code == .resourceNotFound)
        #expect(error.description == "stream s: ResourceNotFoundException (HTTP 400): no (request r)")
        #expect(FirehoseClientError(DeliveryFailure(.credentials, reason: "none")) == .credentials("none"))
        #expect(FirehoseClientError(DeliveryFailure(.unreachable, reason: "off")) == .transport(.broken, "off"))
        #expect(FirehoseClientError(DeliveryFailure(.configuration, reason: "x")) == .transport(.unusable, "x"))
    }
}
