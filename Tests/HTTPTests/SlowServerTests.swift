import Foundation
import HTTP
import TestSupport
import Testing

/// Servers and lines that are slow, and those that stand still.
@Suite(.timeLimit(.minutes(1))) struct SlowServerTests {
    /// As large as the largest request of the agent: 4 MiB of records in base64.
    private static let body = [UInt8](repeating: 0x61, count: 5_600_000)

    private static let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)

    private func send(to server: LoopbackServer) throws -> String {
        let connection = try HTTPConnection(HTTPOptions(stallTimeout: .seconds(1), proxy: .direct))
        var response = HTTPResponse()
        try connection.post(server.url, headers: [], body: Self.body.span, into: &response)
        return String(decoding: response.body, as: UTF8.self)
    }

    private func expectTimeout(of server: LoopbackServer) {
        let error = #expect(throws: HTTPError.self) { try send(to: server) }
        guard case .timedOut = error else {
            Issue.record("expected timedOut, not \(String(describing: error))")
            return
        }
    }

    /// A kernel takes megabytes at once if it is allowed to, and then nothing seems to move while it sends them.
    @Test func `an upload that goes on is not cut, however long it takes`() throws {
        let server = try LoopbackServer { connection in
            connection.narrow()
            var received = 0
            while received < Self.body.count {
                let count = connection.skip(atMost: 64 << 10)
                guard count > 0 else { return }
                received += count
                if received > Self.body.count * 3 / 5 { usleep(150_000) }
            }
            connection.write(Self.answer)
        }
        #expect(try send(to: server) == "ok")
    }

    @Test func `an upload that stands still is cut, and the next goes over another connection`() throws {
        let server = try LoopbackServer { connection in
            connection.narrow()
            if connection.number == 1 {
                _ = connection.skip(atMost: 100_000)
                connection.waitUntilClosed()
            } else if connection.readRequest() != nil {
                connection.write(Self.answer)
            }
        }
        expectTimeout(of: server)
        #expect(try send(to: server) == "ok")
    }

    @Test func `an answer that goes on is not cut, and one that stands still is`() throws {
        let server = try LoopbackServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write(Array("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n".utf8))
            for letter in "answer".utf8 {
                usleep(400_000)
                connection.write([letter])
            }
            if connection.number == 1 { connection.write(Array("ed".utf8)) }
            connection.waitUntilClosed()
        }
        #expect(try send(to: server) == "answered")
        expectTimeout(of: server)
    }
}
