import Synchronization

/// Where the messages of a whole program go, and what was said lately.
///
/// Lines are written one after the other, under a lock: so while the sink blocks, as a full pipe does, everybody who
/// logs waits. Messages are few by their limits, and a line that is lost cannot say so.
final class LogOutput: Sendable {
    /// Messages of one kind come from one place in the code, or have a name in common.
    enum Kind: Hashable {
        case place(file: String, line: UInt)
        case named(component: String, key: String)
        /// All that are new when there are too many kinds to keep apart.
        case other
    }

    private struct State {
        var histories: [Kind: LogHistory] = [:]
        /// No history is due before this.
        var nextDue: ContinuousClock.Instant?
    }

    /// How many kinds are kept apart at a time.
    private static let maximumKinds = 1_000

    private let sink: @Sendable ([UInt8]) -> Void
    private let now: @Sendable () -> LogTime
    private let state = Mutex(State())

    init(sink: @escaping @Sendable ([UInt8]) -> Void, now: @escaping @Sendable () -> LogTime) {
        self.sink = sink
        self.now = now
    }

    /// Prints a message, or counts it if there were enough of its kind.
    func log(_ message: LogMessage, kind: Kind, limit: LogLimit) {
        state.withLock { state in
            let time = now()
            settle(&state, butNot: kind, at: time)
            let hasRoom = state.histories[kind] != nil || state.histories.count < Self.maximumKinds
            let kind = hasRoom ? kind : .other
            var history = state.histories[kind] ?? LogHistory(limit: kind == .other ? .standard : limit)
            if let others = history.admit(message, at: time.instant) { write(message, others: others, at: time) }
            if let due = history.due { state.nextDue = min(state.nextDue ?? due, due) }
            state.histories[kind] = history
        }
    }

    /// Prints what is held back, as at the end of the program.
    func flush() {
        state.withLock { state in
            let time = now()
            for kind in Array(state.histories.keys) { release(kind, of: &state, at: time) }
        }
    }

    /// Prints what has been held back for long enough, and forgets the kinds of which nothing was heard since.
    ///
    /// The kind of which there is news is left out: its count goes with the news.
    private func settle(_ state: inout State, butNot current: Kind, at time: LogTime) {
        guard let nextDue = state.nextDue, nextDue <= time.instant else { return }
        state.nextDue = nil
        for (kind, history) in state.histories where kind != current {
            guard let due = history.due else { continue }
            if due > time.instant {
                state.nextDue = min(state.nextDue ?? due, due)
            } else if history.held == nil {
                state.histories[kind] = nil
            } else {
                release(kind, of: &state, at: time)
            }
        }
    }

    private func release(_ kind: Kind, of state: inout State, at time: LogTime) {
        guard let released = state.histories[kind]?.release(at: time.instant) else { return }
        write(released.message, others: released.others, at: time)
        if let due = state.histories[kind]?.due { state.nextDue = min(state.nextDue ?? due, due) }
    }

    private func write(_ message: LogMessage, others: Int, at time: LogTime) {
        let ending = others == 0 ? "" : " (and \(others) more like this)"
        sink(LogLine.bytes(message, ending: ending, at: time))
    }
}
