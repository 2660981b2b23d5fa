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

    /// LS-076: a network that drops what is sent; nobody refuses and nobody answers.
    @Test func `a connection that nobody takes up is given up in its time`() throws {
        let hole = try BlackHole()
        let options = HTTPOptions(connectTimeout: .milliseconds(300), stallTimeout: .seconds(600), proxy: .direct)
        let connection = try HTTPConnection(options)
        var response = HTTPResponse()
        let error = #expect(throws: HTTPError.self) {
            try connection.post("http://127.0.0.1:\(hole.port)", headers: [], body: [1].span, into: &response)
        }
        guard case .timedOut = error else {
            Issue.record("expected timedOut, not \(String(describing: error))")
            return
        }
    }
}

/// A port at which the kernel drops attempts to connect, since nobody accepts those that wait already.
private final class BlackHole {
    let port: UInt16
    private let descriptors: [CInt]

    init() throws {
        let stream = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        // One to listen, and two to fill its queue, which takes one more than it is told to.
        let descriptors = (0..<3).map { _ in socket(AF_INET, stream, 0) }
        self.descriptors = descriptors
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard bind(descriptors[0], address, size) == 0, listen(descriptors[0], 0) == 0,
                    getsockname(descriptors[0], address, &size) == 0
                else { return false }
                for descriptor in descriptors.dropFirst() { _ = connect(descriptor, address, size) }
                return true
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard isListening else { throw POSIXError(.EIO) }
    }

    deinit {
        for descriptor in descriptors { close(descriptor) }
    }
}
