import Glibc

/// The stream for what a program was asked for.
package enum StandardOutput {
    /// Writes all of `bytes`; waits while a pipe is full.
    ///
    /// - Throws: why not all could be written, such as a reader that is gone.
    package static func write(_ bytes: [UInt8]) throws(Errno) {
        var written = 0
        while written < bytes.count {
            let rest = bytes[written...]
            written += try Errno.check {
                unsafe rest.withUnsafeBytes { unsafe Glibc.write(1, $0.baseAddress, $0.count) }
            }
        }
    }
}
