import HTTP
import TestSupport
import Testing

/// Certificates are verified, always, and against nothing but what was named.
@Suite(.enabled(if: TestAuthority.isPossible, "needs openssl and python3"), .timeLimit(.minutes(1))) struct TLSTests {
    private let authority: TestAuthority
    private let server: LoopbackServer

    init() throws {
        authority = try TestAuthority()
        server = try LoopbackServer { connection in
            while connection.readRequest() != nil {
                connection.write(Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8))
            }
        }
    }

    private func front(for host: String = "localhost", days: Int = 1, clients: TestAuthority? = nil) async throws
        -> TLSFront
    {
        let pair = try authority.issue(for: host, days: days)
        return try await TLSFront(before: server.port, showing: pair, clientAuthority: clients)
    }

    /// - Returns: the status of the answer.
    private func post(
        to url: String,
        trusting caFile: String?,
        showing pair: (certificate: String, key: String)? = nil,
        by proxy: HTTPProxy = .direct
    ) throws -> Int {
        let certificate = pair.map { ClientCertificate(certificateFile: $0.certificate, keyFile: $0.key) }
        let connection = try HTTPConnection(
            HTTPOptions(caFile: caFile, clientCertificate: certificate, proxy: proxy)
        )
        var response = HTTPResponse()
        try connection.post(url, headers: [], body: [1].span, into: &response)
        return response.status
    }

    @Test func `a certificate of nobody we trust is refused, and taken once its authority is named`() async throws {
        let front = try await front()
        let error = #expect(throws: HTTPError.self) { try post(to: front.url, trusting: nil) }
        guard case .insecure(let reason) = error else {
            Issue.record("expected insecure, not \(String(describing: error))")
            return
        }
        #expect(reason.hasSuffix(" (trusted are the system's authorities)"))
        #expect(try post(to: front.url, trusting: authority.certificateFile) == 200)
    }

    @Test func `a server that asks for a certificate is shown ours`() async throws {
        let front = try await front(clients: authority)
        let pair = try authority.issue()
        let ours = (pair.certificateFile, pair.keyFile)
        #expect(try post(to: front.url, trusting: authority.certificateFile, showing: ours) == 200)
        #expect(throws: HTTPError.self) { try post(to: front.url, trusting: authority.certificateFile) }
    }

    @Test func `files of a certificate that are not there are named before anything is sent`() throws {
        let pair = try authority.issue()
        for (certificate, key) in [("/nowhere.pem", pair.keyFile), (pair.certificateFile, "/nowhere.pem")] {
            let files = ClientCertificate(certificateFile: certificate, keyFile: key)
            let error = #expect(throws: HTTPError.self) { try HTTPConnection(HTTPOptions(clientCertificate: files)) }
            let role = key == pair.keyFile ? "certificate" : "key"
            #expect(error.map { "\($0)" }?.hasPrefix("the client \(role) “/nowhere.pem” cannot be read") == true)
        }
    }

    @Test func `a proxy that speaks TLS is verified as a server is`() async throws {
        let front = try await front()
        let proxy = try HTTPProxy(front.url)
        let error = #expect(throws: HTTPError.self) {
            try post(to: "http://firehose.invalid/", trusting: nil, by: proxy)
        }
        guard case .insecure = error else {
            Issue.record("expected insecure, not \(String(describing: error))")
            return
        }
        let url = "http://firehose.invalid/"
        #expect(try post(to: url, trusting: authority.certificateFile, by: proxy) == 200)
    }
}
