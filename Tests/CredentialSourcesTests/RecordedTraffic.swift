import Foundation
import HTTP
import Synchronization
import TestSupport

@testable import AWS
@testable import CredentialSources

/// A server on loopback that plays metadata services and STS: each request gets the next answer.
///
/// As a client it sends every request there, wherever that was meant to go.
final class RecordedTraffic: WebClient {
    /// A request and the answer to it.
    struct Exchange: Sendable {
        var method: String
        var url: String

        /// Headers that the request must have, by lower-case name.
        var headers: [String: String] = [:]
        var status: Int
        var body: String

        /// The header `Date` of the answer.
        var date: String?
    }

    /// What was asked, after which the server answers no more.
    struct Asked: Sendable {
        var method: String
        var url: String
        var headers: [String: String]
        var body: String
    }

    private final class Script: Sendable {
        let exchanges: Mutex<[Exchange]>
        let asked = Mutex<[Asked]>([])

        init(_ exchanges: [Exchange]) {
            self.exchanges = Mutex(exchanges)
        }
    }

    private let script: Script
    private let server: LoopbackServer
    private let network = NetworkClient(HTTPOptions(proxy: .direct))

    init(_ exchanges: [Exchange]) throws {
        let script = Script(exchanges)
        self.script = script
        server = try LoopbackServer { connection in
            while let request = connection.readRequest() {
                let exchange = script.exchanges.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                script.asked.withLock { asked in
                    asked.append(
                        Asked(
                            method: String(request.line.prefix { $0 != " " }),
                            url: request.headers["x-meant-for"] ?? "",
                            headers: request.headers,
                            body: String(decoding: request.body, as: UTF8.self)
                        )
                    )
                }
                guard let exchange else { return }
                let date = exchange.date.map { "Date: \($0)\r\n" } ?? ""
                let length = "Content-Length: \(exchange.body.utf8.count)\r\n"
                let head = "HTTP/1.1 \(exchange.status) OK\r\n\(date)\(length)\r\n"
                connection.write(Array((head + exchange.body).utf8))
            }
        }
    }

    /// Every request so far.
    var asked: [Asked] { script.asked.withLock { $0 } }

    /// Exchanges that nobody has asked for.
    var rest: [Exchange] { script.exchanges.withLock { $0 } }

    func add(_ exchanges: Exchange...) { script.exchanges.withLock { $0 += exchanges } }

    func send(_ request: WebRequest) async throws(HTTPError) -> WebAnswer {
        var redirected = request
        let path = URL(string: request.url).map { $0.path(percentEncoded: true) + ($0.query().map { "?" + $0 } ?? "") }
        redirected.url = server.url + (path ?? "/")
        redirected.headers.append(HTTPHeader("X-Meant-For", request.url))
        redirected.timeout = .seconds(20)
        return try await network.send(redirected)
    }
}
