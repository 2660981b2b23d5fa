import Cache
import Records
import TestSupport
import Testing

@Suite struct ClearingTests {
    let fixture: Fixture

    init() throws {
        fixture = try Fixture()
    }

    @Test func `it deletes every record of every stream, for good`() async throws {
        do {
            let cache = try fixture.open()
            _ = try await cache.record(RecordGroup([(Fixture.logs, "aa"), (Fixture.audit, "b"), (Fixture.logs, "c")]))
            #expect(try await cache.clear() == Backlog(records: 3, bytes: 4))
            #expect(await cache.stored == Backlog())
            #expect(await cache.waitingStreams == [])
            #expect(try await cache.oldestCreated == nil)
            #expect(try await cache.clear() == Backlog())
        }
        #expect(await (try fixture.open()).stored == Backlog())
    }

    @Test(arguments: [
        Settlement.accepted, .partlyRefused([true, false]), .returned(charged: true), .returned(charged: false),
        .setAside(reason: "gone"),
    ])
    func `a lease from before it touches nothing, also not what came after`(settlement: Settlement) async throws {
        let cache = try fixture.open()
        _ = try await cache.record(RecordGroup(["a", "b"]))
        let stale = try #require(try await cache.lease(Fixture.logs, atMost: BatchLimits()))
        #expect(try await cache.clear() == Backlog(records: 2, bytes: 2))
        _ = try await cache.record(RecordGroup(["c", "d"]))
        let lease = try #require(try await cache.lease(Fixture.logs, atMost: BatchLimits(records: 1)))
        let settled = try await cache.settle(stale, as: settlement, maxRetries: 0)
        #expect(settled.givenUp == 0)
        #expect(settled.waiting == Backlog(records: 1, bytes: 1))
        #expect(await cache.stored == Backlog(records: 2, bytes: 2))
        #expect(try await cache.next() == ["d"])
        try await cache.settle(lease, as: .returned(charged: false))
        #expect(try await cache.next() == ["c", "d"])
        #expect(try await cache.deadLetters().count == 0)
    }

    @Test func `checkpoints and dead letters stay, and room is announced`() async throws {
        let room = Signals()
        let stream = Fixture.logs
        let cache = try RecordCache(at: fixture.location, streams: [stream], maxBytes: 2, onRoom: { room.count() })
        var harvest = Harvest()
        harvest.records = [(stream, RecordBatch(["poison", "a"]))]
        harvest.checkpoints = [
            Checkpoint(stream: stream, file: FileIdentity(device: 1, inode: 2), offset: 7, path: "/a")
        ]
        #expect(try await cache.append(harvest).streams == [stream])
        let lease = try #require(try await cache.lease(stream, atMost: BatchLimits(records: 1)))
        try await cache.settle(lease, as: .setAside(reason: "ValidationException"))
        _ = try await cache.record(RecordGroup(["b"]))
        #expect(try await cache.clear() == Backlog(records: 2, bytes: 2))
        #expect(room.value > 0)
        #expect(try await cache.checkpoints().map(\.offset) == [7])
        #expect(try await cache.deadLetters().count == 1)
    }
}
