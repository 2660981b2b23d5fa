import Cache
import Flushing
import Records
import Testing

@Suite struct FlushScheduleTroubleTests: ScheduleFixture {
    let start = ContinuousClock.now

    // MARK: Rest

    struct Patience: CustomTestStringConvertible, Sendable {
        var kind: DeliveryFailure.Kind
        var random = 1.0
        var seconds: [Double]
        var testDescription: String { "\(kind), random \(random)" }
    }

    @Test(arguments: [
        Patience(kind: .throttled, random: 0, seconds: [1, 2, 4, 8, 10, 10]),
        Patience(kind: .unreachable, random: 1, seconds: [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 10, 10]),
        Patience(kind: .unreachable, random: 0, seconds: [0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5, 5]),
        Patience(kind: .credentials, random: 0, seconds: Array(repeating: 5, count: 12) + [60, 60]),
        Patience(kind: .configuration, random: 0, seconds: [1, 2, 4, 8, 16, 30, 30]),
    ])
    func `failures in a row are waited out longer and longer`(example: Patience) {
        var schedule = sending()
        var now = start
        for seconds in example.seconds {
            let failure = DeliveryFailure(example.kind, reason: "")
            let remedy = schedule.failed(failure, records: 500, at: now, random: example.random)
            let wait = Duration.milliseconds(seconds * 1_000)
            #expect(remedy == .retry(in: wait))
            schedule.found(many, at: now)
            #expect(schedule.next(at: now) == .sleep(until: now + wait))
            now += .seconds(100)
            schedule.sent(records: 500, bytes: 500, at: now)
        }
    }

    @Test func `a success makes the next failure the first again`() {
        var schedule = sending()
        for _ in 1...5 {
            _ = schedule.failed(DeliveryFailure(.unreachable, reason: ""), records: 500, at: start, random: 1)
            schedule.sent(records: 500, bytes: 500, at: start)
        }
        schedule.partlyRefused(refused: 1, throttled: 0, of: 500, acceptedBytes: 500 - 1, at: start)
        schedule.sent(records: 500, bytes: 500, at: start)
        let remedy = schedule.failed(DeliveryFailure(.unreachable, reason: ""), records: 500, at: start, random: 1)
        #expect(remedy == .retry(in: .milliseconds(100)))
    }

    @Test func `new records do not shorten a rest, a flush does`() {
        var schedule = sending()
        _ = schedule.failed(DeliveryFailure(.configuration, reason: ""), records: 500, at: start, random: 0)
        schedule.found(Backlog(records: 9_000, bytes: 9_000), at: start)
        #expect(schedule.next(at: start) == .sleep(until: start + .seconds(1)))
        schedule.flushAsked()
        #expect(schedule.next(at: start) == .send(atMost: BatchLimits()))
    }

    @Test func `the service's own wish is the least, even for a flush`() {
        var schedule = sending()
        let failure = DeliveryFailure(.throttled, reason: "", retryAfter: .seconds(7))
        #expect(schedule.failed(failure, records: 500, at: start, random: 0) == .retry(in: .seconds(7)))
        schedule.found(many, at: start)
        schedule.flushAsked()
        #expect(schedule.next(at: start) == .sleep(until: start + .seconds(7)))
        guard case .send = schedule.next(at: start + .seconds(7)) else {
            Issue.record("it does not send after the wait")
            return
        }
    }

    @Test func `an absurd wish of the service is cut to a quarter of an hour`() {
        var schedule = sending()
        let failure = DeliveryFailure(.throttled, reason: "", retryAfter: .seconds(1_000_000_000))
        #expect(schedule.failed(failure, records: 500, at: start, random: 0) == .retry(in: .seconds(900)))
    }

    @Test func `failed and refused records go again without waiting for a full batch`() {
        var schedule = idle()
        schedule.found(Backlog(records: 500, bytes: 500), at: start)
        schedule.sent(records: 500, bytes: 500, at: start)
        schedule.partlyRefused(refused: 4, throttled: 0, of: 500, acceptedBytes: 500 - 4, at: start)
        schedule.found(Backlog(records: 4, bytes: 4), at: start)
        #expect(schedule.next(at: start + .seconds(1)) == .send(atMost: BatchLimits()))
    }

    @Test func `a cache that cannot be read is tried again every second`() {
        var schedule = idle()
        schedule.found(many, at: start)
        schedule.storageFailed(at: start)
        #expect(schedule.next(at: start) == .sleep(until: start + .seconds(1)))
        #expect(schedule.next(at: start + .seconds(1)) == .send(atMost: BatchLimits()))
    }

    // MARK: Throttling

    @Test(arguments: [(500, 500, 1_000), (250, 250, 500), (5, 5, 250), (500, 0, 100), (50, 0, 10)])
    func `a partial refusal rests for the share that was refused`(refused: Int, throttled: Int, milliseconds: Int) {
        var schedule = sending()
        schedule.partlyRefused(refused: refused, throttled: throttled, of: 500, acceptedBytes: 500 - refused, at: start)
        schedule.found(many, at: start)
        let end = start + .milliseconds(milliseconds)
        #expect(schedule.next(at: start) == .sleep(until: end))
        #expect(schedule.next(at: end) != .sleep(until: end))
    }

    /// Sends whenever the schedule allows, to a service that takes one request every `interval`; gives the requests.
    private func simulate(
        _ schedule: inout FlushSchedule,
        from begin: ContinuousClock.Instant,
        for duration: Duration,
        every interval: Duration?
    ) -> (accepted: Int, throttled: Int) {
        var now = begin
        var lastAccepted: ContinuousClock.Instant?
        var counts = (accepted: 0, throttled: 0)
        while now < begin + duration {
            schedule.found(many, at: now)
            guard case .send = schedule.next(at: now) else {
                guard case .sleep(let until) = schedule.next(at: now) else { return counts }
                now = until
                continue
            }
            schedule.sent(records: 500, bytes: 500, at: now)
            let sentAt = now
            now += .milliseconds(10)
            if let interval, let lastAccepted, sentAt - lastAccepted < interval {
                counts.throttled += 1
                _ = schedule.failed(DeliveryFailure(.throttled, reason: ""), records: 500, at: now, random: 0)
            } else {
                counts.accepted += 1
                lastAccepted = sentAt
                schedule.accepted(records: 500, bytes: 500)
            }
        }
        return counts
    }

    @Test func `a stream that takes requests only one by one gets a third of its rate and is not hammered`() {
        var schedule = idle()
        let counts = simulate(&schedule, from: start, for: .seconds(600), every: .milliseconds(200))
        #expect(counts.accepted > 600 * 5 / 3)
        #expect(counts.throttled * 8 < counts.accepted)
    }

    @Test func `a stream that takes nothing is asked no more than every ten seconds`() {
        var schedule = idle()
        let counts = simulate(&schedule, from: start, for: .seconds(600), every: .seconds(10_000))
        #expect(counts.accepted == 1)
        #expect((55...70).contains(counts.throttled))
    }

    @Test func `the full rate is back soon after throttling has ended`() {
        var schedule = idle()
        _ = simulate(&schedule, from: start, for: .seconds(300), every: .seconds(20))
        _ = simulate(&schedule, from: start + .seconds(320), for: .seconds(70), every: nil)
        let after = simulate(&schedule, from: start + .seconds(400), for: .seconds(10), every: nil)
        #expect(after.accepted == 1_000)
    }

    // MARK: Bisecting

    @Test(arguments: 0..<500)
    func `the one record to blame is found in few requests`(poison: Int) {
        var schedule = idle()
        var left = Array(0..<500)
        var found: [Int] = []
        var requests = 0
        schedule.flushAsked()
        while !left.isEmpty, requests < 100 {
            schedule.found(Backlog(records: left.count, bytes: left.count), at: start)
            guard case .send(let limits) = schedule.next(at: start) else { break }
            let batch = left.prefix(limits.records)
            schedule.sent(records: batch.count, bytes: batch.count, at: start)
            requests += 1
            guard batch.contains(poison) else {
                schedule.accepted(records: batch.count, bytes: batch.count)
                left.removeFirst(batch.count)
                continue
            }
            let failure = DeliveryFailure(.invalid, reason: "")
            guard schedule.failed(failure, records: batch.count, at: start, random: 0) == .setAside else { continue }
            found += left.prefix(1)
            left.removeFirst()
            schedule.setAside(at: start)
        }
        #expect(found == [poison])
        #expect(left.isEmpty)
        #expect(requests <= 20)
    }

    @Test func `a request that is too large is halved, and grows back`() {
        var schedule = sending()
        let failure = DeliveryFailure(.tooLarge, reason: "")
        #expect(schedule.failed(failure, records: 500, at: start, random: 0) == .retry(in: .zero))
        var limits: [Int] = []
        for _ in 1...3 {
            schedule.found(many, at: start)
            guard case .send(let limit) = schedule.next(at: start) else { break }
            limits.append(limit.records)
            schedule.sent(records: limit.records, bytes: limit.records, at: start)
            schedule.accepted(records: limit.records, bytes: limit.records)
        }
        #expect(limits == [250, 500, 500])
    }

    @Test func `the other half of a batch that was too large goes at once`() {
        var schedule = idle()
        schedule.found(Backlog(records: 500, bytes: 500), at: start)
        schedule.sent(records: 500, bytes: 500, at: start)
        _ = schedule.failed(DeliveryFailure(.tooLarge, reason: ""), records: 500, at: start, random: 0)
        schedule.sent(records: 250, bytes: 250, at: start)
        schedule.accepted(records: 250, bytes: 250)
        schedule.found(Backlog(records: 250, bytes: 250), at: start)
        #expect(schedule.next(at: start) == .send(atMost: BatchLimits()))
    }

    @Test func `one record that is too large is set aside`() {
        var schedule = sending(1)
        let failure = DeliveryFailure(.tooLarge, reason: "")
        #expect(schedule.failed(failure, records: 1, at: start, random: 0) == .setAside)
    }

    @Test func `a service that takes none of the records is not fed all of them at full speed`() {
        var schedule = idle()
        var now = start
        for _ in 1...20 {
            schedule.sent(records: 1, bytes: 1, at: now)
            #expect(schedule.failed(DeliveryFailure(.invalid, reason: ""), records: 1, at: now, random: 0) == .setAside)
            schedule.setAside(at: now)
            schedule.found(many, at: now)
            if case .sleep(let until) = schedule.next(at: now) { now = until }
        }
        #expect(now - start > .seconds(100))
    }
}
