import Cache
import Foundation
import Records
import TestSupport
import Testing

/// How much of the disk the cache takes (LS-050).
@Suite(.timeLimit(.minutes(3))) struct DiskUseTests {
    private static let megabyte = 1 << 20

    private func harvest(_ stream: StreamName) -> Harvest {
        var harvest = Harvest()
        for _ in 0..<4 {
            let record = [UInt8](repeating: 0x61, count: Self.megabyte / 4)
            harvest.records.append((stream, RecordBatch(bytes: record, lengths: [record.count])))
        }
        return harvest
    }

    @Test func `files grow with what waits, not with what has passed`() async throws {
        let directory = try TemporaryDirectory()
        let stream = try #require(StreamName("stream"))
        let cache = try RecordCache(directory: directory.path, streams: [stream], maxBytes: 64 * Self.megabyte)
        func size(_ name: String) -> Int {
            (try? FileManager.default.attributesOfItem(atPath: directory.path(name))[.size] as? Int) ?? 0
        }
        func drain() async throws {
            while let lease = try await cache.lease(stream, atMost: BatchLimits()) {
                try await cache.settle(lease, as: .accepted)
            }
        }
        while await cache.stored.bytes < 64 * Self.megabyte { try await cache.append(harvest(stream)) }
        let peak = size("cache.db")
        #expect(peak <= 80 * Self.megabyte)
        #expect(size("cache.db-wal") <= 34 * Self.megabyte)
        try await drain()
        for _ in 0..<150 {
            try await cache.append(harvest(stream))
            try await drain()
        }
        #expect(size("cache.db") <= 100 * Self.megabyte)
        #expect(size("cache.db-wal") <= 34 * Self.megabyte)
        #expect(await cache.standings[stream]?.records.missing == 0)
    }
}
