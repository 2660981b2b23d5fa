import Glibc

/// Why a file could not be read whole.
package enum FileContentsError: Error, Equatable, CustomStringConvertible {
    /// There is no file of this name.
    case missing(path: String)

    /// There is one, but the system does not let it be read.
    case unreadable(path: String, reason: String)

    /// It has more bytes than the caller is ready to hold.
    case tooLarge(path: String, limit: Int)

    package var description: String {
        switch self {
        case .missing(let path): "\(path): no such file"
        case .unreadable(let path, let reason): "\(path): cannot be read: \(reason)"
        case .tooLarge(let path, let limit): "\(path): has more than \(limit) bytes"
        }
    }

    /// What the error number of a failed call on `path` means.
    fileprivate init(path: String, code: CInt) {
        if code == ENOENT || code == ENOTDIR {
            self = .missing(path: path)
        } else {
            self = .unreadable(path: path, reason: unsafe String(cString: strerror(code)))
        }
    }
}

/// Reads a small file whole, such as a configuration, of at most `limit` bytes.
///
/// It may be a pipe; a FIFO that nobody has open for writing is empty, and not waited for.
package func readFile(path: String, limit: Int) throws(FileContentsError) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw FileContentsError(path: path, code: errno) }
    defer { _ = close(descriptor) }
    // Only opening must not wait.
    guard fcntl(descriptor, F_SETFL, 0) == 0 else { throw FileContentsError(path: path, code: errno) }

    var contents: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 16 * 1024)
    while true {
        let count = unsafe piece.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
        if count < 0 {
            if errno == EINTR { continue }
            throw FileContentsError(path: path, code: errno)
        }
        if count == 0 { return contents }
        guard contents.count + count <= limit else { throw .tooLarge(path: path, limit: limit) }
        contents.append(contentsOf: piece[..<count])
    }
}
