import CPlatform
import Glibc

/// Wakes a thread that waits for files to change; rung from any thread.
package final class Doorbell: Sendable {
    private let descriptor: FileDescriptor

    package init() throws(Errno) {
        descriptor = FileDescriptor(owning: try Errno.check { cplatform_eventfd() })
    }

    /// Makes the present or the next `wait` return.
    package func ring() {
        var one: UInt64 = 1
        _ = unsafe write(descriptor.rawValue, &one, 8)
    }

    /// Blocks until the bell rings, `inotify` has news, or the time is over.
    ///
    /// - Parameters:
    ///   - inotify: what else to wait for, if it could be had.
    ///   - timeout: nil waits for ever.
    package func wait(or inotify: borrowing Inotify?, atMost timeout: Duration?) {
        let milliseconds = timeout.map { CInt(clamping: max(0, $0.wholeMilliseconds)) } ?? -1
        var descriptors = [pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)]
        if let news = pollDescriptor(of: inotify) {
            descriptors.append(pollfd(fd: news, events: Int16(POLLIN), revents: 0))
        }
        _ = unsafe poll(&descriptors, nfds_t(descriptors.count), milliseconds)
        var rings: UInt64 = 0
        _ = unsafe read(descriptor.rawValue, &rings, 8)
    }

    private func pollDescriptor(of inotify: borrowing Inotify?) -> CInt? {
        switch inotify {
        case .some(let inotify): inotify.pollDescriptor
        case .none: nil
        }
    }
}

extension Duration {
    /// Rounded up.
    package var wholeMilliseconds: Int {
        let (seconds, attoseconds) = components
        return Int(seconds) * 1_000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
