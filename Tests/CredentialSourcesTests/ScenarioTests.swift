import Foundation
import TestSupport
import Testing

@testable import AWS
@testable import CredentialSources

/// Whole scenarios that the SDKs share: variables, files, recorded HTTP, and what comes of them.
@Suite(.timeLimit(.minutes(2))) struct ScenarioTests {
    struct Scenario: Decodable {
        struct Outcome: Decodable {
            struct Keys: Decodable {
                var access_key_id: String
                var secret_access_key: String
                var session_token: String?
                var expiry: Int?
            }

            var Ok: Keys?
            var ErrorContains: String?
        }

        var result: Outcome
    }

    /// The scenarios of a folder.
    private static func names(in folder: String) -> [String] { Vectors.folders(in: "chain/\(folder)") }

    /// Single sign-on is refused, also where the SDKs would succeed.
    private static func needsLogin(_ name: String) -> Bool { name.contains("sso") }

    @Test(.enabled(if: Vectors.areThere, "\(Vectors.absence)")) func `all scenarios are there`() {
        #expect(Self.names(in: "default-credential-provider-chain").count == 29)
        #expect(Self.names(in: "profile-provider").count == 18)
    }

    @Test(
        .enabled(if: Vectors.areThere, "\(Vectors.absence)"),
        arguments: names(in: "default-credential-provider-chain")
    )
    func `the chain does what those of the SDKs do`(name: String) async throws {
        try await play("chain/default-credential-provider-chain/\(name)", isRefused: Self.needsLogin(name)) {
            CredentialsChain.usual($0)
        }
    }

    @Test(.enabled(if: Vectors.areThere, "\(Vectors.absence)"), arguments: names(in: "profile-provider"))
    func `a profile does what it does for the SDKs`(name: String) async throws {
        try await play("chain/profile-provider/\(name)", isRefused: Self.needsLogin(name)) { ProfileCredentials($0) }
    }

    private func play(
        _ folder: String,
        isRefused: Bool,
        _ makeProvider: (CredentialsContext) -> any CredentialsProvider
    ) async throws {
        let expected = try Vectors.json("\(folder)/test-case.json", as: Scenario.self).result
        let files = try ScenarioFiles(Vectors.url("\(folder)/fs"))
        let environment = try Vectors.json("\(folder)/env.json", as: [String: String].self).mapValues(files.moved)
        let traffic = try RecordedTraffic(try Traffic.read("\(folder)/http-traffic.json"))
        // Recordings are years old; to them it is an hour before their credentials expire.
        let now = Duration.seconds((expected.Ok?.expiry ?? 1_600_003_600) - 3600)
        let provider = makeProvider(CredentialsContext(environment: environment, client: traffic, now: { now }))
        guard let keys = expected.Ok, !isRefused else {
            let error = await #expect(throws: CredentialsError.self) { try await provider.credentials() }
            if isRefused {
                #expect(error.map { "\($0)" }?.contains("needs a person to log in") == true)
            } else {
                #expect(traffic.rest.isEmpty)
            }
            return
        }
        let found = try await provider.credentials()
        #expect(found.accessKeyID == keys.access_key_id)
        #expect(found.secretAccessKey == keys.secret_access_key)
        #expect(found.sessionToken == keys.session_token)
        #expect(found.expiration == keys.expiry.map { .seconds($0) })
        #expect(traffic.rest.isEmpty)
        try check(traffic, against: "\(folder)/http-traffic.json")
    }

    /// What was asked is what was recorded, but for signatures, session names, and roles that the recordings got wrong.
    private func check(_ traffic: RecordedTraffic, against path: String) throws {
        let recorded = try Traffic.read(path)
        #expect(traffic.asked.count == recorded.count)
        for (asked, exchange) in zip(traffic.asked, recorded) {
            #expect(asked.method == exchange.method)
            let url = exchange.url.hasSuffix("/") || asked.method != "POST" ? exchange.url : exchange.url + "/"
            #expect(asked.url == url)
            for (name, value) in exchange.headers { #expect(asked.headers[name] == value) }
        }
    }
}

/// A copy of a scenario's files, whose absolute paths lead into it.
private final class ScenarioFiles {
    private let root: URL

    init(_ source: URL) throws {
        root = FileManager.default.temporaryDirectory.appending(path: "scenario-\(UUID().uuidString)")
        guard FileManager.default.fileExists(atPath: source.path) else {
            try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
            return
        }
        try FileManager.default.copyItem(at: source, to: root)
        for name in ["config", "credentials"] {
            let file = root.appending(path: "home/.aws/\(name)")
            guard let text = try? String(contentsOf: file, encoding: .utf8) else { continue }
            let moved = text.replacing("_token_file = /", with: "_token_file = \(root.path)/")
            try moved.write(to: file, atomically: false, encoding: .utf8)
        }
    }

    deinit {
        try? FileManager.default.removeItem(at: root)
    }

    /// The value of a variable, a path of which leads into the copy; those of URLs stay.
    func moved(_ value: String) -> String {
        let isFile = value == "/home" || value == "/token.jwt"
        return isFile ? root.path + value : value
    }
}

/// Recorded HTTP as the vectors have it: events of several connections, in order.
private enum Traffic {
    private struct File: Decodable {
        var events: [Event]
    }

    private struct Event: Decodable {
        var connection_id: Int
        var action: Action
    }

    private struct Action: Decodable {
        struct Request: Decodable {
            struct Content: Decodable {
                var uri: String
                var headers: [String: [String]]
                var method: String
            }

            var request: Content
        }

        struct Response: Decodable {
            struct Outcome: Decodable {
                struct Content: Decodable {
                    var status: Int
                }

                var Ok: Content
            }

            var response: Outcome
        }

        struct Data: Decodable {
            struct Content: Decodable {
                var Utf8: String
            }

            var data: Content
            var direction: String
        }

        var Request: Request?
        var Response: Response?
        var Data: Data?
    }

    /// Headers whose values say something about us.
    private static let telling: Set = ["x-aws-ec2-metadata-token", "x-aws-ec2-metadata-token-ttl-seconds", "accept"]

    /// - Returns: nothing if there is no such file.
    static func read(_ path: String) throws -> [RecordedTraffic.Exchange] {
        guard FileManager.default.fileExists(atPath: Vectors.url(path).path) else { return [] }
        var exchanges: [Int: RecordedTraffic.Exchange] = [:]
        for event in try Vectors.json(path, as: File.self).events {
            if let request = event.action.Request?.request {
                let headers = request.headers.compactMapValues(\.first).filter { telling.contains($0.key) }
                exchanges[event.connection_id] = RecordedTraffic.Exchange(
                    method: request.method,
                    url: request.uri,
                    headers: headers,
                    status: 0,
                    body: ""
                )
            } else if let response = event.action.Response?.response {
                exchanges[event.connection_id]?.status = response.Ok.status
            } else if let data = event.action.Data, data.direction == "Response" {
                exchanges[event.connection_id]?.body += data.data.Utf8
            }
        }
        return exchanges.sorted { $0.key < $1.key }.map(\.value)
    }
}
