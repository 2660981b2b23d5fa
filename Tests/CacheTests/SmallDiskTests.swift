import Cache
import Records
import TestSupport
import Testing

/// A cache that may grow larger than its disk.
@Suite(
    .enabled(if: SmallDisk.isPossible, "mounting a small file system takes root"),
    .timeLimit(.minutes(1))
)
struct SmallDiskTests {
    let stream: StreamName

    init() throws {
        stream = try #require(StreamName("logs"))
    }

    /// Offers harvests of this many bytes until one is refused.
    ///
    /// - Returns: how many records were stored.
    private func fill(_ cache: RecordCache, harvestBytes: Int) async throws -> Int {
        var count = 0
        do {
            while true {
                let harvest = harvest(bytes: harvestBytes)
                try await cache.append(harvest)
                count += harvest.records[0].batch.count
            }
        } catch {
            guard case .diskFull = error else { throw error }
            return count
        }
    }

    /// Delivers all that there is.
    ///
    /// - Returns: how many records were accepted.
    private func drain(_ cache: RecordCache, _ settlement: (Lease) -> Settlement) async throws -> Int {
        let start = await cache.stored.records
        while let lease = try await twice({ try await cache.lease(stream, atMost: BatchLimits()) }) {
            let settlement = settlement(lease)
            _ = try await twice { try await cache.settle(lease, as: settlement) }
        }
        return start - (await cache.stored.records)
    }

    /// A full disk may refuse once: that makes room.
    private func twice<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch CacheError.diskFull {
            return try await body()
        }
    }

    private func harvest(bytes: Int) -> Harvest {
        var batch = RecordBatch()
        let record = [UInt8](repeating: 0x78, count: 1_000)
        while batch.bytes.count < bytes { batch.append(record.span) }
        var harvest = Harvest()
        harvest.records = [(stream, batch)]
        return harvest
    }

    @Test(arguments: [(3, 100_000), (4, 400_000), (8, 1_048_576), (16, 1_048_576), (40, 1_048_576)])
    func `what fills it can be delivered, and then it can be filled again`(
        megabytes: Int,
        harvestBytes: Int
    ) async throws {
        let disk = try SmallDisk(megabytes: megabytes)
        let cache = try RecordCache(directory: disk.directory.path("state"), streams: [stream], maxBytes: 1 << 30)
        var counts: [Int] = []
        for _ in 0..<4 {
            let count = try await fill(cache, harvestBytes: harvestBytes)
            #expect(count * 1_000 >= megabytes << 20 / 5)
            counts.append(count)
            let delivered = try await drain(cache) { _ in .accepted }
            #expect(delivered == count)
        }
        #expect(counts[3] >= counts[1])
    }

    @Test func `what is refused in parts can be written down on a full disk`() async throws {
        let disk = try SmallDisk(megabytes: 8)
        let cache = try RecordCache(directory: disk.directory.path("state"), streams: [stream], maxBytes: 1 << 30)
        let count = try await fill(cache, harvestBytes: 500_000)
        let delivered = try await drain(cache) { lease in
            .partlyRefused(lease.batch.lengths.indices.map { $0 % 2 == 0 && lease.batch.count > 1 })
        }
        #expect(delivered == count)
    }

    @Test(arguments: [CacheDurability.eachSecond, .eachCommit])
    func `single records are refused with nothing changed, and what is stored can be delivered`(
        durability: CacheDurability
    ) async throws {
        let disk = try SmallDisk(megabytes: 8)
        let location = CacheLocation.file(disk.directory.path("records.db"))
        let cache = try RecordCache(at: location, maxBytes: .max, durability: durability)
        let group = RecordGroup(Array(repeating: String(repeating: "x", count: 1_000), count: 70), to: stream)
        var count = 0
        let full = CacheError.diskFull(path: location.database)
        do throws(CacheError) {
            while try await cache.record(group) == nil { count += group.count }
        } catch {
            #expect(error == full)
        }
        #expect(count > 1_000)
        #expect(await cache.stored == Backlog(records: count, bytes: count * 1_000))
        let large = String(repeating: "x", count: 2_000_000)
        await #expect(throws: full) {
            try await cache.record(RecordGroup([(Fixture.audit, "new"), (stream, large)]))
        }
        #expect(await cache.waitingStreams == [stream])
        var delivered = 0
        while let lease = try await twice({ try await cache.lease(stream, atMost: BatchLimits(), filling: true) }) {
            delivered += lease.batch.count
            _ = try await twice { try await cache.settle(lease, as: .accepted) }
        }
        #expect(delivered == count)
        #expect(try await cache.record(group) == nil)
    }
}
