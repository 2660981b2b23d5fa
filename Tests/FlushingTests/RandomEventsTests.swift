import Cache
import Flushing
import Records
import TestSupport
import Testing

/// Whatever happens in whatever order, a schedule neither spins nor stalls nor sends what it may not.
@Suite struct RandomEventsTests {
    /// Plays the world around a schedule, at a time of its own.
    private struct World {
        var generator: SeededGenerator
        var now = ContinuousClock.now
        var schedule: FlushSchedule
        let policy: FlushPolicy
        var waiting = 0
        var inFlight: [Int] = []

        init(seed: UInt64) {
            generator = SeededGenerator(seed: seed)
            var policy = FlushPolicy()
            policy.requestsInFlight = Int.random(in: 1...3, using: &generator)
            policy.limits.records = [1, 10, 500].randomElement(using: &generator) ?? 1
            self.policy = policy
            schedule = FlushSchedule(policy)
        }

        /// Does what the schedule says.
        mutating func act() {
            schedule.found(Backlog(records: waiting, bytes: waiting * 100), at: now)
            switch schedule.next(at: now) {
            case .send(let limits):
                #expect(waiting > 0 && inFlight.count < policy.requestsInFlight)
                #expect((1...policy.limits.records).contains(limits.records))
                let records = min(waiting, limits.records)
                waiting -= records
                inFlight.append(records)
                schedule.sent(records: records, bytes: records, at: now)
            case .sleep(let until):
                #expect(until > now, "a sleep that is over is a spin")
                #expect(until <= now + .seconds(900))
                now = until
            case .sleepUntilRecorded:
                #expect(waiting == 0 && inFlight.isEmpty)
                waiting = Int.random(in: 1...1_000, using: &generator)
            case .sleepUntilAnswered:
                #expect(!inFlight.isEmpty)
                answer(isGood: false)
            case .stop:
                Issue.record("nobody asked it to finish")
            }
        }

        /// Answers any request in flight, well or in any way.
        mutating func answer(isGood: Bool) {
            guard let index = inFlight.indices.randomElement(using: &generator) else { return }
            let records = inFlight.remove(at: index)
            switch isGood ? 0 : Int.random(in: 0..<4, using: &generator) {
            case 0:
                schedule.accepted(records: records, bytes: records)
            case 1 where records > 1:
                let refused = Int.random(in: 1..<records, using: &generator)
                let throttled = Int.random(in: 0...refused, using: &generator)
                schedule.partlyRefused(
                    refused: refused,
                    throttled: throttled,
                    of: records,
                    acceptedBytes: records - refused,
                    at: now
                )
                waiting += refused
            default:
                fail(records)
            }
        }

        private mutating func fail(_ records: Int) {
            let kinds: [DeliveryFailure.Kind] = [
                .throttled, .unreachable, .credentials, .configuration, .tooLarge, .invalid,
            ]
            let kind = kinds.randomElement(using: &generator) ?? .throttled
            let wish = Int.random(in: 0..<2_000, using: &generator)
            let failure = DeliveryFailure(kind, reason: "", retryAfter: wish < 1_000 ? .seconds(wish) : nil)
            let random = Double.random(in: 0..<1, using: &generator)
            switch schedule.failed(failure, records: records, at: now, random: random) {
            case .retry(let wait):
                #expect(wait >= .zero && wait <= .seconds(900))
                waiting += records
            case .setAside:
                #expect(records == 1 && (kind == .invalid || kind == .tooLarge))
                schedule.setAside(at: now)
            }
        }

        mutating func disturb() {
            switch Int.random(in: 0..<8, using: &generator) {
            case 0: waiting += Int.random(in: 1...400, using: &generator)
            case 1: schedule.flushAsked()
            case 2: now += .milliseconds(Int.random(in: 0..<5_000, using: &generator))
            case 3: schedule.storageFailed(at: now)
            default: break
            }
        }

        /// Lets everything succeed from now on; gives whether it all gets sent, in few steps and little time.
        mutating func settlesDown() -> Bool {
            let end = now + .seconds(1_800)
            var steps = 0
            while waiting > 0 || !inFlight.isEmpty {
                steps += 1
                guard now < end, steps < 100_000 else { return false }
                if inFlight.isEmpty { act() } else { answer(isGood: true) }
            }
            return true
        }
    }

    @Test(arguments: UInt64(1)...60)
    func `a schedule goes on after anything`(seed: UInt64) {
        var world = World(seed: seed)
        for _ in 0..<500 {
            world.disturb()
            world.act()
        }
        let isDone = world.settlesDown()
        #expect(isDone)
    }
}
