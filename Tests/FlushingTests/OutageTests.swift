import Cache
import Flushing
import Records
import Testing

/// Long outages, of which nothing may be felt but the waiting.
@Suite struct OutageTests: ScheduleFixture {
    let start = ContinuousClock.now

    /// LS-098: a stream that is missing, or that the agent may not write to.
    @Test func `a stream that only an operator can mend is asked twice a minute at most`() {
        var schedule = sending()
        var requests: [ContinuousClock.Instant] = []
        var now = start
        while now < start + .seconds(3_600) {
            let failure = DeliveryFailure(.configuration, reason: "")
            guard case .retry(let wait) = schedule.failed(failure, records: 500, at: now, random: 0) else {
                Issue.record("nothing is set aside")
                return
            }
            now += wait
            // New records come all the time, and change nothing.
            schedule.found(many, at: now)
            #expect(schedule.next(at: now) == .send(atMost: BatchLimits()))
            schedule.sent(records: 500, bytes: 500, at: now)
            requests.append(now)
        }
        #expect(requests.count { $0 >= start + .seconds(60) } <= 2 * 60)
        #expect(requests.count > 100, "and it goes on to be asked")
    }
}
