import Dispatch

/// Runs an actor's blocking calls on a thread of its own, off Swift's small shared pool.
package final class QueueExecutor: SerialExecutor, TaskExecutor {
    private let queue: DispatchQueue

    /// The label is what debuggers show for the thread.
    package init(label: String) {
        queue = DispatchQueue(label: label)
    }

    /// What an actor gives out as its executor; the actor must hold this object as long as it lives.
    @safe package var reference: UnownedSerialExecutor { unsafe asUnownedSerialExecutor() }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
