import Cache
import Records

/// What a destination has said about one leased batch.
struct Answer: Sendable {
    let lease: Lease
    let outcome: Outcome

    /// How long the request took.
    let duration: Duration

    enum Outcome: Sendable {
        case accepted
        /// At least one record was accepted and one was not; a mark for each record, true is refused.
        case partlyRefused(Refusals)
        case failed(DeliveryFailure)
        /// The service has answered for each record, and refused all of them.
        case allRefused(Refusals)
    }

    /// Which records were refused.
    struct Refusals: Sendable {
        var marks: [Bool]
        var count: Int
        var throttled: Int

        /// The code of the first one.
        var code: String
    }

    /// Delivers the leased records and waits for what becomes of them.
    static func awaited(for lease: Lease, from destination: any Destination) async -> Answer {
        let start = ContinuousClock.now
        let delivery = await destination.deliver(lease.batch, to: lease.stream)
        return Answer(lease: lease, outcome: Outcome(delivery, of: lease.batch.count), duration: .now - start)
    }
}

extension Answer {
    /// How many bytes of records were accepted when these were refused.
    func acceptedBytes(without refusals: Refusals) -> Int {
        zip(lease.batch.lengths, refusals.marks).reduce(0) { $1.1 ? $0 : $0 + $1.0 }
    }
}

extension Answer.Outcome {
    /// What a delivery of this many records means.
    fileprivate init(_ delivery: Delivery, of records: Int) {
        switch delivery {
        case .accepted:
            self = .accepted
        case .failed(let failure):
            self = .failed(failure)
        case .partlyAccepted(let entries) where entries.count != records:
            let reason = "the answer has \(entries.count) entries for \(records) records; they are sent again"
            self = .failed(DeliveryFailure(.unreachable, reason: reason))
        case .partlyAccepted(let entries):
            let refusals = entries.compactMap(\.self)
            guard let first = refusals.first else {
                self = .accepted
                return
            }
            let refused = Answer.Refusals(
                marks: entries.map { $0 != nil },
                count: refusals.count,
                throttled: refusals.count(where: \.isThrottle),
                code: first.code
            )
            self = refusals.count < records ? .partlyRefused(refused) : .allRefused(refused)
        }
    }
}

extension Answer.Refusals {
    /// A refusal of all records, as the failure that it is.
    var asFailure: DeliveryFailure {
        DeliveryFailure(throttled > 0 ? .throttled : .unreachable, reason: "all \(count) records were refused: \(code)")
    }
}
