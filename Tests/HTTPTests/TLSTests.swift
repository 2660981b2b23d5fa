import Foundation
import HTTP
import TestSupport
import Testing

/// Certificates are verified, always, and against nothing but what was named.
@Suite(.enabled(if: TLSServer.isPossible, "needs openssl and python3"), .timeLimit(.minutes(1))) struct TLSTests {
    @Test func `a certificate of nobody we trust is refused, and taken once its authority is named`() throws {
        let server = try TLSServer(host: "localhost")
        #expect(throws: HTTPError.self) { try post(to: server, trusting: nil) }
        #expect(try post(to: server, trusting: server.certificate) == 200)
    }

    @Test func `a refused certificate is told from other failures`() throws {
        let server = try TLSServer(host: "localhost")
        let error = #expect(throws: HTTPError.self) { try post(to: server, trusting: nil) }
        guard case .insecure = error else {
            Issue.record("expected insecure, not \(String(describing: error))")
            return
        }
    }

    @Test func `a trusted certificate for another host is refused`() throws {
        let server = try TLSServer(host: "elsewhere.example")
        let error = #expect(throws: HTTPError.self) { try post(to: server, trusting: server.certificate) }
        guard case .insecure = error else {
            Issue.record("expected insecure, not \(String(describing: error))")
            return
        }
    }

    @Test func `a CA bundle without certificates in it trusts nobody`() throws {
        let server = try TLSServer(host: "localhost")
        let error = #expect(throws: HTTPError.self) { try post(to: server, trusting: server.garbage) }
        guard case .insecure(let reason) = error else {
            Issue.record("expected insecure, not \(String(describing: error))")
            return
        }
        #expect(reason.contains(server.garbage))
    }

    // MARK: Certificates of ours

    @Test func `a server that asks for a certificate is shown ours`() throws {
        let server = try TLSServer(host: "localhost", asksForCertificate: true)
        let certificate = ClientCertificate(certificateFile: server.certificate, keyFile: server.key)
        #expect(try post(to: server, trusting: server.certificate, showing: certificate) == 200)
        #expect(throws: HTTPError.self) { try post(to: server, trusting: server.certificate) }
    }

    @Test func `a key that belongs to another certificate is an error`() throws {
        let server = try TLSServer(host: "localhost", asksForCertificate: true)
        let other = try TLSServer(host: "localhost")
        let certificate = ClientCertificate(certificateFile: server.certificate, keyFile: other.key)
        let error = #expect(throws: HTTPError.self) {
            try post(to: server, trusting: server.certificate, showing: certificate)
        }
        guard case .insecure = error else {
            Issue.record("expected insecure, not \(String(describing: error))")
            return
        }
    }

    @Test func `files of a certificate that are not there are named before anything is sent`() throws {
        let server = try TLSServer(host: "localhost")
        for (certificate, key) in [("/nowhere.pem", server.key), (server.certificate, "/nowhere.pem")] {
            let files = ClientCertificate(certificateFile: certificate, keyFile: key)
            let error = #expect(throws: HTTPError.self) { try HTTPConnection(HTTPOptions(clientCertificate: files)) }
            let text = error.map { "\($0)" } ?? ""
            #expect(
                text.hasPrefix("the client \(key == server.key ? "certificate" : "key") “/nowhere.pem” cannot be read")
            )
        }
    }

    @discardableResult
    private func post(
        to server: TLSServer,
        trusting caFile: String?,
        showing certificate: ClientCertificate? = nil
    ) throws -> Int {
        let options = HTTPOptions(caFile: caFile, clientCertificate: certificate, proxy: .direct)
        let connection = try HTTPConnection(options)
        var response = HTTPResponse()
        try connection.post(
            "https://localhost:\(server.port)",
            headers: [],
            body: [1].span,
            into: &response
        )
        return response.status
    }
}
