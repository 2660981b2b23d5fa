import Cache
import Records
import SQLite
import TestSupport
import Testing

/// Where the lines are of which records were made.
@Suite struct LineBalanceTests {
    let fixture: Fixture

    init() throws { fixture = try Fixture() }

    /// Stores three records that were made of 2, 1 and 5 lines.
    private func fill(_ cache: RecordCache) async throws {
        var harvest = Harvest()
        var batch = RecordBatch()
        for (text, lines) in [("aa", 2), ("b", 1), ("ccccc", 5)] {
            batch.append(Array(text.utf8).span, lines: lines)
        }
        harvest.records = [(Fixture.logs, batch)]
        try await cache.append(harvest)
    }

    private func open() throws -> RecordCache {
        try RecordCache(at: fixture.location, streams: [Fixture.logs], maxBytes: 1 << 20)
    }

    private func lines(_ cache: RecordCache) async throws -> StreamBalance {
        let balance = try #require(await cache.standings[Fixture.logs]?.lines)
        #expect(balance.missing == 0)
        return balance
    }

    @Test func `lines go where their records go, also over a restart`() async throws {
        var cache = try open()
        try await fill(cache)
        try await fill(cache)
        #expect(try await lines(cache).cached == 16)
        let lease = try #require(try await cache.lease(Fixture.logs, atMost: BatchLimits(records: 3)))
        try await cache.settle(lease, as: .partlyRefused([true, false, false]))
        #expect(try await lines(cache).delivered == 6)
        await cache.close()
        cache = try open()
        let next = try #require(try await cache.lease(Fixture.logs, atMost: BatchLimits(records: 1)))
        try await cache.settle(next, as: .setAside(reason: "no"))
        #expect(try await lines(cache).deadLetters == 2)
        _ = try await cache.replayDeadLetters(DeadLetterSelection())
        var balance = try await lines(cache)
        #expect(balance.deadLetters == 0 && balance.cached == 10)
        #expect(balance.stored == 16 && balance.storedInSession == 0)
        _ = try await cache.clear()
        balance = try await lines(cache)
        #expect(balance.dropped == 10 && balance.cached == 0 && balance.delivered == 6)
    }

    @Test func `those of an older version count as one a record`() async throws {
        let cache = try open()
        _ = try await cache.record(RecordGroup(["a", "b", "c", "d"]))
        for _ in 0..<2 {
            let lease = try #require(
                try await cache.lease(Fixture.logs, atMost: BatchLimits(records: 1), filling: true)
            )
            try await cache.settle(lease, as: .setAside(reason: "no"))
        }
        _ = try await cache.dropDeadLetters(DeadLetterSelection(ids: [1]))
        await cache.close()
        // Then, dead letters were all that had ever been set aside.
        try Database(path: fixture.location.database).execute(
            """
            \(Fixture.removingLines)
            UPDATE stream SET dead_letters = 2, dropped = 0;
            PRAGMA user_version = 4;
            """
        )
        let next = try open()
        let balance = try #require(await next.standings[Fixture.logs]?.records)
        #expect(balance.stored == 4 && balance.cached == 2 && balance.deadLetters == 1 && balance.dropped == 1)
        #expect(balance.missing == 0)
        #expect(try await lines(next) == balance)
    }

    @Test func `of a damaged cache, lines that are lost are counted`() async throws {
        let cache = try open()
        try await fill(cache)
        try await fill(cache)
        await cache.close()
        try Database(path: fixture.location.database).execute(
            "UPDATE chunk SET payload = 'xx' || substr(payload, 3) WHERE id = (SELECT min(id) FROM chunk)"
        )
        let next = try RecordCache(
            at: fixture.location,
            streams: [Fixture.logs],
            maxBytes: 1 << 20,
            onDamage: .salvageAtOnce(reason: "a test")
        )
        let balance = try await lines(next)
        #expect(balance.damaged == 8 && balance.cached == 8)
        #expect(await next.standings[Fixture.logs]?.records.damaged == 3)
    }
}
