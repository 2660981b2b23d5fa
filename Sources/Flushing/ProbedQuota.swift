/// What a stream seems to take a second, as far as its throttling has told.
///
/// A throttle is all that a service ever says about its quota. Between two of them everything that the quota allowed
/// was accepted, so what was accepted since the last one, over the time since, *is* the quota, or this sender's share.
/// After a throttle the rate begins a little below that, is back at it after seconds, stays near it, and then probes
/// beyond it faster and faster (the curve of TCP CUBIC), until the throttle says nothing any more and is forgotten.
struct ProbedQuota {
    typealias Instant = ContinuousClock.Instant

    /// After how many seconds the rate is back at what the service took.
    private static let returnSeconds = 3.0

    /// How many seconds later the rate is twice that.
    private static let doublingSeconds = 15.0

    /// When a throttle is forgotten; the rate is then 56 times what the service took.
    private static let memory: Duration = .seconds(60)

    /// The shortest time over which something is measured, in seconds: what the bucket of a service usually holds.
    private static let shortestMeasure = 1.0

    /// How much the rate falls at most at one throttle, and how much at one that comes too soon to measure anything.
    private static let cuts = (largest: 0.5, unmeasured: 0.9)

    /// The smallest quota of a region, a MiB a second: the first guess where nothing was accepted yet.
    private static let firstGuess = 1_048_576.0

    /// The least rate, in cost a second.
    private let least: Double

    /// What the service took a second when it throttled last; nil when it never has.
    private var known: (rate: Double, at: Instant)?

    /// What was accepted since the last throttle, or since the stream was idle.
    private var accepted: (cost: Double, since: Instant)?

    init(least: Double) {
        self.least = least
    }

    /// How much may be sent a second now; nil is no limit.
    func rate(at now: Instant) -> Double? {
        guard let known, now - known.at < Self.memory else { return nil }
        let time = (known.at.seconds(until: now) - Self.returnSeconds) / Self.doublingSeconds
        return known.rate * (1 + time * time * time)
    }

    /// Something was sent; after a pause that was not the pace's doing, measuring begins anew.
    mutating func sent(at now: Instant, afterIdling isAfterIdling: Bool) {
        if accepted == nil || isAfterIdling { accepted = (0, now) }
    }

    /// So much was accepted.
    mutating func accepted(_ cost: Double) {
        accepted?.cost += cost
    }

    /// Something was not accepted because of the quota.
    mutating func throttled(at now: Instant) {
        known = (max(least, sustainable(at: now)), now)
        accepted = (0, now)
    }

    /// What a service that throttles now seems to take a second.
    private func sustainable(at now: Instant) -> Double {
        let cost = accepted?.cost ?? 0
        let seconds = accepted?.since.seconds(until: now) ?? 0
        guard let rate = rate(at: now) else {
            return cost > 0 ? cost / max(Self.shortestMeasure, seconds) : Self.firstGuess
        }
        guard cost > 0 else { return rate * Self.cuts.largest }
        guard seconds >= Self.shortestMeasure else { return rate * Self.cuts.unmeasured }
        return min(rate, max(rate * Self.cuts.largest, cost / seconds))
    }
}

extension ContinuousClock.Instant {
    fileprivate func seconds(until other: Self) -> Double { (other - self) / .seconds(1) }
}
