import Cache
import Records
import TestSupport
import Testing

/// How often each record was refused, and what becomes of one that was refused too often.
@Suite struct AttemptsTests {
    let cache: RecordCache

    init() throws {
        cache = try Fixture().open()
    }

    /// Sends what fits and has those refused that are named.
    ///
    /// - Returns: how many were given up.
    @discardableResult
    private func send(
        _ records: Int = 500,
        refusing refused: Set<String>,
        maxRetries: Int = 2,
        _ givingUp: GivingUp = .dropped
    ) async throws -> Int {
        let limits = BatchLimits(records: records)
        let lease = try #require(try await cache.lease(Fixture.logs, atMost: limits, filling: true))
        let marks = lease.batch.texts.map(refused.contains)
        let settlement = marks.contains(true) ? Settlement.partlyRefused(marks) : .accepted
        return try await cache.settle(lease, as: settlement, maxRetries: maxRetries, givingUp: givingUp).givenUp
    }

    @Test func `each record is charged for its own refusals, whatever it is stored or sent with`() async throws {
        _ = try await cache.record(RecordGroup(["a", "b", "c", "d"]))
        try await send(2, refusing: ["b"])
        _ = try await cache.record(RecordGroup(["e", "f"]))
        // Now b was refused once, and c, d, e and f never; the cut goes through a chunk.
        try await send(4, refusing: ["b", "d", "e"])
        #expect(try await cache.next() == ["b", "d", "e", "f"])
        #expect(try await send(refusing: ["b", "d", "f"]) == 1)
        #expect(try await cache.next() == ["d", "f"])
        #expect(try await send(refusing: ["d", "f"]) == 1)
        #expect(try await cache.next() == ["f"])
        #expect(try await send(refusing: ["f"]) == 1)
        #expect(await cache.stored == Backlog())
        #expect(try await cache.deadLetters().count == 0)
    }

    @Test func `a request refused as a whole charges every record of it, and a failure to get there none`() async throws
    {
        _ = try await cache.record(RecordGroup(["a", "b", "c"]))
        for round in 0..<3 {
            let limits = BatchLimits(records: 2)
            let lease = try #require(try await cache.lease(Fixture.logs, atMost: limits, filling: true))
            #expect(lease.attempts == round)
            try await cache.settle(lease, as: .returned(charged: false), maxRetries: 2, givingUp: .dropped)
            let again = try #require(try await cache.lease(Fixture.logs, atMost: limits, filling: true))
            #expect(again.attempts == round)
            let settled = try await cache.settle(
                again,
                as: .returned(charged: true),
                maxRetries: 2,
                givingUp: .dropped
            )
            #expect(settled.givenUp == (round == 2 ? 2 : 0))
        }
        #expect(try await cache.next() == ["c"])
        #expect(await cache.stored == Backlog(records: 1, bytes: 1))
    }

    @Test func `what is given up becomes a dead letter unless it is to be dropped`() async throws {
        _ = try await cache.record(RecordGroup(["a", "b"]))
        #expect(try await send(1, refusing: ["a"], maxRetries: 0, .deadLetters) == 1)
        #expect(try await cache.deadLetters().count == 1)
        #expect(try await send(1, refusing: ["b"], maxRetries: 0, .dropped) == 1)
        #expect(try await cache.deadLetters().count == 1)
        #expect(await cache.stored == Backlog())
    }
}
