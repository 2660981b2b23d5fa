import Cache
import Flushing
import Records
import Testing

/// Streams that are throttled, and operators' limits; in a time of their own.
@Suite struct PaceTests: ScheduleFixture {
    let start = ContinuousClock.now

    static let mebibyte = 1_048_576.0

    struct Example: CustomTestStringConvertible, Sendable {
        var senders: Int
        var recordBytes: Int
        var refusal: SimulatedQuota.Refusal
        var testDescription: String { "\(senders) of \(recordBytes) bytes, \(refusal)" }

        static let all = [1, 3].flatMap { senders in
            [200, 20_000, 100_000].flatMap { recordBytes in
                SimulatedQuota.Refusal.allCases.map {
                    Example(senders: senders, recordBytes: recordBytes, refusal: $0)
                }
            }
        }
    }

    private func simulation(
        _ example: Example,
        seed: UInt64 = 1,
        policy: FlushPolicy = FlushPolicy()
    ) -> SimulatedSenders {
        let quota = SimulatedQuota(bytesPerSecond: Self.mebibyte, refusal: example.refusal, at: start)
        return SimulatedSenders(
            example.senders,
            recordBytes: example.recordBytes,
            quota: quota,
            at: start,
            seed: seed,
            policy: policy
        )
    }

    private func expectSteady(_ counts: SimulatedSenders.Counts, _ comment: Comment) {
        #expect(counts.throttledShareOfRequests <= 0.05, comment)
        #expect(counts.throttledShareOfRecords <= 0.05, comment)
        #expect(counts.use >= 0.95, comment)
    }

    @Test(arguments: Example.all)
    func `a quota is used, and seldom exceeded`(example: Example) {
        for seed in UInt64(1)...2 {
            var simulation = simulation(example, seed: seed)
            _ = simulation.run(for: .seconds(60))
            expectSteady(simulation.run(for: .seconds(400)), "seed \(seed)")
        }
    }

    @Test(arguments: [0.5, 2], Example.all.filter { $0.recordBytes < 100_000 })
    func `a quota that changes is found again within half a minute`(factor: Double, example: Example) {
        for seed in UInt64(1)...2 {
            var simulation = simulation(example, seed: seed)
            _ = simulation.run(for: .seconds(200))
            simulation.quota.change(to: Self.mebibyte * factor, at: simulation.now)
            _ = simulation.run(for: .seconds(30))
            expectSteady(simulation.run(for: .seconds(200)), "seed \(seed)")
        }
    }

    @Test(arguments: Example.all)
    func `senders that share a quota all get of it`(example: Example) {
        var simulation = simulation(example)
        _ = simulation.run(for: .seconds(60))
        let accepted = simulation.run(for: .seconds(600)).acceptedBytes
        #expect((accepted.min() ?? 0) * 3 > accepted.max() ?? 0)
    }

    @Test(arguments: Example.all)
    func `a stream that took all there was is at its quota ten seconds after the first throttle`(example: Example) {
        var simulation = simulation(example)
        _ = simulation.run(for: .seconds(10))
        let counts = simulation.run(for: .seconds(20))
        #expect(counts.use >= 0.8)
        #expect(counts.throttledShareOfRequests < 0.1)
    }

    // MARK: Single throttles

    /// A schedule to which a full request was throttled after others were accepted, a MiB in the last second.
    private func throttled(_ policy: FlushPolicy = FlushPolicy()) -> FlushSchedule {
        var schedule = idle(policy)
        for millisecond in stride(from: 0, to: 1_000, by: 250) {
            schedule.sent(records: 500, bytes: 262_144, at: start - .milliseconds(1_000 - millisecond))
            schedule.accepted(records: 500, bytes: 262_144)
        }
        schedule.found(plenty, at: start)
        schedule.sent(records: 500, bytes: 4_000_000, at: start)
        _ = schedule.failed(DeliveryFailure(.throttled, reason: ""), records: 500, at: start, random: 0)
        schedule.found(plenty, at: start)
        return schedule
    }

    private var plenty: Backlog { Backlog(records: 50_000, bytes: 400_000_000) }

    /// The limit of the next request and when it goes.
    private func nextRequest(of schedule: FlushSchedule, after now: ContinuousClock.Instant) throws -> (Int, Duration) {
        var now = now
        if case .sleep(let until) = schedule.next(at: now) { now = until }
        guard case .send(let limits) = schedule.next(at: now) else {
            throw DeliveryFailure(.invalid, reason: "nothing is sent after the wait")
        }
        return (limits.bytes, now - start)
    }

    @Test func `the request after a throttle is a quarter of a second's worth of what was accepted, or less`() throws {
        let (bytes, wait) = try nextRequest(of: throttled(), after: start)
        #expect((100_000...350_000).contains(bytes))
        #expect(wait == .seconds(1))
    }

    @Test func `requests that were in flight together slow a stream down once`() throws {
        var policy = FlushPolicy()
        policy.requestsInFlight = 3
        var limits: [Int] = []
        for count in [1, 3] {
            var schedule = idle(policy)
            schedule.sent(records: 500, bytes: 1_000_000, at: start - .seconds(1))
            schedule.accepted(records: 500, bytes: 1_000_000)
            for _ in 1...count { schedule.sent(records: 500, bytes: 1_000_000, at: start) }
            for _ in 1...count {
                schedule.partlyRefused(refused: 499, throttled: 499, of: 500, acceptedBytes: 1, at: start)
            }
            schedule.found(plenty, at: start)
            limits.append(try nextRequest(of: schedule, after: start).0)
        }
        #expect(limits[0] < 1_000_000)
        #expect(abs(limits[0] - limits[1]) < 20_000)
    }

    @Test func `a stream that was idle for an hour is not thought to be slow`() throws {
        var schedule = throttled()
        schedule.sent(records: 1, bytes: 1_000, at: start + .seconds(10))
        schedule.accepted(records: 1, bytes: 1_000)
        let later = start + .seconds(3_600)
        schedule.sent(records: 500, bytes: 1_000_000, at: later)
        schedule.accepted(records: 500, bytes: 1_000_000)
        schedule.sent(records: 500, bytes: 1_000_000, at: later)
        _ = schedule.failed(DeliveryFailure(.throttled, reason: ""), records: 500, at: later, random: 0)
        schedule.found(plenty, at: later)
        #expect(try nextRequest(of: schedule, after: later).0 > 100_000)
    }

    // MARK: The operator's limits

    @Test(arguments: [
        (maxBytes: 200_000, maxRecords: Int?.none, recordBytes: 200, expected: 200_000),
        (200_000, 100, 200, 20_000), (200_000, 1_000_000, 200, 200_000),
        (200_000, nil, 100_000, 200_000), (1_000, nil, 20_000, 1_000),
    ])
    func `the operator's limits are kept, and used`(maxBytes: Int, maxRecords: Int?, recordBytes: Int, expected: Int) {
        var policy = FlushPolicy()
        policy.maxBytesPerSecond = maxBytes
        policy.maxRecordsPerSecond = maxRecords
        let example = Example(senders: 1, recordBytes: recordBytes, refusal: .wholeRequests)
        var simulation = simulation(example, policy: policy)
        let counts = simulation.run(for: .seconds(1_000))
        let used = counts.acceptedBytes[0]
        #expect(used <= expected * 1_001 + recordBytes)
        #expect(used >= expected * 990)
        #expect(counts.throttledRequests == 0)
    }

    @Test func `a flush does not exceed the operator's limits`() {
        var policy = FlushPolicy()
        policy.maxBytesPerSecond = 1_000
        var schedule = sending(5_000, policy)
        schedule.accepted(records: 5_000, bytes: 5_000)
        schedule.flushAsked()
        schedule.found(many, at: start)
        #expect(schedule.next(at: start) == .sleep(until: start + .milliseconds(4_750)))
    }
}
