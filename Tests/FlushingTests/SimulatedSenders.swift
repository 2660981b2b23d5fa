import Cache
import Flushing
import Records
import TestSupport

/// Schedules that share a quota and always have something to send, in a time of their own.
struct SimulatedSenders {
    typealias Instant = ContinuousClock.Instant

    /// What was sent, and what became of it.
    struct Counts {
        var requests = 0
        var throttledRequests = 0
        var records = 0
        var throttledRecords = 0
        var acceptedBytes: [Int]
        var granted = 0.0
    }

    private struct Sender {
        var schedule: FlushSchedule
        var nextAt: Instant
        /// What is on its way: records that the service will take, of how many.
        var answer: (accepted: Int, records: Int)?
    }

    private(set) var now: Instant
    private(set) var counts: Counts
    var quota: SimulatedQuota
    private let recordBytes: Int
    private var senders: [Sender]
    private var generator: SeededGenerator

    /// Prepares senders of records of one size, which start at most a second apart.
    init(
        _ count: Int,
        recordBytes: Int,
        quota: SimulatedQuota,
        at start: Instant,
        seed: UInt64,
        policy: FlushPolicy = FlushPolicy()
    ) {
        var generator = SeededGenerator(seed: seed)
        senders = (0..<count).map { _ in
            let delay = Duration.milliseconds(Int.random(in: 0..<1_000, using: &generator))
            return Sender(schedule: FlushSchedule(policy), nextAt: start + delay)
        }
        self.recordBytes = recordBytes
        self.quota = quota
        self.generator = generator
        now = start
        counts = Counts(acceptedBytes: Array(repeating: 0, count: count))
    }

    /// Lets time pass; gives what happened in it.
    mutating func run(for duration: Duration) -> Counts {
        counts = Counts(acceptedBytes: Array(repeating: 0, count: senders.count))
        let granted = quota.granted
        let end = now + duration
        while let index = senders.indices.min(by: { senders[$0].nextAt < senders[$1].nextAt }),
            senders[index].nextAt < end
        {
            now = max(now, senders[index].nextAt)
            step(index)
        }
        now = end
        _ = quota.take(0, ofBytes: 1, at: now)
        counts.granted = quota.granted - granted
        return counts
    }

    private mutating func step(_ index: Int) {
        if let answer = senders[index].answer {
            senders[index].answer = nil
            settle(answer, of: index)
        }
        senders[index].schedule.found(Backlog(records: 1_000_000, bytes: 1_000_000 * recordBytes), at: now)
        switch senders[index].schedule.next(at: now) {
        case .send(let limits): send(atMost: limits, by: index)
        case .sleep(let until): senders[index].nextAt = until
        case .sleepUntilRecorded, .sleepUntilAnswered, .stop: senders[index].nextAt = now + .seconds(1_000_000)
        }
    }

    private mutating func send(atMost limits: BatchLimits, by index: Int) {
        let records = max(1, min(limits.records, limits.bytes / recordBytes))
        senders[index].schedule.sent(records: records, bytes: records * recordBytes, at: now)
        let accepted = quota.take(records, ofBytes: recordBytes, at: now)
        senders[index].answer = (accepted, records)
        senders[index].nextAt = now + .milliseconds(Int.random(in: 5...80, using: &generator))
        counts.requests += 1
        counts.records += records
        counts.throttledRecords += records - accepted
        if accepted < records { counts.throttledRequests += 1 }
        counts.acceptedBytes[index] += accepted * recordBytes
    }

    private mutating func settle(_ answer: (accepted: Int, records: Int), of index: Int) {
        let (accepted, records) = answer
        if accepted == records {
            senders[index].schedule.accepted(records: records, bytes: records * recordBytes)
        } else if accepted > 0 {
            senders[index].schedule.partlyRefused(
                refused: records - accepted,
                throttled: records - accepted,
                of: records,
                acceptedBytes: accepted * recordBytes,
                at: now
            )
        } else {
            let failure = DeliveryFailure(.throttled, reason: "")
            _ = senders[index].schedule.failed(failure, records: records, at: now, random: 0.5)
        }
    }
}

extension SimulatedSenders.Counts {
    /// The share of what the quota allowed that was used.
    var use: Double { Double(acceptedBytes.reduce(0, +)) / granted }

    var throttledShareOfRequests: Double { Double(throttledRequests) / Double(max(1, requests)) }

    var throttledShareOfRecords: Double { Double(throttledRecords) / Double(max(1, records)) }
}
