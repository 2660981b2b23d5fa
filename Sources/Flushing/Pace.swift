import Records

/// How fast a stream may send: no faster than it takes, as far as that is known, and than the operator allows.
///
/// What counts is records and bytes, not requests. While the rate is known, requests are made smaller, too: one that
/// is larger than what the service has saved up is refused however long it waits, and many small ones feel out a quota
/// with less refused.
struct Pace {
    typealias Instant = ContinuousClock.Instant

    /// What a request may hold at least while the rate is known, in bytes; how many seconds' worth, if that is more.
    private static let requestSize = (bytes: 32_768.0, seconds: 1.0 / 16)

    /// A stream that has nothing in flight and nothing to wait for is idle after that time.
    private static let idleness: Duration = .seconds(1)

    /// The wait after a throttle, so that the service saves up a little.
    private let recovery: Duration

    private let longestGap: Duration
    private var quota: ProbedQuota
    private var debt = Debt()
    private var byteAllowance: Allowance?
    private var recordAllowance: Allowance?

    private var lastSent: Instant?
    private var inFlight = 0

    /// How many of those in flight were sent before the last throttle: that they are throttled, too, is no news.
    private var outdated = 0

    init(_ policy: FlushPolicy) {
        recovery = policy.overLimit.initial / 4
        longestGap = policy.overLimit.max
        quota = ProbedQuota(least: Self.requestSize.bytes / (longestGap / .seconds(1)))
        byteAllowance = policy.maxBytesPerSecond.map { Allowance(perSecond: $0) }
        recordAllowance = policy.maxRecordsPerSecond.map { Allowance(perSecond: $0) }
    }
}

// MARK: What may be sent

extension Pace {
    /// Before this nothing may be sent; nil is any time.
    var earliestSend: Instant? {
        [debt.paidAt, byteAllowance?.earliestSend, recordAllowance?.earliestSend].compactMap(\.self).max()
    }

    /// What a request may hold that is sent now.
    func limits(within limits: BatchLimits, at now: Instant) -> BatchLimits {
        var limits = limits
        if let rate = quota.rate(at: now) {
            let worth = max(Self.requestSize.bytes, rate * Self.requestSize.seconds)
            limits.bytes = min(limits.bytes, Int(worth + rate * debt.unusedSeconds(at: now)))
        }
        if let byteAllowance { limits.bytes = min(limits.bytes, byteAllowance.amount(at: now)) }
        if let recordAllowance { limits.records = min(limits.records, recordAllowance.amount(at: now)) }
        return limits
    }

    /// What a request takes of a quota, in bytes.
    ///
    /// Firehose's three quotas grow together, 100,000 records and 1,000 requests to a MiB, all a second: so one number
    /// stands for all of them.
    private static func cost(records: Int, bytes: Int) -> Double {
        Double(max(bytes, records * 10, 1_024))
    }
}

// MARK: What happened

extension Pace {
    /// A request is on its way.
    mutating func sent(records: Int, bytes: Int, at now: Instant) {
        byteAllowance?.sent(bytes, at: now)
        recordAllowance?.sent(records, at: now)
        let busyUntil = [lastSent, earliestSend].compactMap(\.self).max() ?? now
        quota.sent(at: now, afterIdling: inFlight == 0 && now - busyUntil > Self.idleness)
        lastSent = now
        inFlight += 1
        guard let rate = quota.rate(at: now) else { return }
        debt.add(min(longestGap, .seconds(Self.cost(records: records, bytes: bytes) / rate)), at: now)
    }

    /// A request was answered, or given up.
    mutating func landed() {
        inFlight -= 1
        outdated = max(0, outdated - 1)
    }

    /// So much of a request was accepted.
    mutating func accepted(records: Int, bytes: Int) {
        quota.accepted(Self.cost(records: records, bytes: bytes))
    }

    /// A request that is still in flight was throttled, as a whole or in part.
    mutating func throttled(at now: Instant) {
        guard outdated == 0 else { return }
        quota.throttled(at: now)
        outdated = inFlight
        debt.settle(at: now + recovery)
    }

    /// Somebody wishes that the next request is sent at once; what the operator allows is not exceeded even then.
    mutating func hurry() {
        debt.forgive()
    }
}
