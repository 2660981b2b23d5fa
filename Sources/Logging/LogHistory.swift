/// What became of the messages of one kind.
struct LogHistory {
    private let limit: LogLimit

    /// When the latest lines were printed, at most as many as the limit allows.
    private var printed: [ContinuousClock.Instant] = []

    /// The latest of the messages that were only counted since the last line.
    private(set) var held: LogMessage?
    private var heldCount = 0

    init(limit: LogLimit) {
        self.limit = limit
    }

    /// When another line may be printed, or the kind can be forgotten.
    var due: ContinuousClock.Instant? {
        guard let last = printed.last, let first = printed.first else { return nil }
        return (held == nil ? last : first) + limit.period
    }

    /// Takes a message.
    ///
    /// - Returns: how many like it were held back before, if it is to be printed; nil if it is held back as well.
    mutating func admit(_ message: LogMessage, at now: ContinuousClock.Instant) -> Int? {
        printed.removeAll { now - $0 >= limit.period }
        guard printed.count < limit.lines else {
            held = message
            heldCount += 1
            return nil
        }
        printed.append(now)
        defer { clear() }
        return heldCount
    }

    /// Gives up what is held back, to be printed now.
    ///
    /// - Returns: the latest message, and how many others there were.
    mutating func release(at now: ContinuousClock.Instant) -> (message: LogMessage, others: Int)? {
        guard let message = held else { return nil }
        defer { clear() }
        printed.removeAll { now - $0 >= limit.period }
        printed.append(now)
        return (message, heldCount - 1)
    }

    private mutating func clear() {
        held = nil
        heldCount = 0
    }
}
