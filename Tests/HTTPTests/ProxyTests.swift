import Foundation
import Glibc
import HTTP
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ProxyTests {
    /// A proxy that passes requests on to nobody and answers each with a status of its own.
    private final class Proxy: Sendable {
        let server: LoopbackServer
        private let seen: Seen

        final class Seen: Sendable {
            let requests = Mutex<[LoopbackConnection.Request]>([])
        }

        init(status: String) throws {
            let seen = Seen()
            self.seen = seen
            server = try LoopbackServer { connection in
                while let request = connection.readRequest() {
                    seen.requests.withLock { $0.append(request) }
                    connection.write(Array("HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n".utf8))
                }
            }
        }

        var address: String { "127.0.0.1:\(server.port)" }

        var requests: [LoopbackConnection.Request] { seen.requests.withLock { $0 } }
    }

    private func post(to url: String, through proxy: String) throws -> Int {
        let connection = try HTTPConnection(HTTPOptions(proxy: try HTTPProxy(proxy)))
        var response = HTTPResponse()
        try connection.post(url, headers: [], body: Array("body".utf8).span, into: &response)
        return response.status
    }

    @Test func `a request goes to the proxy, with its server's name`() throws {
        let proxy = try Proxy(status: "202 OK")
        #expect(try post(to: "http://firehose.invalid/", through: proxy.address) == 202)
        let request = try #require(proxy.requests.first)
        #expect(request.line == "POST http://firehose.invalid/ HTTP/1.1")
        #expect(request.headers["proxy-authorization"] == nil)
        #expect(request.body == Array("body".utf8))
    }

    @Test(arguments: [("user:pa%40ss%3A", "user:pa@ss:"), ("user", "user:"), ("us@er:p", "us@er:p")])
    func `user and password reach the proxy decoded`(written: String, meant: String) throws {
        let proxy = try Proxy(status: "200 OK")
        #expect(try post(to: "http://firehose.invalid/", through: "http://\(written)@\(proxy.address)/") == 200)
        let header = try #require(proxy.requests.first?.headers["proxy-authorization"])
        #expect(header == "Basic " + Data(meant.utf8).base64EncodedString())
    }

    @Test func `TLS goes through a tunnel, and a refused one is an error without the password`() throws {
        let proxy = try Proxy(status: "407 Proxy Authentication Required")
        let error = #expect(throws: HTTPError.self) {
            try post(to: "https://firehose.invalid/", through: "user:hush@\(proxy.address)")
        }
        #expect(proxy.requests.first?.line == "CONNECT firehose.invalid:443 HTTP/1.1")
        guard case .cut(let reason) = error else {
            Issue.record("expected cut, not \(String(describing: error))")
            return
        }
        #expect(reason.contains("407"))
        #expect(!reason.contains("hush"))
    }

    @Test func `a proxy that is not there is named without its password`() throws {
        let error = #expect(throws: HTTPError.self) {
            try post(to: "http://127.0.0.1/", through: "user:hush@proxy.invalid:3128")
        }
        guard case .unresolved(let reason) = error else {
            Issue.record("expected unresolved, not \(String(describing: error))")
            return
        }
        #expect(reason.contains("proxy.invalid"))
        #expect(!reason.contains("hush"))
    }

    @Test func `no proxy is used when none is wanted`() throws {
        let server = try Proxy(status: "201 OK")
        #expect(try post(to: server.server.url, through: "") == 201)
        #expect(server.requests.first?.line == "POST / HTTP/1.1")
    }

    @Test(arguments: [
        "http://", "ftp://proxy:3128", "proxy:0", "proxy:99999", "proxy:port", "proxy:", "pro xy", "proxy/path",
        "http://proxy?x", "[::1", "http://user:hush@", "user:hush@pro\nxy", "user:hush@proxy:x",
    ])
    func `what is no proxy is refused, without showing a password`(text: String) throws {
        let error = #expect(throws: HTTPError.self) { try HTTPProxy(text) }
        let reason = try #require(error.map { "\($0)" })
        #expect(reason.contains("expected a URL such as"))
        #expect(!reason.contains("hush"))
        #expect(reason.contains(text) == !text.contains("@"))
    }

    @Test(arguments: ["proxy", "PROXY.example:3128", "socks5h://localhost:1080", "https://[::1]:3128/", "10.0.0.1:1"])
    func `what is a proxy is taken`(text: String) throws {
        _ = try HTTPConnection(HTTPOptions(proxy: try HTTPProxy(text)))
    }

    @Test func `no text shows the password`() throws {
        let options = HTTPOptions(proxy: try HTTPProxy("http://user:hush@proxy:3128"))
        var dumped = ""
        dump(options, to: &dumped)
        #expect(!"\(options) \(String(reflecting: options)) \(dumped)".contains("hush"))
    }

    @Test func `a request that makes progress ends with its time`() throws {
        let server = try LoopbackServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write(Array("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n".utf8))
            for _ in 0..<1_000 {
                connection.write([UInt8(ascii: "x")])
                usleep(10_000)
            }
        }
        let connection = try HTTPConnection(HTTPOptions(requestTimeout: .milliseconds(300), proxy: .direct))
        var response = HTTPResponse()
        let error = #expect(throws: HTTPError.self) {
            try connection.post(server.url, headers: [], body: [1].span, into: &response)
        }
        guard case .timedOut = error else {
            Issue.record("expected timedOut, not \(String(describing: error))")
            return
        }
    }
}
