import Cache
import Foundation
import Records
import SQLite
import TestSupport
import Testing

/// Single records, as a client stores them.
@Suite struct RecordingTests {
    let fixture: Fixture

    init() throws {
        fixture = try Fixture()
    }

    private func numbers(_ range: Range<Int>) -> [String] { range.map { "\($0)" } }

    @Test func `records of new streams survive a restart, each stream in its order`() async throws {
        do {
            let cache = try fixture.open(durability: .eachCommit)
            let group = RecordGroup([
                (Fixture.logs, "a"), (Fixture.audit, "x"), (Fixture.logs, "b"), (Fixture.logs, ""),
            ])
            #expect(try await cache.record(group) == nil)
            #expect(try await cache.record(RecordGroup(["c"])) == nil)
        }
        let cache = try fixture.open()
        #expect(await cache.waitingStreams == [Fixture.audit, Fixture.logs])
        #expect(try await cache.next() == ["a", "b", "", "c"])
        #expect(try await cache.next(Fixture.audit) == ["x"])
        #expect(await cache.stored == Backlog(records: 5, bytes: 4))
    }

    @Test func `an empty group stores nothing`() async throws {
        let cache = try fixture.open()
        #expect(try await cache.record(RecordGroup()) == nil)
        #expect(await cache.stored == Backlog())
    }

    @Test func `a record that does not fit is refused alone, and a smaller one behind it is not`() async throws {
        let cache = try fixture.open(maxBytes: 10)
        #expect(try await cache.record(RecordGroup(["1234567"])) == nil)
        let group = RecordGroup([
            (Fixture.audit, "1234"), (Fixture.logs, "ab"), (Fixture.audit, "cd"), (Fixture.audit, "e"),
        ])
        #expect(try await cache.record(group) == [false, true, false, true])
        #expect(await cache.stored == Backlog(records: 3, bytes: 10))
        #expect(try await cache.record(RecordGroup(["f"])) == [false])
        #expect(try await cache.record(RecordGroup([""])) == nil)
    }

    @Test func `what is lent takes its room until it is delivered`() async throws {
        let cache = try fixture.open(maxBytes: 4)
        #expect(try await cache.record(RecordGroup(["1234"])) == nil)
        let lease = try #require(try await cache.lease(Fixture.logs, atMost: BatchLimits()))
        #expect(try await cache.record(RecordGroup(["5"])) == [false])
        try await cache.settle(lease, as: .accepted)
        #expect(try await cache.record(RecordGroup(["5"])) == nil)
    }

    @Test func `the limit counts what an earlier run has left`() async throws {
        do { #expect(try await fixture.open().record(RecordGroup(["12345678"])) == nil) }
        let cache = try fixture.open(maxBytes: 10)
        #expect(try await cache.record(RecordGroup(["abc"])) == [false])
        #expect(try await cache.record(RecordGroup(["ab"])) == nil)
    }

    @Test func `a large group is served in full requests`() async throws {
        let cache = try fixture.open()
        #expect(try await cache.record(RecordGroup(numbers(0..<1_201))) == nil)
        var seen: [String] = []
        var sizes: [Int] = []
        while let lease = try await cache.lease(Fixture.logs, atMost: BatchLimits()) {
            seen += lease.batch.texts
            sizes.append(lease.batch.count)
            try await cache.settle(lease, as: .accepted)
        }
        #expect(sizes == [500, 500, 201])
        #expect(seen == numbers(0..<1_201))
    }

    @Test func `a group of many bytes is cut where a request is full`() async throws {
        let cache = try fixture.open()
        let large = String(repeating: "x", count: 1_000_000)
        #expect(try await cache.record(RecordGroup(Array(repeating: large, count: 9))) == nil)
        var sizes: [Int] = []
        while let lease = try await cache.lease(Fixture.logs, atMost: BatchLimits()) {
            sizes.append(lease.batch.count)
            try await cache.settle(lease, as: .accepted)
        }
        #expect(sizes == [4, 4, 1])
    }

    @Test(arguments: [1, 7, 100, 499, 501])
    func `a filled request has all the records that fit, however they were stored`(groupSize: Int) async throws {
        let cache = try fixture.open()
        for start in stride(from: 0, to: 1_001, by: groupSize) {
            let group = RecordGroup(numbers(start..<min(1_001, start + groupSize)))
            #expect(try await cache.record(group) == nil)
        }
        var seen: [String] = []
        var sizes: [Int] = []
        while let lease = try await cache.lease(Fixture.logs, atMost: BatchLimits(), filling: true) {
            seen += lease.batch.texts
            sizes.append(lease.batch.count)
            try await cache.settle(lease, as: .accepted)
        }
        #expect(sizes == [500, 500, 1])
        #expect(seen == numbers(0..<1_001))
    }

    @Test func `numbers that run out after years begin anew`() async throws {
        let cache = try fixture.open()
        _ = try await cache.record(RecordGroup([(Fixture.logs, "a"), (Fixture.audit, "x")]))
        let lease = try #require(try await cache.lease(Fixture.logs, atMost: BatchLimits()))
        try await cache.settle(lease, as: .accepted)
        await cache.close()
        let last = 1 << 40 - 1
        try Database(path: fixture.location.database).execute(
            "UPDATE stream SET first_record = \(last), next_record = \(last) WHERE name = 'logs'"
        )
        let again = try fixture.open()
        _ = try await again.record(RecordGroup([(Fixture.logs, "b"), (Fixture.logs, "c"), (Fixture.audit, "y")]))
        _ = try await again.record(RecordGroup(["d"]))
        #expect(try await again.next() == ["b", "c", "d"])
        #expect(try await again.next(Fixture.audit) == ["x", "y"])
    }

    @Test func `the age is that of the oldest record of all streams, also when its chunk was cut`() async throws {
        let cache = try fixture.open()
        #expect(try await cache.oldestCreated == nil)
        _ = try await cache.record(RecordGroup(["a", "b", "c"]))
        let first = try #require(try await cache.oldestCreated)
        try await waitUntil("the clock has moved on") { Date.now.timeIntervalSince1970 * 1_000 >= Double(first + 1) }
        _ = try await cache.record(RecordGroup(["x"], to: Fixture.audit))
        let cut = try #require(try await cache.lease(Fixture.logs, atMost: BatchLimits(records: 1)))
        #expect(try await cache.oldestCreated == first)
        try await cache.settle(cut, as: .accepted)
        #expect(try await cache.oldestCreated == first)
        let rest = try #require(try await cache.lease(Fixture.logs, atMost: BatchLimits()))
        #expect(rest.batch.texts == ["b", "c"])
        try await cache.settle(rest, as: .accepted)
        #expect(try #require(try await cache.oldestCreated) > first)
    }
}
