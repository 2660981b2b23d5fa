import HTTP
import Synchronization
import TestSupport
import Testing

@Suite struct HTTPConnectionTests {
    /// Without the proxies of whoever runs the tests.
    private let direct = HTTPOptions(proxy: .direct)

    @Test(arguments: [0, 1, 1000, 70_000, 6_000_000])
    func `a body arrives byte for byte and comes back`(size: Int) throws {
        let server = try EchoServer()
        let connection = try HTTPConnection(direct)
        let body = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        var response = HTTPResponse()
        try connection.post(server.url, headers: [], body: body.span, into: &response)
        #expect(response.status == 200)
        #expect(response.body == body)
    }

    @Test func `only the headers that are asked for are sent`() throws {
        let server = try EchoServer()
        let connection = try HTTPConnection(direct)
        var response = HTTPResponse()
        let headers = [HTTPHeader("Content-Type", "text/x"), HTTPHeader("Host", "example"), HTTPHeader("X-Empty", "")]
        let large = [UInt8](repeating: 0x61, count: 2_000_000)
        try connection.post(server.url, headers: headers, body: large.span, into: &response)
        let received = try #require(server.requests.first)
        #expect(received.line == "POST / HTTP/1.1")
        #expect(
            received.headers
                == ["content-type": "text/x", "host": "example", "x-empty": "", "content-length": "2000000"]
        )
    }

    @Test func `methods take turns on one connection`() throws {
        let server = try EchoServer()
        let connection = try HTTPConnection(direct)
        var response = HTTPResponse()
        let body = Array("body".utf8)
        for (method, sent) in [
            (HTTPMethod.get, body), (.post, body), (.get, []), (.put, []), (.put, body), (.get, body),
        ] {
            try connection.send(method, server.url + "/a?b", headers: [], body: sent.span, into: &response)
            let received = try #require(server.requests.last)
            #expect(received.line == "\(method.rawValue) /a?b HTTP/1.1")
            #expect(received.headers["content-length"] == (method == .get ? nil : "\(sent.count)"))
            #expect(received.body == (method == .get ? [] : sent))
        }
    }

    @Test func `headers of the answer are found in any case, without blanks around their values`() throws {
        let answer =
            "HTTP/1.1 503 No\r\nRetry-AFTER: \t7 \r\nDate:now\r\nX-Two: a\r\nx-two: b\r\nContent-Length: 2\r\n\r\nno"
        let server = try LoopbackServer { connection in
            while connection.readRequest() != nil { connection.write(Array(answer.utf8)) }
        }
        let connection = try HTTPConnection(direct)
        var response = HTTPResponse()
        try connection.post(server.url, headers: [], body: [UInt8]().span, into: &response)
        #expect(response.status == 503)
        #expect(response.body == Array("no".utf8))
        #expect(response.header("retry-after") == "7")
        #expect(response.header("date") == "now")
        #expect(response.header("x-two") == "b")
        #expect(response.header("age") == nil)
    }

    @Test func `requests share one connection, and nothing of one answer is left in the next`() throws {
        let server = try FirehoseStandIn()
        server.enqueue(.body(status: 500, "a longer answer").header("Age", "1"), .body(status: 200, "short"))
        let connection = try HTTPConnection(direct)
        var response = HTTPResponse()
        try connection.post(server.url, headers: [], body: [1].span, into: &response)
        #expect(response.header("age") == "1")
        try connection.post(server.url, headers: [], body: [2].span, into: &response)
        #expect(server.requests.map(\.connection) == [1, 1])
    }

    @Test func `a kept connection that the server closed meanwhile is replaced unnoticed`() throws {
        let answers = Mutex(0)
        let server = try LoopbackServer { connection in
            guard connection.readRequest() != nil else { return }
            answers.withLock { $0 += 1 }
            connection.write(Array("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n\(connection.number)".utf8))
            // The second request comes over this connection and meets its end, before any byte of an answer.
            if connection.number == 1 { _ = connection.waitForRequest() }
        }
        let connection = try HTTPConnection(direct)
        var response = HTTPResponse()
        try connection.post(server.url, headers: [], body: [1].span, into: &response)
        #expect(response.body == Array("1".utf8))
        try connection.post(server.url, headers: [], body: [2].span, into: &response)
        #expect(response.body == Array("2".utf8))
        #expect(answers.withLock { $0 } == 2)
    }

    @Test func `a value with a line break is not sent`() throws {
        let server = try EchoServer()
        let connection = try HTTPConnection(direct)
        var response = HTTPResponse()
        #expect(throws: HTTPError.unusable(reason: "the value of the header X-A contains a line break")) {
            try connection.post(
                server.url,
                headers: [HTTPHeader("X-A", "b\r\nX-C: d")],
                body: [UInt8]().span,
                into: &response
            )
        }
        #expect(server.requests.isEmpty)
    }
}

/// Answers each request with its own body.
private final class EchoServer: Sendable {
    private let server: LoopbackServer
    private let received: Received

    var url: String { server.url }
    var requests: [LoopbackConnection.Request] { received.requests.withLock { $0 } }

    init() throws {
        let received = Received()
        self.received = received
        server = try LoopbackServer { connection in
            while let request = connection.readRequest() {
                received.requests.withLock { $0.append(request) }
                let head = "HTTP/1.1 200 OK\r\nContent-Length: \(request.body.count)\r\n\r\n"
                connection.write(Array(head.utf8) + request.body)
            }
        }
    }

    private final class Received: Sendable {
        let requests = Mutex<[LoopbackConnection.Request]>([])
    }
}
