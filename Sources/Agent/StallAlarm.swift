/// Notices that work is pending and nothing gets done.
struct StallAlarm {
    typealias Instant = ContinuousClock.Instant

    /// How far the work has come, by what only grows.
    struct Progress: Equatable {
        var deliveredRecords = 0
        var readBytes = 0
    }

    /// How long nothing may get done, and how often that is said.
    private let patience: Duration

    private var last = Progress()
    private var since: Instant
    private var said: Instant

    init(patience: Duration, at now: Instant) {
        self.patience = patience
        since = now
        said = now
    }

    /// Takes note of how far the work has come.
    ///
    /// - Returns: since how long nothing got done, if it is time to say so.
    mutating func check(_ progress: Progress, isPending: Bool, at now: Instant) -> Duration? {
        if progress != last || !isPending {
            last = progress
            since = now
            said = now
        }
        guard now - said >= patience else { return nil }
        said = now
        return now - since
    }
}
