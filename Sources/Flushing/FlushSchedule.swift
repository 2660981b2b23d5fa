package import Cache
package import Records

/// Decides when a stream sends, how much, and how long it waits after a failure.
///
/// It has no clock and sends nothing: events come in, `next` says what to do. A stream is *idle* while nothing is
/// cached, *gathers* until there is a full batch, an old record or a wish to flush, *sends* while that is so, and
/// *rests* after a failure.
package struct FlushSchedule: Sendable {
    package typealias Instant = ContinuousClock.Instant

    /// What to do now.
    package enum Action: Sendable, Equatable {
        /// Send the oldest records, as many as this allows; `sent` tells that it was done.
        case send(atMost: BatchLimits)
        /// Ask again then, or when anything happens.
        case sleep(until: Instant)
        /// Ask again when something was recorded.
        case sleepUntilRecorded
        /// Ask again when a request in flight is answered.
        case sleepUntilAnswered
        /// Finish: everything was sent, or cannot be now.
        case stop
    }

    /// What to do about a failed request.
    package enum Remedy: Sendable, Equatable {
        /// Give the records back to the cache; they go again after the wait.
        case retry(in: Duration)
        /// Set the one record of the request aside.
        case setAside
    }

    /// The longest rest that a service's own wish can cause.
    private static let longestRest: Duration = .seconds(900)

    /// How much may be ahead of the slowest delivery, in bytes.
    private static let leastLead = 262_144

    /// How long nobody takes anything until that is an outage.
    private static let patience: Duration = .seconds(10)

    private let policy: FlushPolicy

    /// What is cached and not in flight.
    private var waiting = Backlog()

    private var age = BacklogAge()
    private var pace: Pace
    private var recent = RecentDelivery()
    private var bisection: Bisection?

    /// How many of the oldest records, those in flight included, wait neither for a fuller batch nor for their age.
    private var pressing = 0

    /// Whether everything that is found next is pressing; at the start it is.
    private var isAsked = true

    private var requestsInFlight = 0
    private var recordsInFlight = 0

    /// How often in a row the stream has failed, and in what way.
    private var failures: (kind: DeliveryFailure.Kind, count: Int)?

    /// Since when nothing was accepted although it was tried; nil if something was.
    private var failingSince: Instant?

    /// When the stream may send again, and when it may if somebody wishes it.
    private var rest: (until: Instant, atLeastUntil: Instant)?

    private var isFinishing = false
    private var hasGivenUp = false

    package init(_ policy: FlushPolicy) {
        self.policy = policy
        pace = Pace(policy)
    }
}

// MARK: What to do

extension FlushSchedule {
    /// What to do now; asked again after each event and at the end of each sleep.
    package func next(at now: Instant) -> Action {
        if requestsInFlight >= allowedRequests { return .sleepUntilAnswered }
        if hasGivenUp || waiting.isEmpty {
            if requestsInFlight > 0 { return .sleepUntilAnswered }
            return isFinishing ? .stop : .sleepUntilRecorded
        }
        if let ready = earliestSend, now < ready { return .sleep(until: ready) }
        if isFull || pressing > recordsInFlight { return .send(atMost: limits(at: now)) }
        let due = age.since(skipping: recordsInFlight).map { $0 + policy.maxAge }
        guard let due, now < due else { return .send(atMost: limits(at: now)) }
        return .sleep(until: due)
    }

    /// Whether one more record of the usual size would not fit in a request any more.
    private var isFull: Bool {
        waiting.records >= policy.limits.records
            || waiting.bytes + waiting.bytes / max(1, waiting.records) > policy.limits.bytes
    }

    /// How many bytes of the stream may be cached before reading is to wait; nil is as many as there is room for.
    ///
    /// As much as was delivered in the last seconds: more would only keep waiting what is read after it. In an outage
    /// that does not count: then the cache is for what cannot be read again later.
    package func lead(at now: Instant) -> Int? {
        if let failingSince, now - failingSince >= Self.patience { return nil }
        return max(Self.leastLead, Int(recent.bytes))
    }

    private func limits(at now: Instant) -> BatchLimits {
        var limits = pace.limits(within: policy.limits, at: now)
        if let bisection { limits.records = min(limits.records, bisection.limit) }
        return limits
    }

    /// A stream in trouble is tried with one request at a time.
    private var allowedRequests: Int {
        failures == nil && bisection == nil ? policy.requestsInFlight : 1
    }

    /// When the rest is over and the pace allows a request; nil is now.
    private var earliestSend: Instant? {
        guard let until = rest?.until else { return pace.earliestSend }
        return max(until, pace.earliestSend ?? until)
    }
}

// MARK: What happened

extension FlushSchedule {
    /// The cache was asked what waits, without what is in flight.
    package mutating func found(_ backlog: Backlog, at now: Instant) {
        waiting = backlog
        let total = backlog.records + recordsInFlight
        age.found(total, at: now)
        // Where reading waits for delivery, no fuller batch will come.
        let isAwaited = lead(at: now).map { backlog.bytes >= $0 } ?? false
        if isAsked || isFinishing || isAwaited { pressing = total }
        isAsked = false
        pressing = min(pressing, total)
        recent.pass(until: now, isSending: requestsInFlight > 0 || isFull || pressing > 0)
    }

    /// Somebody wishes that everything is sent without waiting, and that a stream in trouble tries at once.
    ///
    /// Only for how long the service wants to be left alone is not for them to say.
    package mutating func flushAsked() {
        isAsked = true
        pace.hurry()
        if let rest { self.rest = (rest.atLeastUntil, rest.atLeastUntil) }
    }

    /// The program is about to end: everything is to be sent, up to the first failure.
    package mutating func finishAsked(at now: Instant) {
        flushAsked()
        isFinishing = true
        if let rest, rest.until > now { hasGivenUp = true }
    }

    /// Nothing more is to be sent; the schedule stops when what is in flight is answered.
    package mutating func pauseAsked() {
        isFinishing = true
        hasGivenUp = true
    }

    /// A request with this many records, and bytes of them, is on its way.
    package mutating func sent(records: Int, bytes: Int, at now: Instant) {
        requestsInFlight += 1
        recordsInFlight += records
        recent.pass(until: now, isSending: true)
        pace.sent(records: records, bytes: bytes, at: now)
    }

    /// All records of a request, with this many bytes, were accepted.
    package mutating func accepted(records: Int, bytes: Int) {
        landed(records)
        pace.accepted(records: records, bytes: bytes)
        recent.accepted(bytes)
        removed(records)
    }

    /// Some records of a request were accepted, others were not, `throttled` of them because of the stream's limit.
    ///
    /// That is progress, and as much of a failure as the share of refused records.
    package mutating func partlyRefused(
        refused: Int,
        throttled: Int,
        of records: Int,
        acceptedBytes: Int,
        at now: Instant
    ) {
        pace.accepted(records: records - refused, bytes: acceptedBytes)
        recent.accepted(acceptedBytes)
        if throttled > 0 { pace.throttled(at: now) }
        landed(records)
        removed(records - refused)
        pressing = max(pressing, refused)
        let throttledShare = Double(throttled) / Double(records)
        let otherShare = Double(refused - throttled) / Double(records)
        let wait = max(policy.overLimit.initial * throttledShare, policy.unanswered.initial * otherShare)
        rest = (now + wait, now)
    }

    /// No record of a request was accepted.
    ///
    /// - Parameters:
    ///   - failure: why.
    ///   - records: how many the request had.
    ///   - now: the present.
    ///   - random: from 0 to 1, so that many senders do not come back at once.
    /// - Returns: what to do with the records.
    package mutating func failed(
        _ failure: DeliveryFailure,
        records: Int,
        at now: Instant,
        random: Double
    ) -> Remedy {
        if failure.kind == .throttled { pace.throttled(at: now) }
        landed(records)
        pressing = max(pressing, records)
        switch failure.kind {
        case .tooLarge, .invalid:
            guard records > 1 else { return .setAside }
            bisection = Bisection(refused: records, isTheirFault: failure.kind == .invalid)
            return .retry(in: .zero)
        case .throttled, .unreachable, .credentials, .configuration:
            failingSince = failingSince ?? now
        }
        if isFinishing { hasGivenUp = true }
        let wish = min(failure.retryAfter ?? .zero, Self.longestRest)
        let wait = max(wish, patience(with: failure.kind, failures: countFailure(failure.kind), random: random))
        rest = (now + wait, now + wish)
        return .retry(in: wait)
    }

    /// The one record of a failed request became a dead letter.
    ///
    /// When it happens again and again, the service is more likely to be wrong than all the records: it slows down.
    package mutating func setAside(at now: Instant) {
        removed(1, isAccepted: false)
        let inARow = countFailure(.invalid)
        if inARow > 1 {
            let wait = policy.unanswered.doubling(inARow - 1)
            rest = (now + wait, now)
        }
    }

    /// Records became dead letters because they were refused too often.
    package mutating func gaveUp(on records: Int) {
        if records > 0 { removed(records, isAccepted: false) }
    }

    /// The cache could not be read.
    package mutating func storageFailed(at now: Instant) {
        if isFinishing { hasGivenUp = true }
        rest = (now + policy.storageRetry, now)
    }

    private mutating func landed(_ records: Int) {
        requestsInFlight -= 1
        pace.landed()
        recordsInFlight -= records
    }

    private mutating func removed(_ records: Int, isAccepted: Bool = true) {
        age.removed(records)
        pressing = max(0, pressing - records)
        bisection?.removed(records)
        if let limit = bisection?.limit, limit >= policy.limits.records { bisection = nil }
        guard isAccepted else { return }
        failures = nil
        failingSince = nil
    }

    private mutating func countFailure(_ kind: DeliveryFailure.Kind) -> Int {
        let count = failures?.kind == kind ? (failures?.count ?? 0) + 1 : 1
        failures = (kind, count)
        return count
    }

    /// How long to wait after this many failures of a kind in a row.
    private func patience(with kind: DeliveryFailure.Kind, failures: Int, random: Double) -> Duration {
        switch kind {
        case .throttled: policy.overLimit.doubling(failures)
        case .unreachable: policy.unanswered.doubling(failures) * (0.5 + random / 2)
        case .credentials: policy.credentials.steady(failures)
        case .configuration: policy.configuration.doubling(failures)
        case .tooLarge, .invalid: .zero
        }
    }
}
