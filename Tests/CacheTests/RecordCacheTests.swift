import Cache
import Records
import TestSupport
import Testing

@Suite struct RecordCacheTests {
    let directory: TemporaryDirectory
    let stream: StreamName

    init() throws {
        directory = try TemporaryDirectory()
        stream = try #require(StreamName("logs"))
    }

    private func open(maxBytes: Int = 1 << 30) throws(CacheError) -> RecordCache {
        try RecordCache(directory: directory.path("state"), streams: [stream], maxBytes: maxBytes)
    }

    private func harvest(_ texts: [String], offset: Int? = nil) -> Harvest {
        var batch = RecordBatch()
        for text in texts { batch.append(Array(text.utf8).span) }
        var harvest = Harvest()
        harvest.records = [(stream, batch)]
        if let offset {
            harvest.checkpoints = [
                Checkpoint(stream: stream, file: FileIdentity(device: 1, inode: .max), offset: offset, path: "/a")
            ]
        }
        return harvest
    }

    private func texts(_ batch: RecordBatch) -> [String] {
        batch.lengths.indices.map { String(decoding: batch.records($0..<$0 + 1).bytes, as: UTF8.self) }
    }

    @Test func `records and checkpoints survive a restart`() async throws {
        do {
            let cache = try open()
            try await cache.append(harvest(["a", "bb", ""], offset: 42))
            try await cache.append(harvest(["c"], offset: 43))
        }
        let cache = try open()
        #expect(await cache.backlog(of: stream) == Backlog(records: 4, bytes: 4))
        let lease = try #require(try await cache.lease(stream, atMost: BatchLimits()))
        #expect(texts(lease.batch) == ["a", "bb", "", "c"])
        let checkpoints = try await cache.checkpoints()
        #expect(checkpoints.map(\.offset) == [43])
        #expect(checkpoints.first?.file == FileIdentity(device: 1, inode: .max))
    }

    @Test func `a batch holds as many chunks as fit, in order, and a part of one that is too large`() async throws {
        let cache = try open()
        try await cache.append(harvest((0..<700).map { "\($0)" }))
        try await cache.append(harvest((700..<1_100).map { "\($0)" }))
        var seen: [String] = []
        var sizes: [Int] = []
        while let lease = try await cache.lease(stream, atMost: BatchLimits()) {
            seen += texts(lease.batch)
            sizes.append(lease.batch.count)
            try await cache.settle(lease, as: .accepted)
        }
        #expect(sizes == [500, 200, 400])
        #expect(seen == (0..<1_100).map { "\($0)" })
        #expect(await cache.stored == Backlog())
    }

    @Test(arguments: [(10, [2, 2, 1]), (5, [1, 1, 1, 1, 1]), (3, [1, 1, 1, 1, 1]), (14, [2, 2, 1]), (15, [3, 2])])
    func `a batch holds no more bytes than allowed but always one record`(limit: Int, sizes: [Int]) async throws {
        let cache = try open()
        try await cache.append(harvest(["11111", "22222", "33333", "44444", "55555"]))
        var found: [Int] = []
        while let lease = try await cache.lease(stream, atMost: BatchLimits(bytes: limit)) {
            found.append(lease.batch.count)
            try await cache.settle(lease, as: .accepted)
        }
        #expect(found == sizes)
    }

    @Test func `what is lent is not lent twice, and comes back first`() async throws {
        let cache = try open()
        try await cache.append(harvest(["a", "b", "c", "d"]))
        let first = try #require(try await cache.lease(stream, atMost: BatchLimits(records: 2)))
        let second = try #require(try await cache.lease(stream, atMost: BatchLimits(records: 1)))
        #expect(texts(first.batch) == ["a", "b"])
        #expect(texts(second.batch) == ["c"])
        #expect(await cache.backlog(of: stream).records == 1)
        try await cache.settle(first, as: .returned(charged: false))
        let third = try #require(try await cache.lease(stream, atMost: BatchLimits()))
        #expect(texts(third.batch) == ["a", "b", "d"])
        #expect(third.attempts == 0)
    }

    @Test func `refused records stay before newer ones and are charged`() async throws {
        let cache = try open()
        try await cache.append(harvest(["a", "b", "c"]))
        try await cache.append(harvest(["d", "e"]))
        let lease = try #require(try await cache.lease(stream, atMost: BatchLimits()))
        try await cache.append(harvest(["f"]))
        try await cache.settle(lease, as: .partlyRefused([false, true, true, false, true]))
        #expect(await cache.stored == Backlog(records: 4, bytes: 4))
        let again = try #require(try await cache.lease(stream, atMost: BatchLimits(records: 1)))
        #expect(texts(again.batch) == ["b"])
        #expect(again.attempts == 1)
        try await cache.settle(again, as: .accepted)
        let rest = try #require(try await cache.lease(stream, atMost: BatchLimits()))
        #expect(texts(rest.batch) == ["c", "e", "f"])
    }

    @Test func `a record refused more often than allowed becomes a dead letter`() async throws {
        let cache = try open()
        try await cache.append(harvest(["a", "b"]))
        for attempt in 0..<3 {
            let lease = try #require(try await cache.lease(stream, atMost: BatchLimits()))
            #expect(lease.attempts == attempt)
            let dead = try await cache.settle(lease, as: .partlyRefused([true, true]), maxRetries: 2).givenUp
            #expect(dead == (attempt == 2 ? 2 : 0))
        }
        #expect(await cache.stored == Backlog())
        let letters = try await cache.deadLetters()
        #expect(letters.count == 2)
        #expect(letters.lastReason?.contains("maxRetries") == true)
    }

    @Test func `what is set aside keeps its reason and frees the stream`() async throws {
        let cache = try open()
        try await cache.append(harvest(["poison", "good"]))
        let lease = try #require(try await cache.lease(stream, atMost: BatchLimits(records: 1)))
        #expect(try await cache.settle(lease, as: .setAside(reason: "ValidationException")).givenUp == 1)
        #expect(try await cache.deadLetters().lastReason == "ValidationException")
        let rest = try #require(try await cache.lease(stream, atMost: BatchLimits()))
        #expect(texts(rest.batch) == ["good"])
    }

    @Test func `a full stream is named, and room is announced when there is some`() async throws {
        let room = Signals()
        let cache = try RecordCache(
            directory: directory.path("state"),
            streams: [stream],
            maxBytes: 4,
            onRoom: { room.count() }
        )
        #expect(try await cache.append(harvest(["abc"])).streams == [])
        #expect(try await cache.append(harvest(["d"])) == Backpressure([stream]))
        let lease = try #require(try await cache.lease(stream, atMost: BatchLimits(records: 1)))
        #expect(room.value == 0)
        try await cache.settle(lease, as: .accepted)
        #expect(room.value == 1)
        #expect(await cache.backpressure == Backpressure())
    }

    @Test func `a stream far ahead of its delivery rests for a moment only`() async throws {
        let room = Signals()
        let cache = try RecordCache(
            directory: directory.path("state"),
            streams: [stream],
            maxBytes: 1 << 30,
            onRoom: { room.count() }
        )
        let megabyte = String(repeating: "x", count: 1 << 20)
        var backpressure = Backpressure()
        for _ in 0..<8 { backpressure = try await cache.append(harvest([megabyte])) }
        #expect(backpressure.streams == [stream])
        let easesAt = try #require(backpressure.easesAt)
        try await Task.sleep(until: easesAt, clock: .continuous)
        #expect(await cache.backpressure == Backpressure())
        let lease = try #require(try await cache.lease(stream, atMost: BatchLimits()))
        try await cache.settle(lease, as: .accepted)
        #expect(room.value == 1)
    }

    @Test func `a stream's lead is what may still be stored, and tells when there is some again`() async throws {
        let room = Signals()
        let cache = try RecordCache(
            directory: directory.path("state"),
            streams: [stream],
            maxBytes: 1 << 30,
            onRoom: { room.count() }
        )
        #expect(await cache.backpressure.leads == [:])
        await cache.limitLead(of: stream, to: 10)
        #expect(try await cache.append(harvest(["1234"])).leads == [stream: 6])
        #expect(await cache.backlog(of: stream) == Backlog(records: 1, bytes: 4))
        #expect(try await cache.append(harvest(["5678901"])).leads == [stream: 0])
        #expect(await cache.backlog(of: stream) == Backlog(records: 2, bytes: 11))
        #expect(await cache.backpressure.streams.isEmpty, "what is new may be read all the same")
        await cache.limitLead(of: stream, to: 11)
        #expect(room.value == 0)
        await cache.limitLead(of: stream, to: 12)
        #expect(room.value == 1)
        await cache.limitLead(of: stream, to: 3)
        let lease = try #require(try await cache.lease(stream, atMost: BatchLimits(records: 1), filling: true))
        try await cache.settle(lease, as: .accepted)
        #expect(await cache.backpressure.leads == [stream: 0])
        await cache.limitLead(of: stream, to: nil)
        #expect(await cache.backpressure == Backpressure())
        #expect(room.value == 2)
    }
}
