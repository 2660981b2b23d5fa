/// Since when the records of a backlog have been there.
///
/// Two instants do: that of the oldest records, and that of the first one that came after those. None is ever later
/// than when a record really came.
struct BacklogAge {
    typealias Instant = ContinuousClock.Instant

    private enum State {
        case empty
        /// The `oldest` of the `total` records are there since `since`, the others since `others`.
        case some(total: Int, oldest: Int, since: Instant, others: Instant)
    }

    private var state = State.empty

    /// The backlog was looked at, and this many records were there.
    mutating func found(_ records: Int, at now: Instant) {
        guard records > 0 else { return state = .empty }
        switch state {
        case .empty:
            state = .some(total: records, oldest: records, since: now, others: now)
        case .some(let total, let oldest, let since, let others):
            state = .some(
                total: records,
                oldest: min(oldest, records),
                since: since,
                others: total > oldest ? others : now
            )
        }
    }

    /// The oldest records have left.
    mutating func removed(_ records: Int) {
        guard case .some(let total, let oldest, let since, let others) = state else { return }
        if records >= total {
            state = .empty
        } else if records >= oldest {
            state = .some(total: total - records, oldest: total - records, since: others, others: others)
        } else {
            state = .some(total: total - records, oldest: oldest - records, since: since, others: others)
        }
    }

    /// Since when the oldest record is there, not counting the first `skipped` ones; nil if there is none.
    func since(skipping skipped: Int = 0) -> Instant? {
        guard case .some(let total, let oldest, let since, let others) = state, skipped < total else { return nil }
        return skipped < oldest ? since : others
    }
}
