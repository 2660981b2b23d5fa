import Synchronization

/// Counts how often something happened, from any thread.
package final class Signals: Sendable {
    private let total = Mutex(0)

    package init() {}

    package func count() {
        total.withLock { $0 += 1 }
    }

    package var value: Int { total.withLock { $0 } }
}
