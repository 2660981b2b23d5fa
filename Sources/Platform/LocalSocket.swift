import CPlatform
import Dispatch
import Glibc

/// A Unix socket at which whoever may open it asks something in one line, and gets one answer.
///
/// One connection is served at a time. Who sends no line, or does not take the answer, is cut off after a second.
package final class LocalServer: Sendable {
    /// Bytes in a question, its newline included, that are read at most.
    package static let longestQuestion = 4_096

    private let path: String

    /// A dispatch source may be used from any thread, but is not marked so.
    private nonisolated(unsafe) let source: any DispatchSourceRead

    /// Begins to listen at `path`, with mode 0600; what had the name is removed.
    ///
    /// - Parameters:
    ///   - path: 107 bytes at most.
    ///   - answer: gives the answer to a question, which comes without its newline; nil hangs up.
    /// - Throws: why nobody can connect.
    package init(
        at path: String,
        _ answer: @escaping @Sendable (_ question: [UInt8]) async -> [UInt8]?
    ) throws(FileError) {
        self.path = path
        try removeFile(path)
        let listener: CInt
        do throws(Errno) {
            listener = try Errno.check { unsafe cplatform_listen(path) }
        } catch {
            throw FileError("listen at", path, error)
        }
        let queue = DispatchQueue(label: "firetail.status")
        unsafe source = DispatchSource.makeReadSource(fileDescriptor: listener, queue: queue)
        unsafe source.setEventHandler {
            guard let raw = try? Errno.check({ cplatform_accept(listener, 1) }) else { return }
            Self.serve(FileDescriptor(owning: raw), on: queue, answer)
        }
        unsafe source.setCancelHandler { _ = Glibc.close(listener) }
        unsafe source.resume()
    }

    deinit {
        unsafe source.cancel()
        try? removeFile(path)
    }

    private static func serve(
        _ connection: consuming FileDescriptor,
        on queue: DispatchQueue,
        _ answer: @escaping @Sendable ([UInt8]) async -> [UInt8]?
    ) {
        guard let question = connection.readLine(atMost: longestQuestion) else { return }
        let open = OpenConnection(connection)
        Task {
            let bytes = await answer(question) ?? []
            queue.async { open.send(bytes) }
        }
    }
}

/// A connection that a task and a queue hold together.
private final class OpenConnection: Sendable {
    private let descriptor: FileDescriptor

    init(_ descriptor: consuming FileDescriptor) {
        self.descriptor = descriptor
    }

    func send(_ bytes: [UInt8]) { try? descriptor.send(bytes.span) }
}

/// Asks a `LocalServer` in one line, and waits for its answer of `limit` bytes at most.
///
/// - Throws: also if nothing comes for so many seconds; then the error number is `EAGAIN`.
package func ask(
    _ question: String,
    at path: String,
    limit: Int,
    patience seconds: Int
) throws(FileError) -> [UInt8] {
    do throws(Errno) {
        let connection = FileDescriptor(owning: try Errno.check { unsafe cplatform_connect(path, CInt(seconds)) })
        try connection.send(Array((question + "\n").utf8).span)
        var answer: [UInt8] = []
        while try connection.receive(appendingTo: &answer), answer.count <= limit {}
        return answer
    } catch {
        throw FileError("ask", path, error)
    }
}

extension FileDescriptor {
    /// Sends all bytes; one who has hung up is no reason to die of a signal.
    fileprivate func send(_ bytes: Span<UInt8>) throws(Errno) {
        var sent = 0
        while sent < bytes.count {
            sent += try unsafe bytes.withUnsafeBytes { (buffer) throws(Errno) -> Int in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[sent...])
                let flags = CInt(MSG_NOSIGNAL)
                return try Errno.check { unsafe Glibc.send(rawValue, rest.baseAddress, rest.count, flags) }
            }
        }
    }

    /// - Returns: false at the end.
    fileprivate func receive(appendingTo bytes: inout [UInt8]) throws(Errno) -> Bool {
        var piece = [UInt8](repeating: 0, count: 16_384)
        let size = piece.count
        var failure: Errno?
        let count = unsafe piece.withUnsafeMutableBytes { buffer -> Int in
            do throws(Errno) {
                return try Errno.check { unsafe recv(rawValue, buffer.baseAddress, size, 0) }
            } catch {
                failure = error
                return 0
            }
        }
        if let failure { throw failure }
        bytes += piece[..<count]
        return count > 0
    }

    /// One line without its newline; nil if there is none within so many bytes, or not in time.
    fileprivate func readLine(atMost limit: Int) -> [UInt8]? {
        var line: [UInt8] = []
        let deadline = ContinuousClock.now + .seconds(1)
        while .now < deadline, (try? receive(appendingTo: &line)) == true {
            if let end = line.firstIndex(of: UInt8(ascii: "\n")) { return end < limit ? Array(line[..<end]) : nil }
            if line.count >= limit { return nil }
        }
        return nil
    }
}
