import Glibc

/// The stream for messages to whoever runs the program.
package enum StandardError {
    /// Writes all of `bytes`, with one system call unless the system takes only a part of them.
    ///
    /// It waits while a pipe is full. What cannot be written is given up: there is nowhere to say so.
    package static func write(_ bytes: [UInt8]) {
        var written = 0
        while written < bytes.count {
            let rest = bytes[written...]
            let count = try? Errno.check {
                unsafe rest.withUnsafeBytes { unsafe Glibc.write(2, $0.baseAddress, $0.count) }
            }
            guard let count else { return }
            written += count
        }
    }
}
