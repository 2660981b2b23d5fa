import Synchronization

/// Tells one waiting task that something happened; happenings before the wait are not lost, several are one.
package final class Signal: Sendable {
    private struct State {
        var isRaised = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    package init() {}

    /// Makes the present or the next `wait` return.
    package func raise() {
        let waiter = state.withLock { state in
            defer { state.waiter = nil }
            state.isRaised = state.waiter == nil
            return state.waiter
        }
        waiter?.resume()
    }

    /// Waits until the signal is raised, `deadline` has passed, or the task is cancelled.
    ///
    /// Only one task may wait at a time.
    package func wait(until deadline: ContinuousClock.Instant? = nil) async {
        let alarm = deadline.map { deadline in
            Task {
                try await Task.sleep(until: deadline, clock: .continuous)
                self.raise()
            }
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isRaised = state.withLock { state in
                    precondition(state.waiter == nil, "one task waits for a signal at a time")
                    if state.isRaised || Task.isCancelled {
                        state.isRaised = false
                        return true
                    }
                    state.waiter = continuation
                    return false
                }
                if isRaised { continuation.resume() }
            }
        } onCancel: {
            raise()
        }
        alarm?.cancel()
    }
}
