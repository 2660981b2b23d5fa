import Foundation
import Glibc

/// Listens on a port of this machine's own and serves each connection on a thread of its own.
package final class LoopbackServer: Sendable {
    package let port: Int
    private let address: String
    private let connections: OpenConnections

    /// Starts to listen.
    ///
    /// `address` is one of IPv4 or IPv6; a port of 0 is any that is free. `serve` runs once for each connection, which is
    /// closed when it returns.
    package init(
        at address: String = "127.0.0.1",
        port: Int = 0,
        serve: @escaping @Sendable (LoopbackConnection) -> Void
    ) throws {
        let listener = try Self.listen(at: address, port: port)
        self.address = address
        self.port = try Self.boundPort(of: listener)
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
    package var url: String { "http://\(address.contains(":") ? "[\(address)]" : address):\(port)" }

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

    private static func listen(at address: String, port: Int) throws -> CInt {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(address, "\(port)", &hints, &found) == 0, let socketAddress = found?.pointee else {
            throw SocketError(call: "getaddrinfo", code: EINVAL)
        }
        defer { freeaddrinfo(found) }
        let descriptor = socket(socketAddress.ai_family, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw SocketError(call: "socket", code: errno) }
        guard bind(descriptor, socketAddress.ai_addr, socketAddress.ai_addrlen) == 0, Glibc.listen(descriptor, 64) == 0
        else {
            let code = errno
            close(descriptor)
            throw SocketError(call: "bind or listen", code: code)
        }
        return descriptor
    }

    private static func boundPort(of descriptor: CInt) throws -> Int {
        // The port of an address of IPv6 lies in the same place.
        var address = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard result == 0 else { throw SocketError(call: "getsockname", code: errno) }
        return Int(UInt16(bigEndian: address.sin6_port))
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
