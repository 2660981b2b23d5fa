import Foundation
import Synchronization
import TestSupport
import Testing

/// One way in which the service fails, for as long as a test wants it to, and what must come of it.
struct ErrorClass: CustomTestStringConvertible, Sendable {
    /// What the lines meet while the service fails.
    enum Fate: Sendable, Equatable {
        /// They wait in the cache.
        case held
        /// They arrive all the same, in other requests.
        case delivered
        /// They arrive but for those with the word `poison`, which become dead letters.
        case setAside
    }

    var name: String
    var fate: Fate
    /// The level of the log line that says what is wrong.
    var level: String
    /// What this line and the status say.
    var reason: String
    var answer: @Sendable (FirehoseStandIn.Request) -> StandInAnswer

    var testDescription: String { "\(name): \(reason)" }

    /// A class of which every request is answered in the same way.
    init(_ name: String, _ level: String, _ reason: String, _ answer: StandInAnswer) {
        self.init(name, .held, level, reason) { _ in answer }
    }

    init(
        _ name: String,
        _ fate: Fate,
        _ level: String,
        _ reason: String,
        _ answer: @escaping @Sendable (FirehoseStandIn.Request) -> StandInAnswer
    ) {
        self.name = name
        self.fate = fate
        self.level = level
        self.reason = reason
        self.answer = answer
    }

    /// An answer as the service gives it for a request, and how the log calls it.
    private init(_ name: String, _ level: String, _ code: String, status: Int = 400) {
        self.init(name, level, "\(code) (HTTP \(status))", .fail(status: status, code: code))
    }
}

// MARK: The classes

extension ErrorClass {
    static let all = credentials + configuration + throttled + transient + unusual + oversize + invalid

    private static let credentials = [
        ErrorClass("credentials", "ERROR", "ExpiredTokenException", status: 403),
        // The service says that it is the time, and its own is no other: nothing to correct.
        ErrorClass("clock without a difference", "ERROR", "RequestExpired"),
    ]

    private static let configuration = [
        ErrorClass("configuration", "ERROR", "ResourceNotFoundException"),
        ErrorClass("configuration", "ERROR", "AccessDeniedException", status: 403),
        ErrorClass("configuration", "ERROR", "InvalidKMSResourceException"),
        ErrorClass("configuration", "ERROR", "KMSDisabledException"),
        // About the request and not about its records, which are none the worse for it.
        ErrorClass("bug of ours", "ERROR", "InvalidAction"),
        ErrorClass("bug of ours", "ERROR", "IncompleteSignature"),
        ErrorClass("unknown", "ERROR", "NeverHeardOfException", status: 418),
    ]

    private static let throttled = [
        ErrorClass("throttled", "WARN ", "all 10 records were refused: ServiceUnavailableException", .throttleAll),
        ErrorClass("throttled", "WARN ", "ServiceUnavailableException", status: 503),
        ErrorClass("throttled", "WARN ", "ThrottlingException"),
        ErrorClass("throttled", "WARN ", "KMSThrottlingException"),
        ErrorClass("throttled", "WARN ", "HTTP 429 without an error code", .html(status: 429)),
    ]

    private static let transient = [
        ErrorClass("transient", "WARN ", "InternalFailure", status: 500),
        ErrorClass("transient", "WARN ", "RequestTimeoutException", status: 408),
        ErrorClass("transient", "WARN ", "HTTP 504 without an error code", .html(status: 504)),
        ErrorClass("transient", "WARN ", "the connection broke", .resetAfterReading),
        ErrorClass("transient", .held, "WARN ", "all 10 records were refused: InternalFailure") { request in
            .refuse(Dictionary(uniqueKeysWithValues: request.records.indices.map { ($0, "InternalFailure") }))
        },
    ]

    /// Answers of something on the way to the service.
    private static let unusual = [
        ErrorClass(
            "redirect",
            "WARN ",
            "HTTP 307 without an error code",
            .html(status: 307).header("Location", "http://127.0.0.1:1/")
        ),
        ErrorClass("page for people", "WARN ", "HTTP 200, but not with an answer", .html(status: 200)),
        ErrorClass("no answer of the service", "WARN ", "HTTP 400 without an error code", .html(status: 400)),
    ]

    private static let oversize = [
        ErrorClass("oversize", .delivered, "WARN ", "HTTP 413 without an error code") { request in
            request.records.count > 3 ? .html(status: 413) : .accept
        },
        ErrorClass("oversize", .delivered, "WARN ", "InvalidArgumentException (HTTP 400)") { request in
            let message = "Records size exceeds 4 MB limit"
            let refusal = StandInAnswer.fail(status: 400, code: "InvalidArgumentException", message: message)
            return request.records.count > 3 ? refusal : .accept
        },
        ErrorClass("oversize alone", .setAside, "ERROR", "RequestEntityTooLargeException (HTTP 413)") { request in
            request.isPoisoned ? .fail(status: 413, code: "RequestEntityTooLargeException") : .accept
        },
    ]

    private static let invalid = ["ValidationException", "SerializationException", "InvalidArgumentException"].map {
        code in
        ErrorClass("invalid", .setAside, "ERROR", "\(code) (HTTP 400)") { request in
            request.isPoisoned ? .fail(status: 400, code: code) : .accept
        }
    }
}

extension FirehoseStandIn.Request {
    fileprivate var isPoisoned: Bool { records.contains { String(decoding: $0, as: UTF8.self).contains("poison") } }
}

// MARK: The story of each

/// Every class of errors of the service, from healthy through trouble and back, with the agent as a process.
@Suite(.timeLimit(.minutes(2))) struct ErrorClassCases {
    /// LS-089, LS-098.
    @Test(arguments: ErrorClass.all)
    func `trouble of every class is told while it lasts, and costs no line`(example: ErrorClass) async throws {
        let scene = try AgentScene()
        let agent = try scene.start()
        try scene.append(1...10)
        try await scene.waitForRecords(10, from: agent)

        scene.standIn.answerByDefault(example.answer)
        try scene.append(Self.troubled)
        switch example.fate {
        case .held: try await expectHeld(example, agent, scene)
        case .delivered: try await scene.waitForRecords(20, from: agent)
        case .setAside:
            try await scene.waitForRecords(19, from: agent)
            try await agent.waitForLog("1 record set aside as dead letters: ")
        }
        try await agent.waitForLog(example.reason)

        scene.standIn.answerByDefault { _ in .accept }
        try scene.append(21...30)
        let lines = AgentScene.lines(1...30).filter { example.fate != .setAside || !$0.hasSuffix(" 15") }
        try await scene.waitForRecords(lines.count, from: agent)
        try await expectHealth(after: example, scene)
        #expect(try await agent.stop() == .code(0))
        #expect(scene.deliveredLines.map { $0.replacing("poison", with: "line") } == lines)
        let complaints = agent.log.split(separator: "\n").filter { $0.contains(example.reason) }
        #expect(complaints.contains { $0.contains(" \(example.level) delivery: stream: ") }, "\(agent.log)")
        if example.fate != .setAside { #expect(agent.log.contains("INFO  delivery: stream: sending again")) }
    }

    /// Lines 11 to 20, one of which some services do not like.
    private static let troubled = AgentScene.lines(11...20)
        .map { ($0.hasSuffix(" 15") ? "poison 15" : $0) + "\n" }.joined()

    private func expectHeld(_ example: ErrorClass, _ agent: Program, _ scene: AgentScene) async throws {
        try await agent.waitForLog("nothing delivered: ")
        let stream = try await scene.balance().stream()
        #expect(stream.failing)
        #expect(stream.lastError?.contains(example.reason) == true, "\(stream.lastError ?? "no error")")
        #expect(stream.cached == 10)
        #expect(stream.deadLetters == 0)
        #expect(scene.delivered.count == 10)
        let text = try await scene.askStatus().output
        #expect(text.contains("\nstream: nothing delivered"), "\(text)")
    }

    private func expectHealth(after example: ErrorClass, _ scene: AgentScene) async throws {
        try await waitUntil("nothing is cached") { try await scene.balance().stream().cached == 0 }
        try await scene.expectBalance()
        let stream = try await scene.balance().stream()
        #expect(!stream.failing)
        #expect(stream.deadLetters == (example.fate == .setAside ? 1 : 0))
        #expect(stream.stored == 30)
    }

    @Test func `records that are refused one by one are sent again, and only they`() async throws {
        let scene = try AgentScene()
        let codes = [0: "InternalFailure", 3: "ServiceUnavailableException", 9: "InternalFailure"]
        scene.standIn.enqueue(.refuse(codes), .refuse([1: "InternalFailure"]))
        try scene.append(0...9)
        let agent = try scene.start()
        try await scene.waitForRecords(10, from: agent)
        #expect(try await agent.stop() == .code(0))
        let order = [1, 2, 4, 5, 6, 7, 8] + [0, 9] + [3]
        #expect(scene.deliveredLines == order.map { "line \($0)" })
        #expect(agent.log.contains("3 of 10 records were refused (InternalFailure); they are sent again"))
    }

    /// LS-098: operators break one thing after the other, and mend it.
    @Test func `a stream that is missing, forbidden and without its key loses nothing`() async throws {
        let scene = try AgentScene()
        let agent = try scene.start()
        var expected = 0
        for code in ["ResourceNotFoundException", "AccessDeniedException", "InvalidKMSResourceException"] {
            scene.standIn.answerByDefault { _ in .fail(status: 400, code: code, message: "Not here.") }
            try scene.append(expected + 1...expected + 10)
            expected += 10
            try await agent.waitForLog("(region us-east-1): \(code) (HTTP 400): Not here.; trying again in 1.0 s")
            #expect(try await scene.balance().stream().cached == 10)
            scene.standIn.answerByDefault { _ in .accept }
            try await scene.waitForRecords(expected, from: agent)
        }
        #expect(try await agent.stop() == .code(0))
        #expect(scene.deliveredLines == AgentScene.lines(1...expected))
    }
}
