import Cache
import Flushing
import Records
import Testing

/// How far reading may be ahead of delivery; in a time of its own.
@Suite struct LeadTests: ScheduleFixture {
    let start = ContinuousClock.now

    private static let least = 262_144

    /// A schedule that has had so many bytes accepted each tenth of a second, for so long, and has more to send.
    private func sending(_ bytes: Int, aTenthFor duration: Duration) -> (
        schedule: FlushSchedule, now: FlushSchedule.Instant
    ) {
        var schedule = idle()
        var now = start
        while now < start + duration {
            schedule.found(many, at: now)
            schedule.sent(records: 500, bytes: bytes, at: now)
            now += .milliseconds(100)
            schedule.accepted(records: 500, bytes: bytes)
        }
        schedule.found(many, at: now)
        return (schedule, now)
    }

    @Test(arguments: [20_000, 400_000, 4_000_000]) func `it is what three seconds have delivered`(bytes: Int) throws {
        let (schedule, now) = sending(bytes, aTenthFor: .seconds(60))
        let lead = try #require(schedule.lead(at: now))
        #expect(abs(lead - max(Self.least, bytes * 30)) <= bytes)
    }

    @Test func `it is small at first, and doubles with each full request`() {
        var schedule = idle()
        for doubling in 0..<5 {
            let lead = schedule.lead(at: start) ?? 0
            #expect(lead == Self.least << max(0, doubling - 1))
            schedule.sent(records: 4, bytes: lead, at: start)
            schedule.accepted(records: 4, bytes: lead)
        }
    }

    @Test func `a service that becomes slow lowers it within seconds`() {
        var (schedule, now) = sending(1_000_000, aTenthFor: .seconds(20))
        for _ in 0..<30 {
            schedule.sent(records: 500, bytes: 100_000, at: now)
            now += .seconds(1)
            schedule.accepted(records: 500, bytes: 100_000)
            schedule.found(many, at: now)
        }
        #expect((schedule.lead(at: now) ?? 0) < 400_000)
    }

    @Test func `time in which there is nothing to send does not count`() {
        var (schedule, now) = sending(1_000_000, aTenthFor: .seconds(20))
        let before = schedule.lead(at: now)
        schedule.found(Backlog(), at: now)
        now += .seconds(3_600)
        // A batch that gathers is nothing to send.
        schedule.found(Backlog(records: 1, bytes: 100), at: now)
        schedule.found(Backlog(records: 2, bytes: 200), at: now + .seconds(30))
        #expect(schedule.lead(at: now + .seconds(30)) == before)
    }

    @Test(arguments: [DeliveryFailure.Kind.unreachable, .throttled, .credentials, .configuration])
    func `an outage ends it once it lasts`(kind: DeliveryFailure.Kind) {
        var schedule = sending(500)
        for second in [0, 5, 11] {
            let now = start + .seconds(second)
            if second > 0 { schedule.sent(records: 500, bytes: 500, at: now) }
            _ = schedule.failed(DeliveryFailure(kind, reason: ""), records: 500, at: now, random: 0)
            #expect((schedule.lead(at: now) == nil) == (second > 10))
        }
        schedule.sent(records: 500, bytes: 500, at: start + .seconds(20))
        schedule.accepted(records: 500, bytes: 500)
        #expect(schedule.lead(at: start + .seconds(20)) == Self.least)
    }

    @Test func `what keeps reading waiting does not wait for a fuller batch`() {
        var schedule = idle()
        schedule.found(Backlog(records: 3, bytes: Self.least - 1), at: start)
        #expect(schedule.next(at: start) == .sleep(until: start + .seconds(60)))
        schedule.found(Backlog(records: 3, bytes: Self.least), at: start)
        #expect(schedule.next(at: start) == .send(atMost: BatchLimits()))
    }
}
