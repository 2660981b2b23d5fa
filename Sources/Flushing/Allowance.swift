/// A limit that the operator has set: so much a second, and what is more has to wait.
struct Allowance {
    typealias Instant = ContinuousClock.Instant

    /// How many seconds' worth goes in one request, besides what was not used before.
    private static let requestSeconds = 0.25

    private let perSecond: Double
    private var debt = Debt()

    init(perSecond: Int) {
        self.perSecond = Double(perSecond)
    }

    /// Before this nothing may be sent; nil is any time.
    var earliestSend: Instant? { debt.paidAt }

    /// How much one request may hold now; at least one.
    func amount(at now: Instant) -> Int {
        max(1, Int(perSecond * (Self.requestSeconds + debt.unusedSeconds(at: now))))
    }

    /// So much was sent.
    mutating func sent(_ amount: Int, at now: Instant) {
        debt.add(.seconds(Double(amount) / perSecond), at: now)
    }
}
