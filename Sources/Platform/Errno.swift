import Glibc

/// Why a system call failed.
package struct Errno: Error, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: CInt

    package init(rawValue: CInt) {
        self.rawValue = rawValue
    }

    package static let noSuchFile = Errno(rawValue: ENOENT)
    package static let notADirectory = Errno(rawValue: ENOTDIR)
    package static let tooManySymbolicLinks = Errno(rawValue: ELOOP)
    package static let permissionDenied = Errno(rawValue: EACCES)

    /// The system's words for it and its number, such as `Permission denied (errno 13)`.
    package var description: String {
        var text = [CChar](repeating: 0, count: 128)
        guard unsafe strerror_r(rawValue, &text, text.count) == 0 else { return "errno \(rawValue)" }
        let words = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return "\(String(decoding: words, as: UTF8.self)) (errno \(rawValue))"
    }

    /// Runs a system call that returns -1 on failure, again whenever a signal interrupts it.
    static func check<Value: SignedInteger>(_ call: () -> Value) throws(Errno) -> Value {
        while true {
            let value = call()
            if value != -1 { return value }
            if errno != EINTR { throw Errno(rawValue: errno) }
        }
    }
}
