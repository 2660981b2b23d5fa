@testable import Agent
import Testing

@Suite struct StallAlarmTests {
    private let start = ContinuousClock.now

    private func progress(_ records: Int) -> StallAlarm.Progress { StallAlarm.Progress(deliveredRecords: records) }

    @Test func `it is said once in each period that nothing gets done, with how long that is`() {
        var alarm = StallAlarm(patience: .seconds(300), at: start)
        #expect(alarm.check(progress(1), isPending: true, at: start + .seconds(100)) == nil)
        #expect(alarm.check(progress(1), isPending: true, at: start + .seconds(399)) == nil)
        #expect(alarm.check(progress(1), isPending: true, at: start + .seconds(400)) == .seconds(300))
        #expect(alarm.check(progress(1), isPending: true, at: start + .seconds(500)) == nil)
        #expect(alarm.check(progress(1), isPending: true, at: start + .seconds(700)) == .seconds(600))
        #expect(alarm.check(progress(2), isPending: true, at: start + .seconds(1_000)) == nil)
        #expect(alarm.check(progress(2), isPending: true, at: start + .seconds(1_299)) == nil)
    }

    @Test func `where nothing is pending nothing is amiss`() {
        var alarm = StallAlarm(patience: .seconds(300), at: start)
        #expect(alarm.check(progress(0), isPending: false, at: start + .seconds(1_000)) == nil)
        #expect(alarm.check(progress(0), isPending: true, at: start + .seconds(1_100)) == nil)
        #expect(alarm.check(progress(0), isPending: true, at: start + .seconds(1_300)) == .seconds(300))
    }
}
