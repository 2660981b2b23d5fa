import CPlatform
import Glibc

/// A failed system call's error number.
package struct Errno: Error, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: CInt

    package init(rawValue: CInt) {
        self.rawValue = rawValue
    }

    /// The C library's text for it, such as "No such file or directory".
    package var description: String {
        unsafe String(cString: cplatform_describe(rawValue))
    }

    /// Runs a system call that returns -1 on failure, again whenever a signal interrupts it.
    @discardableResult
    package static func check<Value: SignedInteger>(_ call: () -> Value) throws(Errno) -> Value {
        while true {
            let value = call()
            if value != -1 { return value }
            if errno != EINTR { throw Errno(rawValue: errno) }
        }
    }

    /// Whether it says that a disk or a quota is full.
    package var isOutOfSpace: Bool { self == .noSpace || self == .overQuota }

    package static let noSuchFile = Errno(rawValue: ENOENT)
    package static let noSuchAddress = Errno(rawValue: ENXIO)
    package static let tooManySymbolicLinks = Errno(rawValue: ELOOP)
    package static let connectionRefused = Errno(rawValue: ECONNREFUSED)
    package static let notADirectory = Errno(rawValue: ENOTDIR)
    package static let noSpace = Errno(rawValue: ENOSPC)
    package static let overQuota = Errno(rawValue: EDQUOT)
    package static let permissionDenied = Errno(rawValue: EACCES)
    package static let wouldBlock = Errno(rawValue: EAGAIN)
    package static let tooManyOpenFiles = Errno(rawValue: EMFILE)
    package static let tooManyOpenFilesInSystem = Errno(rawValue: ENFILE)
}

/// A system call that failed on a named file.
package struct FileError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What was tried, as in "open".
    package var operation: String
    package var path: String
    package var errno: Errno

    package init(_ operation: String, _ path: String, _ errno: Errno) {
        self.operation = operation
        self.path = path
        self.errno = errno
    }

    package var description: String { "cannot \(operation) \(path): \(errno)" }
}
