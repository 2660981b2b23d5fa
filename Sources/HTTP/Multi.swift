import CCurl
import Synchronization

/// What drives one transfer at a time, holds the open connection between transfers, and can be woken from another thread.
@safe
final class Multi: Sendable {
    /// Only `curl_multi_wakeup` is called on it from elsewhere than the connection's thread, which libcurl allows.
    nonisolated(unsafe) let handle: UnsafeMutableRawPointer

    init() throws(HTTPError) {
        guard Self.isLibraryReady, let handle = unsafe curl_multi_init() else {
            throw .unusable(reason: "libcurl could not be started; is there memory left?")
        }
        unsafe self.handle = handle
    }

    deinit {
        unsafe curl_multi_cleanup(handle)
    }

    /// Ends the wait of `curl_multi_poll`.
    func wake() {
        _ = unsafe curl_multi_wakeup(handle)
    }

    /// `curl_global_init`, once in the process.
    private static let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
}

/// Interrupts one request from another thread, before it begins or while it runs.
package final class HTTPInterrupt: Sendable {
    private let multi: Multi
    private let isRaisedFlag = Atomic(false)

    init(of multi: Multi) {
        self.multi = multi
    }

    /// Whether the request is to end.
    package var isRaised: Bool { isRaisedFlag.load(ordering: .acquiring) }

    /// Makes the request end with `HTTPError.cancelled`, unless it has ended already.
    package func raise() {
        isRaisedFlag.store(true, ordering: .releasing)
        multi.wake()
    }
}
