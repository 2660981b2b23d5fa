import Cache
import Flushing
import Records
import Testing

@Suite struct FlushScheduleTests: ScheduleFixture {
    let start = ContinuousClock.now

    // MARK: Idle and gathering

    @Test func `an empty backlog waits for records only`() {
        #expect(idle().next(at: start + .seconds(1_000)) == .sleepUntilRecorded)
    }

    @Test func `what was cached before the start is due at once`() {
        var schedule = FlushSchedule(FlushPolicy())
        schedule.found(Backlog(records: 1, bytes: 1), at: start)
        #expect(schedule.next(at: start) == .send(atMost: BatchLimits()))
    }

    @Test func `a small backlog waits for its age, whatever comes meanwhile`() {
        var schedule = idle()
        schedule.found(Backlog(records: 1, bytes: 10), at: start)
        #expect(schedule.next(at: start) == .sleep(until: start + .seconds(60)))
        schedule.found(Backlog(records: 2, bytes: 20), at: start + .seconds(59))
        #expect(schedule.next(at: start + .seconds(59)) == .sleep(until: start + .seconds(60)))
        #expect(schedule.next(at: start + .seconds(60)) == .send(atMost: BatchLimits()))
    }

    @Test(arguments: [
        (Backlog(records: 499, bytes: 499), false),
        (Backlog(records: 500, bytes: 500), true),
        (Backlog(records: 3, bytes: 3 * FirehoseLimits.recordBytes), false),
        (Backlog(records: 4, bytes: 4 * FirehoseLimits.recordBytes), true),
        (Backlog(records: 4, bytes: 4 * FirehoseLimits.recordBytes - 800), true),
        (Backlog(records: 100, bytes: 4_000_000), false),
        (Backlog(records: 100, bytes: 4_194_304), true),
    ])
    func `a batch is full when one more record like these would not fit`(backlog: Backlog, isFull: Bool) {
        var schedule = idle()
        // So fast a service that reading is not held up by as much as a batch.
        schedule.sent(records: 500, bytes: 4 * FirehoseLimits.recordBytes, at: start)
        schedule.accepted(records: 500, bytes: 4 * FirehoseLimits.recordBytes)
        schedule.found(backlog, at: start)
        #expect((schedule.next(at: start) == .send(atMost: BatchLimits())) == isFull)
    }

    @Test func `a flush that was asked for sends what is there, and no more`() {
        var schedule = idle()
        schedule.found(Backlog(records: 3, bytes: 3), at: start)
        schedule.flushAsked()
        schedule.found(Backlog(records: 3, bytes: 3), at: start)
        #expect(schedule.next(at: start) == .send(atMost: BatchLimits()))
        schedule.sent(records: 3, bytes: 3, at: start)
        schedule.accepted(records: 3, bytes: 3)
        schedule.found(Backlog(records: 1, bytes: 1), at: start + .seconds(1))
        #expect(schedule.next(at: start + .seconds(1)) == .sleep(until: start + .seconds(61)))
    }

    @Test func `a record's age counts from when it came, not from the batch before it`() {
        var schedule = idle()
        schedule.found(Backlog(records: 400, bytes: 400), at: start)
        schedule.found(Backlog(records: 500, bytes: 500), at: start + .seconds(20))
        #expect(schedule.next(at: start + .seconds(20)) == .send(atMost: BatchLimits()))
        schedule.sent(records: 500, bytes: 500, at: start + .seconds(20))
        schedule.found(Backlog(records: 1, bytes: 1), at: start + .seconds(21))
        schedule.accepted(records: 500, bytes: 500)
        schedule.found(Backlog(records: 1, bytes: 1), at: start + .seconds(25))
        // Seen no later than when the records before it were: the wait may be shorter, never longer.
        #expect(schedule.next(at: start + .seconds(25)) == .sleep(until: start + .seconds(80)))
    }

    @Test func `full batches follow each other at once`() {
        var schedule = sending()
        #expect(schedule.next(at: start) == .sleepUntilAnswered)
        schedule.accepted(records: 500, bytes: 500)
        schedule.found(Backlog(records: 4_500, bytes: 4_500), at: start)
        #expect(schedule.next(at: start) == .send(atMost: BatchLimits()))
    }

    @Test func `no more requests are in flight than allowed, and one while there is trouble`() {
        var policy = FlushPolicy()
        policy.requestsInFlight = 2
        var schedule = sending(500, policy)
        #expect(schedule.next(at: start) == .send(atMost: BatchLimits()))
        schedule.sent(records: 500, bytes: 500, at: start)
        #expect(schedule.next(at: start) == .sleepUntilAnswered)
        _ = schedule.failed(DeliveryFailure(.unreachable, reason: ""), records: 500, at: start, random: 1)
        schedule.found(many, at: start)
        #expect(schedule.next(at: start + .seconds(60)) == .sleepUntilAnswered)
        schedule.accepted(records: 500, bytes: 500)
        #expect(schedule.next(at: start + .seconds(60)) == .send(atMost: BatchLimits()))
    }

    @Test func `an old record in flight makes no small batch of the newer ones`() {
        var policy = FlushPolicy()
        policy.requestsInFlight = 2
        var schedule = idle(policy)
        schedule.found(Backlog(records: 3, bytes: 3), at: start)
        schedule.sent(records: 3, bytes: 3, at: start + .seconds(60))
        schedule.found(Backlog(records: 1, bytes: 1), at: start + .seconds(61))
        #expect(schedule.next(at: start + .seconds(61)) == .sleep(until: start + .seconds(121)))
    }

    // MARK: Finishing

    @Test func `finishing sends what is left, then stops`() {
        var schedule = idle()
        schedule.found(Backlog(records: 1, bytes: 1), at: start)
        schedule.finishAsked(at: start)
        schedule.found(Backlog(records: 1, bytes: 1), at: start)
        #expect(schedule.next(at: start) == .send(atMost: BatchLimits()))
        schedule.sent(records: 1, bytes: 1, at: start)
        schedule.found(Backlog(), at: start)
        #expect(schedule.next(at: start) == .sleepUntilAnswered)
        schedule.accepted(records: 1, bytes: 1)
        schedule.found(Backlog(), at: start)
        #expect(schedule.next(at: start) == .stop)
    }

    @Test(arguments: [DeliveryFailure.Kind.throttled, .unreachable, .credentials, .configuration])
    func `finishing ends with the first failure`(kind: DeliveryFailure.Kind) {
        var schedule = sending()
        schedule.finishAsked(at: start)
        _ = schedule.failed(DeliveryFailure(kind, reason: ""), records: 500, at: start, random: 0)
        schedule.found(many, at: start)
        #expect(schedule.next(at: start) == .stop)
    }

    @Test func `finishing tries once more where a stream rests, unless the service wants to be left alone`() {
        for wish in [nil, Duration.seconds(5)] {
            var schedule = sending()
            let failure = DeliveryFailure(.throttled, reason: "", retryAfter: wish)
            _ = schedule.failed(failure, records: 500, at: start, random: 0)
            schedule.finishAsked(at: start + .milliseconds(1))
            schedule.found(many, at: start + .milliseconds(1))
            switch schedule.next(at: start + .milliseconds(1)) {
            case .send: #expect(wish == nil)
            case let action: #expect(action == .stop && wish != nil)
            }
        }
    }
}
