import Cache
import Flushing
import Records

/// Schedules in the states that tests begin with.
protocol ScheduleFixture {
    var start: ContinuousClock.Instant { get }
}

extension ScheduleFixture {
    /// A schedule that has found an empty backlog at its start.
    func idle(_ policy: FlushPolicy = FlushPolicy()) -> FlushSchedule {
        var schedule = FlushSchedule(policy)
        schedule.found(Backlog(), at: start)
        return schedule
    }

    /// A schedule with a full batch that is on its way.
    func sending(_ records: Int = 500, _ policy: FlushPolicy = FlushPolicy()) -> FlushSchedule {
        var schedule = idle(policy)
        schedule.found(Backlog(records: 5_000, bytes: 5_000), at: start)
        schedule.sent(records: records, bytes: records, at: start)
        return schedule
    }

    var many: Backlog { Backlog(records: 5_000, bytes: 5_000) }
}
