import Foundation
import Glibc

/// Listens on a free port of 127.0.0.1 and serves each connection on a thread of its own.
package final class LoopbackServer: Sendable {
    package let port: Int
    private let connections: OpenConnections

    /// Starts to listen.
    ///
    /// `serve` runs once for each connection, which is closed when it returns.
    package init(serve: @escaping @Sendable (LoopbackConnection) -> Void) throws {
        let listener = try Self.listen()
        port = try Self.boundPort(of: listener)
        let connections = OpenConnections(listener: listener)
        self.connections = connections
        Thread.detachNewThread {
            var number = 0
            while true {
                var readable = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
                poll(&readable, 1, -1)
                let descriptor = Self.accept(listener)
                if descriptor < 0 {
                    if errno == EINTR || errno == ECONNABORTED { continue }
                    break
                }
                number += 1
                guard connections.add(descriptor) else { continue }
                let connection = LoopbackConnection(descriptor: descriptor, number: number)
                Thread.detachNewThread {
                    serve(connection)
                    connections.close(descriptor)
                }
            }
            close(listener)
        }
    }

    deinit {
        connections.stop()
    }

    /// Where it listens, such as `http://127.0.0.1:40123`.
    package var url: String { "http://127.0.0.1:\(port)" }

    /// Ends every connection and takes no more; later attempts to connect are refused.
    package func stop() {
        connections.stop()
    }

    /// Takes a connection that no process inherits.
    private static func accept(_ listener: CInt) -> CInt {
        spawning.withLock { _ in
            let descriptor = Glibc.accept(listener, nil, nil)
            if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
            return descriptor
        }
    }

    private static func listen() throws -> CInt {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw SocketError(call: "socket", code: errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isBound, Glibc.listen(descriptor, 64) == 0 else {
            let code = errno
            close(descriptor)
            throw SocketError(call: "listen", code: code)
        }
        return descriptor
    }

    private static func boundPort(of descriptor: CInt) throws -> Int {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard result == 0 else { throw SocketError(call: "getsockname", code: errno) }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}

/// A socket call of a test server that failed.
package struct SocketError: Error, CustomStringConvertible {
    package let call: String
    package let code: CInt

    package var description: String { "\(call): \(String(cString: strerror(code)))" }
}

/// The descriptors that a server has open, so that it can end them from outside.
private final class OpenConnections: Sendable {
    private let listener: CInt

    /// Guards what follows; unlike `Mutex`, the thread sanitizer sees what this lock orders.
    private let lock = NSLock()
    nonisolated(unsafe) private var isStopped = false
    nonisolated(unsafe) private var descriptors: Set<CInt> = []

    init(listener: CInt) {
        self.listener = listener
    }

    /// Takes charge of a descriptor, or closes it when the server has stopped.
    func add(_ descriptor: CInt) -> Bool {
        lock.withLock {
            guard !isStopped else {
                Glibc.close(descriptor)
                return false
            }
            descriptors.insert(descriptor)
            return true
        }
    }

    func close(_ descriptor: CInt) {
        lock.withLock {
            descriptors.remove(descriptor)
            _ = Glibc.close(descriptor)
        }
    }

    func stop() {
        lock.withLock {
            guard !isStopped else { return }
            isStopped = true
            shutdown(listener, Int32(SHUT_RDWR))
            for descriptor in descriptors { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }
}
