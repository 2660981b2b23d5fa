import Foundation
import Synchronization
import TestSupport
import Testing

/// A service that gives credentials to containers, as ECS and EKS run them, and does what a test says.
private final class KeyService: Sendable {
    enum Mode {
        /// Keys with this access key ID that expire in so many seconds; nil is no expiry in the answer.
        case keys(String, life: Int?)
        case hang
        case status(Int)
    }

    private final class State: Sendable {
        let mode: Mutex<Mode>
        let count = Mutex(0)
        init(_ mode: Mode) { self.mode = Mutex(mode) }
    }

    private let state: State
    private let server: LoopbackServer

    init(_ mode: Mode) throws {
        let state = State(mode)
        self.state = state
        server = try LoopbackServer { connection in
            guard connection.readRequest() != nil else { return }
            state.count.withLock { $0 += 1 }
            switch state.mode.withLock({ $0 }) {
            case .keys(let id, let life): connection.write(Self.answer(status: 200, Self.document(id, life)))
            case .status(let status): connection.write(Self.answer(status: status, "{}"))
            case .hang: connection.waitUntilClosed()
            }
        }
    }

    var url: String { server.url + "/keys" }

    /// How often it was asked.
    var requestCount: Int { state.count.withLock { $0 } }

    func become(_ mode: Mode) { state.mode.withLock { $0 = mode } }

    private static func document(_ id: String, _ life: Int?) -> String {
        let end = life.map { Date(timeIntervalSinceNow: TimeInterval($0)).formatted(.iso8601) }
        let expiry = end.map { ",\"Expiration\":\"\($0)\"" } ?? ""
        return "{\"AccessKeyId\":\"\(id)\",\"SecretAccessKey\":\"secret\",\"Token\":\"token\"\(expiry)}"
    }

    private static func answer(status: Int, _ body: String) -> [UInt8] {
        Array("HTTP/1.1 \(status) Answer\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
    }
}

extension FirehoseStandIn.Request {
    /// Whose signature it has.
    fileprivate var accessKeyID: Substring {
        let scope = headers["authorization"]?.split(separator: "Credential=").last
        return scope?.prefix { $0 != "/" } ?? ""
    }
}

/// Sources of credentials in trouble, and credentials that do not live long.
@Suite(.timeLimit(.minutes(2))) struct CredentialCases {
    private let scene: AgentScene

    init() throws {
        scene = try AgentScene()
        for key in ["awsAccessKeyId", "awsSecretAccessKey"] { scene.agentKeys[key] = nil }
        scene.environment["HOME"] = scene.directory.path
    }

    private func start(with keys: KeyService) throws -> Program {
        scene.environment["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = keys.url
        return try scene.start()
    }

    /// Adds a line and waits until it has arrived, until something is so.
    ///
    /// - Returns: how many lines there are now.
    private func ship(after count: Int, from agent: Program, until isMet: () -> Bool) async throws -> Int {
        var count = count
        repeat {
            count += 1
            try scene.append(count...count)
            try await scene.waitForRecords(count, from: agent)
        } while !isMet()
        return count
    }

    /// LS-095: the service fails just when credentials are due, in one way after the other.
    @Test func `an outage of their service stops nothing while credentials are good, and ends by itself`() async throws
    {
        let keys = try KeyService(.keys("FIRST", life: 6))
        let agent = try start(with: keys)
        var count = 0
        for trouble in [KeyService.Mode.hang, .status(401), .status(500)] {
            count = try await ship(after: count, from: agent) { true }
            let asked = keys.requestCount
            keys.become(trouble)
            count = try await ship(after: count, from: agent) { keys.requestCount > asked }
        }
        keys.become(.keys("SECOND", life: 3_600))
        count = try await ship(after: count, from: agent) { scene.standIn.requests.last?.accessKeyID == "SECOND" }
        #expect(try await agent.stop() == .code(0))
        #expect(scene.deliveredLines == AgentScene.lines(1...count))
        #expect(keys.requestCount < 20, "no storm of requests")
        #expect(!agent.log.contains("nothing delivered"), "\(agent.log)")
    }

    /// LS-155: what AWS gives may be as good as over.
    @Test(arguments: [120, 5, 0, -3_600, nil])
    func `credentials of any life are used, and their service is not pressed`(life: Int?) async throws {
        let keys = try KeyService(.keys("ONLY", life: life))
        let agent = try start(with: keys)
        for line in 1...10 { _ = try await ship(after: line - 1, from: agent) { true } }
        #expect(try await agent.stop() == .code(0))
        #expect(scene.deliveredLines == AgentScene.lines(1...10))
        #expect(Set(scene.standIn.requests.map(\.accessKeyID)) == ["ONLY"])
        #expect(keys.requestCount <= 2)
    }

    @Test func `what has expired and is refused is told, held, and sent when there are new credentials`() async throws {
        let keys = try KeyService(.keys("OLD", life: -3_600))
        scene.standIn.answerByDefault { request in
            request.accessKeyID == "NEW" ? .accept : .fail(status: 403, code: "ExpiredTokenException")
        }
        try scene.append(1...10)
        let agent = try start(with: keys)
        try await agent.waitForLog("ExpiredTokenException (HTTP 403)")
        #expect(try await scene.balance().stream().cached == 10)
        #expect(keys.requestCount == 2, "once at first, and once since they were refused")
        keys.become(.keys("NEW", life: 3_600))
        try await scene.waitForRecords(10, from: agent)
        #expect(try await agent.stop() == .code(0))
        #expect(scene.deliveredLines == AgentScene.lines(1...10))
        #expect(scene.standIn.requests.count < 6, "no storm of requests")
    }
}
