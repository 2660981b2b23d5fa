import HTTP
import Synchronization
import TestSupport
import Testing

/// What servers and things that stand before them send instead of an answer, or with it.
@Suite(.timeLimit(.minutes(1))) struct OddAnswerTests {
    private let body = [UInt8](repeating: 0x61, count: 2_000_000)

    private func post(to server: LoopbackServer, over connection: HTTPConnection? = nil) throws -> HTTPResponse {
        let connection = try connection ?? HTTPConnection(HTTPOptions(proxy: .direct))
        var response = HTTPResponse()
        try connection.post(server.url, headers: [], body: body.span, into: &response)
        return response
    }

    /// A server that writes these bytes after each request, and then keeps the connection open.
    private func server(writing text: String) throws -> LoopbackServer {
        try LoopbackServer { connection in
            while connection.readRequest() != nil { connection.write(Array(text.utf8)) }
        }
    }

    @Test(arguments: [
        ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", 200, "ok"),
        ("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n", 503, ""),
        ("HTTP/1.1 204 No Content\r\n\r\n", 204, ""),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-End: y\r\n\r\n", 200, "ok"),
    ])
    func `an answer is found among what comes before and after it`(text: String, status: Int, content: String) throws {
        let response = try post(to: server(writing: text))
        #expect(response.status == status)
        #expect(response.body == Array(content.utf8))
    }

    @Test(arguments: [
        "", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nshort",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno length\r\n",
    ])
    func `half an answer, and what is none, is a broken connection`(text: String) throws {
        let server = try LoopbackServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write(Array(text.utf8))
        }
        let error = #expect(throws: HTTPError.self) { try post(to: server) }
        guard case .cut = error else {
            Issue.record("expected cut, not \(String(describing: error))")
            return
        }
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\n", "X-More: and more\r\n"), ("", "HTTP/1.1 100 Continue\r\n\r\n"),
        ("HTTP/1.1 200 OK\r\n\r\n", "more and more"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "4\r\nmore\r\n"),
    ])
    func `an answer without an end is taken up to a limit`(start: String, piece: String) throws {
        let pieces = Array(String(repeating: piece, count: 1_000).utf8)
        let server = try LoopbackServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write(Array(start.utf8))
            while connection.write(pieces) {}
        }
        let error = #expect(throws: HTTPError.self) { try post(to: server) }
        guard case .tooLarge = error else {
            Issue.record("expected tooLarge, not \(String(describing: error))")
            return
        }
    }

    /// What was left of one answer must never pass for the next one.
    @Test func `an answer that is longer than it says is cut, and its rest is no answer`() throws {
        let forged = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged"
        let server = try LoopbackServer { connection in
            while connection.readRequest() != nil {
                let content = "from \(connection.number)"
                connection.write(Array("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n\(content)\(forged)".utf8))
            }
        }
        let connection = try HTTPConnection(HTTPOptions(proxy: .direct))
        for number in 1...3 {
            #expect(try post(to: server, over: connection).body == Array("from \(number)".utf8))
        }
    }

    @Test func `an answer that comes before the request is read is taken`() throws {
        let server = try LoopbackServer { connection in
            connection.narrow()
            _ = connection.skip(atMost: 1_000)
            connection.write(Array("HTTP/1.1 413 No\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno".utf8))
            connection.waitUntilClosed()
        }
        #expect(try post(to: server).status == 413)
    }

    @Test func `a server that goes while it is sent to is a broken connection`() throws {
        let server = try LoopbackServer { connection in
            connection.narrow()
            _ = connection.skip(atMost: 100_000)
            connection.abort()
        }
        let error = #expect(throws: HTTPError.self) { try post(to: server) }
        guard case .cut = error else {
            Issue.record("expected cut, not \(String(describing: error))")
            return
        }
    }

    @Test func `a redirect to another host is not followed, whatever its method`() throws {
        let asked = Atomic(0)
        let other = try LoopbackServer { connection in
            if connection.readRequest() != nil { asked.add(1, ordering: .relaxed) }
        }
        for status in [301, 302, 303, 307, 308] {
            let text = "HTTP/1.1 \(status) Moved\r\nLocation: \(other.url)/\r\nContent-Length: 0\r\n\r\n"
            #expect(try post(to: server(writing: text)).status == status)
        }
        #expect(asked.load(ordering: .relaxed) == 0)
    }

    @Test func `addresses of IPv6 are reached and named as they are written`() throws {
        let host = Mutex("")
        let server = try LoopbackServer(at: "::1") { connection in
            guard let request = connection.readRequest() else { return }
            host.withLock { $0 = request.headers["host"] ?? "" }
            connection.write(Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8))
        }
        #expect(try post(to: server).status == 200)
        #expect(host.withLock { $0 } == "[::1]:\(server.port)")
    }
}
