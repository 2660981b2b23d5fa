import Foundation

/// A value that tests wait on: a wait ends when a change makes its condition true.
///
/// Its lock is an `NSLock` because the thread sanitizer knows that one; a `Mutex` it takes for a race.
final class Watched<Value: Sendable>: Sendable {
    private let lock = NSLock()
    private nonisolated(unsafe) var current: Value
    private nonisolated(unsafe) var waiters: [Waiter] = []

    private struct Waiter {
        var isMet: @Sendable (Value) -> Bool
        var continuation: CheckedContinuation<Void, Never>
    }

    init(_ value: Value) {
        current = value
    }

    var value: Value { lock.withLock { current } }

    @discardableResult
    func change<Result>(_ change: (inout Value) -> Result) -> Result {
        lock.withLock {
            let result = change(&current)
            for waiter in waiters where waiter.isMet(current) { waiter.continuation.resume() }
            waiters.removeAll { $0.isMet(current) }
            return result
        }
    }

    func wait(until isMet: @escaping @Sendable (Value) -> Bool) async {
        await withCheckedContinuation { continuation in
            lock.withLock {
                if isMet(current) {
                    continuation.resume()
                } else {
                    waiters.append(Waiter(isMet: isMet, continuation: continuation))
                }
            }
        }
    }
}
