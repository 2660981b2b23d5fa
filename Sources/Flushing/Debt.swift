/// When what was sent at a rate is paid for; until then nothing more is.
///
/// Sending comes first and the wait after it, so that a record of any size passes at a rate of any size.
struct Debt {
    typealias Instant = ContinuousClock.Instant

    /// How much unused time counts at most: so that what a slow answer kept from being sent is made up for.
    private static let memory: Duration = .milliseconds(250)

    /// When all is paid; nil if there is nothing to pay.
    private(set) var paidAt: Instant?

    /// How many seconds were not used since all was paid, as far as they count.
    func unusedSeconds(at now: Instant) -> Double {
        guard let paidAt else { return Self.memory / .seconds(1) }
        return max(.zero, min(Self.memory, now - paidAt)) / .seconds(1)
    }

    /// Something was sent that takes this time to pay.
    mutating func add(_ price: Duration, at now: Instant) {
        let beginning = now - Self.memory
        paidAt = max(paidAt ?? beginning, beginning) + price
    }

    /// Whatever is owed, all is paid at this instant.
    mutating func settle(at instant: Instant) {
        paidAt = instant
    }

    /// Nothing is owed any more.
    mutating func forgive() {
        paidAt = nil
    }
}
