import AmplifyFirehoseClient
import Foundation
import Synchronization
import TestSupport
import Testing

/// A number that many tasks raise.
private final class Counter: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func increment() { count.withLock { $0 += 1 } }
}

struct RecordTests {
    private let scene: ClientScene

    init() throws { scene = try ClientScene() }

    // MARK: Limits

    @Test func `a record of 1,024,000 bytes is stored and sent`() async throws {
        let client = try scene.client()
        let data = Data(repeating: 7, count: 1_024_000)
        try await client.record(data: data, streamName: "s")
        #expect(try await client.flush().recordsFlushed == 1)
        #expect(scene.service.records(of: "s") == [[UInt8](data)])
    }

    @Test func `a record of one byte more is refused and not stored`() async throws {
        let client = try scene.client()
        let kind = await kindThrown {
            try await client.record(data: Data(repeating: 7, count: 1_024_001), streamName: "s")
        }
        #expect(kind == "validation")
        #expect(try await client.cacheSize == .init(bytes: 0, records: 0))
    }

    @Test func `empty data is a record`() async throws {
        let client = try scene.client()
        try await client.record(data: Data(), streamName: "s")
        #expect(try await client.cacheSize == .init(bytes: 0, records: 1))
        #expect(try await client.flush().recordsFlushed == 1)
        #expect(scene.service.records(of: "s") == [[]])
    }

    @Test(arguments: ["s", "A-z_0.9", String(repeating: "x", count: 64)])
    func `a valid stream name is taken`(name: String) async throws {
        let client = try scene.client()
        try await client.record("a", to: name)
        #expect(try await client.flush().recordsFlushed == 1)
        #expect(scene.delivered(name) == ["a"])
    }

    @Test(arguments: ["", String(repeating: "x", count: 65), "a b", "a/b", "ä", "a\n", "a\u{0}"])
    func `a stream name that the service would not take is refused, and nothing stored`(name: String) async throws {
        let client = try scene.client()
        #expect(await kindThrown { try await client.record("a", to: name) } == "validation")
        #expect(try await client.cacheSize.records == 0)
    }

    @Test func `a refused name is not quoted, for it may be a record`() async throws {
        let client = try scene.client()
        do {
            try await client.record("a", to: "password=hunter2")
            Issue.record("the name was taken")
        } catch {
            #expect(!"\(error)".contains("hunter2"))
        }
    }

    @Test func `the cache takes records up to its last byte, and then no byte more`() async throws {
        let client = try scene.client { $0.cacheMaxBytes = 10 }
        try await client.record("12345", to: "one")
        try await client.record("6789", to: "two")
        #expect(await kindThrown { try await client.record("ab", to: "one") } == "cacheLimitExceeded")
        #expect(try await client.cacheSize == .init(bytes: 9, records: 2))
        try await client.record("a", to: "one")
        #expect(await kindThrown { try await client.record("b", to: "two") } == "cacheLimitExceeded")
        #expect(try await client.cacheSize == .init(bytes: 10, records: 3))
        try await client.record("", to: "two")
        // Nothing was evicted, and what is delivered makes room.
        #expect(try await client.flush().recordsFlushed == 4)
        #expect(scene.delivered("one") == ["12345", "a"])
        #expect(scene.delivered("two") == ["6789", ""])
        try await client.record("1234567890", to: "one")
    }

    @Test func `of records that come at once, those that fit are stored`() async throws {
        let client = try scene.client { $0.cacheMaxBytes = 1_000 }
        let kinds = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<300 {
                group.addTask { await kindThrown { try await client.record("0123456789") } }
            }
            return await group.reduce(into: [String?: Int]()) { $0[$1, default: 0] += 1 }
        }
        #expect(kinds == [nil: 100, "cacheLimitExceeded": 200])
        #expect(try await client.cacheSize == .init(bytes: 1_000, records: 100))
    }

    // MARK: Durability

    @Test func `what is recorded survives in the order in which it was recorded`() async throws {
        let first = try scene.client()
        try await first.record(1...20)
        await first.close()
        let second = try scene.client()
        #expect(try await second.cacheSize.records == 20)
        try await second.record(21...30)
        #expect(try await second.flush().recordsFlushed == 30)
        #expect(scene.requests == [(1...30).map(String.init)])
    }

    @Test func `what was recorded when the program crashed is there afterwards`() async throws {
        let client = try scene.client()
        let recorded = Counter()
        try await withThrowingTaskGroup { group in
            for task in 0..<10 {
                group.addTask {
                    for number in 0..<30 {
                        try await client.record("\(task):\(number)")
                        recorded.increment()
                    }
                }
            }
            // The copy may end in the middle of a transaction, as the disk may after a power cut.
            try await waitUntil("some are recorded") { recorded.value > 50 }
            let before = recorded.value
            let copy = try scene.copyOfCache(at: scene.cachePath, named: "crash.db")
            try await expect(atLeast: before, in: copy)
            try await group.waitForAll()
        }
        try await expect(atLeast: 300, in: scene.copyOfCache(at: scene.cachePath, named: "later crash.db"))
        await client.close()
    }

    private func expect(atLeast count: Int, in cache: String) async throws {
        let survivor = try scene.client { $0.cachePath = cache }
        #expect(try await survivor.cacheSize.records >= count)
        #expect(try await survivor.flush().recordsFlushed >= count)
        await survivor.close()
    }

    @Test func `records of many tasks are all stored, and of one task in order`() async throws {
        let client = try scene.client()
        try await withThrowingTaskGroup { group in
            for task in 0..<50 {
                group.addTask {
                    for number in 0..<20 { try await client.record("\(task):\(number)", to: "s\(task % 3)") }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await client.cacheSize.records == 1_000)
        #expect(try await client.flush().recordsFlushed == 1_000)
        let delivered = (0..<3).flatMap { scene.delivered("s\($0)") }
        #expect(Set(delivered).count == 1_000)
        for task in 0..<50 {
            #expect(delivered.filter { $0.hasPrefix("\(task):") } == (0..<20).map { "\(task):\($0)" })
        }
    }

    @Test(.enabled(if: SmallDisk.isPossible, "only root can mount a small disk"))
    func `a full disk refuses records without harm, and takes them again when there is room`() async throws {
        let disk = try SmallDisk(megabytes: 16)
        let client = try scene.client {
            $0.cachePath = disk.directory.path("cache.db")
            $0.cacheMaxBytes = Int.max
        }
        var stored = 0
        var refusal: (any Error)?
        while refusal == nil {
            do {
                try await client.record(data: Data(repeating: 7, count: 100_000), streamName: "s")
                stored += 1
            } catch {
                refusal = error
            }
        }
        #expect(kind(try #require(refusal)) == "cache")
        #expect("\(try #require(refusal))".contains("no room is left on the disk"))
        #expect(try await client.cacheSize.records == stored)
        // What is cached can be sent although the disk is full, and then there is room.
        #expect(try await client.flush().recordsFlushed == min(stored, 41))
        try await client.record("again")
        while try await client.flush().recordsFlushed > 0 {}
        #expect(scene.service.records(of: "s").count == stored + 1)
        await client.close()
    }

    // MARK: How much is cached

    @Test func `the age of the oldest record is known, and gone with it`() async throws {
        let client = try scene.client()
        #expect(try await client.oldestRecordAge == nil)
        try await client.record("a")
        let age = try #require(try await client.oldestRecordAge)
        #expect(age >= 0 && age < 60)
        try await client.flush()
        #expect(try await client.oldestRecordAge == nil)
    }

    @Test func `clearing deletes every record and says how many`() async throws {
        let client = try scene.client()
        try await client.record(1...7, to: "one")
        try await client.record(1...5, to: "two")
        #expect(try await client.clearCache().recordsCleared == 12)
        #expect(try await client.clearCache().recordsCleared == 0)
        #expect(try await client.cacheSize == .init(bytes: 0, records: 0))
        #expect(try await client.flush().recordsFlushed == 0)
        #expect(scene.service.requests.isEmpty)
        try await client.record("new", to: "one")
        #expect(try await client.flush().recordsFlushed == 1)
    }

    // MARK: On and off

    @Test func `while disabled records are dropped without an error, and what is cached can be flushed`() async throws {
        let client = try scene.client()
        try await client.record("before")
        await client.disable()
        try await client.record("while")
        try await client.record(data: Data(repeating: 0, count: 2_000_000), streamName: "no name")
        #expect(try await client.cacheSize.records == 1)
        #expect(try await client.flush().recordsFlushed == 1)
        await client.enable()
        try await client.record("after")
        #expect(try await client.flush().recordsFlushed == 1)
        #expect(scene.delivered() == ["before", "after"])
        #expect(scene.drops.isEmpty)
    }

    // MARK: Options

    @Test(arguments: [-1, -5_000])
    func `sizes and counts below zero are refused`(number: Int) throws {
        #expect(throws: FirehoseError.self) { try scene.client { $0.cacheMaxBytes = number } }
        #expect(throws: FirehoseError.self) { try scene.client { $0.maxRetries = number } }
    }

    @Test(arguments: [0, -1, .infinity, .nan, 1e300] as [TimeInterval])
    func `an interval that is none is refused`(seconds: TimeInterval) throws {
        #expect(throws: FirehoseError.self) { try scene.client { $0.flushStrategy = .interval(seconds) } }
    }

    @Test func `the defaults are those that are documented`() {
        let options = AmplifyFirehoseClient.Options()
        #expect(options.cacheMaxBytes == 5_242_880)
        #expect(options.maxRetries == 5)
        #expect(options.flushStrategy == .interval(30))
        #expect(options.configureClient == nil)
    }

    @Test func `a size may have any integer type`() {
        let size: Int64 = 123
        #expect(AmplifyFirehoseClient.Options(cacheMaxBytes: size).cacheMaxBytes == 123)
        #expect(AmplifyFirehoseClient.Options(cacheMaxBytes: UInt64.max).cacheMaxBytes == .max)
    }
}
