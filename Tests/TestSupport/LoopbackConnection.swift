import Foundation
import Glibc

/// One connection that a client made to a `LoopbackServer`; only its own thread uses it.
package final class LoopbackConnection: Sendable {
    /// Which of the server's connections it is, counted from 1.
    package let number: Int
    private let descriptor: CInt

    init(descriptor: CInt, number: Int) {
        self.descriptor = descriptor
        self.number = number
    }

    /// What a client sent.
    package struct Request: Sendable {
        /// Such as `POST / HTTP/1.1`.
        package var line = ""

        /// Values by lower-case name.
        package var headers: [String: String] = [:]
        package var body: [UInt8] = []
    }

    /// Waits for the first byte of the next request, without taking it.
    ///
    /// - Returns: false when the client closed the connection instead.
    package func waitForRequest() -> Bool {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, Int32(MSG_PEEK)) == 1
    }

    /// Reads one whole request.
    ///
    /// - Returns: nil when the client closed the connection before its end.
    package func readRequest() -> Request? {
        var received: [UInt8] = []
        let end = Array("\r\n\r\n".utf8)
        var bodyStart: Int?
        while bodyStart == nil {
            guard receive(into: &received) else { return nil }
            bodyStart = received.firstRange(of: end)?.upperBound
        }
        guard let bodyStart else { return nil }
        var request = Request()
        let lines = String(decoding: received[..<bodyStart], as: UTF8.self).components(separatedBy: "\r\n")
        request.line = lines[0]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            request.headers[line[..<colon].lowercased()] = value
        }
        let length = request.headers["content-length"].flatMap { Int($0) } ?? 0
        while received.count < bodyStart + length {
            guard receive(into: &received) else { return nil }
        }
        request.body = Array(received[bodyStart..<bodyStart + length])
        return request
    }

    /// Has the kernel take no more than some kilobytes beyond what was read here, as a slow line does.
    package func narrow() {
        var size: CInt = 16 << 10
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<CInt>.size))
    }

    /// Reads some bytes and forgets them.
    ///
    /// - Returns: how many; 0 when the client closed the connection.
    package func skip(atMost count: Int) -> Int {
        var piece = [UInt8](repeating: 0, count: count)
        return max(0, recv(descriptor, &piece, count, 0))
    }

    /// `POLLRDHUP`, which Glibc shows only to C.
    private static let hangUp: Int16 = 0x2000

    /// Waits until the client has closed or reset the connection, whatever it still sends.
    package func waitUntilClosed() {
        var closing = pollfd(fd: descriptor, events: Self.hangUp, revents: 0)
        poll(&closing, 1, -1)
    }

    /// Sends bytes; a client that has gone is not an error.
    ///
    /// - Returns: whether all could be sent.
    @discardableResult
    package func write(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Makes the coming close a reset, as when a machine loses its memory of the connection.
    package func abort() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
    }

    private func receive(into buffer: inout [UInt8]) -> Bool {
        var piece = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &piece, piece.count, 0)
        guard count > 0 else { return false }
        buffer.append(contentsOf: piece[..<count])
        return true
    }
}
