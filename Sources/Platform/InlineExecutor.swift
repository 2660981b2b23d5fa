import Synchronization

/// Runs jobs one after the other on the thread that brings them, so that calling an actor takes no change of threads.
///
/// Who brings a job while another thread is running some does not wait: that thread runs it, too. Jobs should be short;
/// an actor that blocks for long wants a `QueueExecutor`.
package final class InlineExecutor: SerialExecutor, TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var isRunning = false
    }

    private let state = Mutex(State())

    package init() {}

    /// What an actor gives out as its executor; the actor must hold this object as long as it lives.
    @safe package var reference: UnownedSerialExecutor { unsafe asUnownedSerialExecutor() }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isRunning = state.withLock { state in
            state.jobs.append(job)
            defer { state.isRunning = true }
            return state.isRunning
        }
        guard !isRunning else { return }
        while let next = takeNext() { unsafe next.runSynchronously(on: asUnownedSerialExecutor()) }
    }

    /// The oldest job; nil ends the running.
    private func takeNext() -> UnownedJob? {
        state.withLock { state in
            guard !state.jobs.isEmpty else {
                state.isRunning = false
                return nil
            }
            return state.jobs.removeFirst()
        }
    }
}
