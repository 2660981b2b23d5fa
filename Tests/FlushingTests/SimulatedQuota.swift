/// A stream with a limit, in a time of its own: a bucket that fills at the quota and holds a second of it.
struct SimulatedQuota {
    typealias Instant = ContinuousClock.Instant

    enum Refusal: CaseIterable {
        /// A request that does not fit is refused as a whole.
        case wholeRequests
        /// What does not fit of a request is refused, record by record.
        case singleRecords
    }

    /// Bytes a second; the bucket shrinks with it, and has to fill up when it grows.
    private(set) var bytesPerSecond: Double
    let refusal: Refusal

    /// What the bucket would have let through since the beginning, if it never was full.
    private(set) var granted = 0.0
    private var level: Double
    private var filledAt: Instant

    init(bytesPerSecond: Double, refusal: Refusal, at start: Instant) {
        self.bytesPerSecond = bytesPerSecond
        self.refusal = refusal
        level = bytesPerSecond
        filledAt = start
    }

    /// The quota is another from now on.
    mutating func change(to bytesPerSecond: Double, at now: Instant) {
        fill(at: now)
        self.bytesPerSecond = bytesPerSecond
        level = min(level, bytesPerSecond)
    }

    /// Takes a request; gives how many of its records are accepted.
    mutating func take(_ records: Int, ofBytes size: Int, at now: Instant) -> Int {
        fill(at: now)
        let fitting = min(records, Int(level) / size)
        guard refusal == .singleRecords || fitting == records else { return 0 }
        level -= Double(fitting * size)
        return fitting
    }

    private mutating func fill(at now: Instant) {
        let gain = (now - filledAt) / .seconds(1) * bytesPerSecond
        granted += gain
        level = min(bytesPerSecond, level + gain)
        filledAt = now
    }
}
