import Cache
import Foundation
import Records
import SQLite
import TestSupport
import Testing

/// What is saved of a cache that was damaged, whatever it was that damaged it.
@Suite(.timeLimit(.minutes(2))) struct SalvageTests {
    let directory: TemporaryDirectory
    let stream: StreamName

    init() throws {
        directory = try TemporaryDirectory()
        stream = try #require(StreamName("stream"))
    }

    private var path: String { directory.path("state/cache.db") }

    private func open(_ handling: DamageHandling = .salvage) throws(CacheError) -> RecordCache {
        try RecordCache(directory: directory.path("state"), streams: [stream], maxBytes: 1 << 30, onDamage: handling)
    }

    /// Stores harvests of 100 records of 1,000 bytes, as read from one file, the one after the other.
    private func fill(harvests: Int) async throws {
        let cache = try open()
        for number in 0..<harvests {
            var harvest = Harvest()
            harvest.records = [(stream, batch(number))]
            harvest.checkpoints = [checkpoint(offset: (number + 1) * 100_000)]
            harvest.adopted = [(stream, "*.log")]
            try await cache.append(harvest)
        }
        await cache.close()
    }

    private func batch(_ harvest: Int) -> RecordBatch {
        var batch = RecordBatch()
        for record in 0..<100 {
            let text = "\(harvest)-\(record) "
            batch.append(Array((text + String(repeating: "x", count: 1_000 - text.utf8.count)).utf8).span)
        }
        return batch
    }

    private func checkpoint(offset: Int) -> Checkpoint {
        Checkpoint(
            stream: stream,
            file: FileIdentity(device: 1, inode: 2),
            offset: offset,
            head: Fingerprint(length: 1_024, hash: 7),
            tail: Fingerprint(length: 64, hash: 8),
            path: "/a.log"
        )
    }

    /// Which harvests still can be delivered, in order.
    private func drain(_ cache: RecordCache) async throws -> [Int] {
        var harvests: [Int] = []
        while let lease = try await cache.lease(stream, atMost: BatchLimits()) {
            for record in 0..<lease.batch.count where record % 100 == 0 {
                let text = lease.batch.records(record..<record + 1).bytes
                harvests.append(Int(String(decoding: text.prefix { $0 != UInt8(ascii: "-") }, as: UTF8.self)) ?? -1)
            }
            _ = try await cache.settle(lease, as: .accepted)
        }
        return harvests
    }

    private func damage(_ change: (inout Data) throws -> Void) throws {
        var bytes = try Data(contentsOf: URL(filePath: path))
        try change(&bytes)
        try bytes.write(to: URL(filePath: path))
    }

    /// Overwrites 64 bytes behind the place where a text is.
    private func damage(_ text: String) throws {
        try damage { bytes in
            let place = try #require(bytes.range(of: Data(text.utf8)))
            for index in 0..<64 { bytes[place.upperBound + index] ^= 0x5A }
        }
    }

    @Test func `a chunk that is not what was stored is left out, and its lines are read again`() async throws {
        try await fill(harvests: 20)
        try damage("x7-50 xxx")
        let cache = try open()
        await #expect(throws: CacheError.damaged(path: path, reason: "chunk \(1 << 40 + 700) is not what was stored")) {
            while let lease = try await cache.lease(stream, atMost: BatchLimits(records: 100)) {
                _ = try await cache.settle(lease, as: .returned(charged: false))
                let whole = try #require(try await cache.lease(stream, atMost: BatchLimits()))
                _ = try await cache.settle(whole, as: .accepted)
            }
        }
        await cache.close()
        let next = try open(.salvageAtOnce(reason: "a chunk"))
        let salvage = try #require(next.salvage)
        #expect(salvage.lost == [stream: 100])
        #expect(salvage.rewound.map(\.path) == ["/a.log"])
        #expect(salvage.rewound.map(\.offset) == [700_000])
        #expect(salvage.rewound.map(\.from) == [2_000_000])
        #expect(FileManager.default.fileExists(atPath: salvage.keptAs))
        var expected = checkpoint(offset: 700_000)
        expected.tail = Fingerprint()
        #expect(try await next.checkpoints() == [expected])
        #expect(try await drain(next).filter { $0 < 7 || $0 > 7 }.last == 19)
        await next.close()
        #expect(try open().salvage == nil)
    }

    @Test func `what lies around a damaged page is found`() async throws {
        try await fill(harvests: 200)
        // The page of the table that holds the rows of some chunks.
        try damage { bytes in
            let place = try #require(bytes.range(of: Data("100-0 xxx".utf8)))
            let page = place.lowerBound / 16_384 * 16_384
            bytes.replaceSubrange(page..<page + 16_384, with: Data(repeating: 0xAA, count: 16_384))
        }
        let cache = try open(.salvageAtOnce(reason: "a page"))
        let salvage = try #require(cache.salvage)
        let lost = try #require(salvage.lost[stream])
        #expect((100...1_500).contains(lost))
        let harvests = try await drain(cache)
        #expect(harvests.count == 200 - lost / 100)
        #expect(harvests.first == 0 && harvests.last == 199)
        let firstLost = try #require((0..<200).first { !harvests.contains($0) })
        let offset = try #require(try await cache.checkpoints().first?.offset)
        #expect(offset <= firstLost * 100_000)
        #expect(offset >= (firstLost - 1) * 100_000)
    }

    @Test(arguments: [512, 16_384 * 3, 16_384 * 20])
    func `a database that lost its end keeps the rest`(bytesLost: Int) async throws {
        try await fill(harvests: 20)
        try damage { $0.removeLast(bytesLost) }
        // What is cut within a page shows only when the page is read.
        let cache = try open(bytesLost < 16_384 ? .salvageAtOnce(reason: "a chunk") : .salvage)
        let salvage = try #require(cache.salvage)
        #expect(salvage.saved.records + (salvage.lost[stream] ?? 0) == 2_000)
        let harvests = try await drain(cache)
        let firstLost = (0..<20).first { !harvests.contains($0) } ?? 20
        #expect(try await cache.checkpoints().allSatisfy { $0.offset <= firstLost * 100_000 })
    }

    @Test func `zeros, or an empty file beside a log, are no first start`() async throws {
        try await fill(harvests: 3)
        try damage { $0 = Data(count: $0.count) }
        #expect { try open(.refuse) } throws: { error in
            guard case .damaged = error as? CacheError else { return false }
            return true
        }
        let cache = try open()
        #expect(cache.salvage?.isComplete == false)
        #expect(try await cache.hasAdopted("*.log", for: stream))
        #expect(try await cache.hasAdopted("other", for: stream))
        try await cache.settleAdoption(of: [(stream, "*.log")])
        #expect(try await cache.hasAdopted("*.log", for: stream))
        #expect(try await !cache.hasAdopted("other", for: stream))
        #expect(try await cache.checkpoints().isEmpty)
    }

    @Test(arguments: [UInt8(0), 0x55])
    func `without its first page everything else is found`(byte: UInt8) async throws {
        try await fill(harvests: 6)
        let whole = try Data(contentsOf: URL(filePath: path))
        try damage { $0.replaceSubrange(0..<16_384, with: Data(repeating: byte, count: 16_384)) }
        if byte != 0 { try damage { $0.replaceSubrange(0..<16, with: whole[0..<16]) } }
        let cache = try open()
        let salvage = try #require(cache.salvage)
        #expect(salvage.isComplete)
        #expect(try await cache.checkpoints() == [checkpoint(offset: 600_000)])
        #expect(try await drain(cache) == Array(0..<6))
        #expect(try Data(contentsOf: URL(filePath: salvage.keptAs + "-page1")).count == 16_384)
    }

    @Test func `an empty file whose log has everything is saved from the log`() async throws {
        // As long as a cache is open, what it was given is in the log.
        let cache = try open()
        for number in 0..<3 {
            var harvest = Harvest()
            harvest.records = [(stream, batch(number))]
            harvest.checkpoints = [checkpoint(offset: (number + 1) * 100_000)]
            try await cache.append(harvest)
        }
        try directory.makeDirectory("copy")
        try FileManager.default.copyItem(atPath: path + "-wal", toPath: directory.path("copy/cache.db-wal"))
        try Data().write(to: URL(filePath: directory.path("copy/cache.db")))
        await cache.close()
        let copy = try RecordCache(
            directory: directory.path("copy"),
            streams: [stream],
            maxBytes: 1 << 30,
            onDamage: .salvage
        )
        #expect(copy.salvage?.isComplete == true)
        #expect(try await copy.checkpoints() == [checkpoint(offset: 300_000)])
        #expect(try await drain(copy) == [0, 1, 2])
    }

    @Test func `an empty file without a log is a first start`() async throws {
        try await fill(harvests: 3)
        try damage { $0 = Data() }
        let cache = try open()
        #expect(cache.salvage == nil)
        #expect(try await !cache.hasAdopted("*.log", for: stream))
    }

    @Test func `every single damaged page is survived without losing a line for good`() async throws {
        try await fill(harvests: 6)
        let whole = try Data(contentsOf: URL(filePath: path))
        for page in 0..<whole.count / 16_384 {
            let place = page * 16_384..<(page + 1) * 16_384
            // Most free pages were never anything else, and hold nothing but the number of the next one.
            guard whole[place].dropFirst(4).contains(where: { $0 != 0 }) else { continue }
            try damage { bytes in
                bytes = whole
                bytes.replaceSubrange(place, with: Data(repeating: 0x55, count: 16_384))
            }
            if page == 0 { try damage { $0.replaceSubrange(0..<16, with: whole[0..<16]) } }
            let cache = try open(.salvageAtOnce(reason: "a page"))
            let harvests = try await drain(cache)
            let firstLost = (0..<6).first { !harvests.contains($0) } ?? 6
            let offsets = try await cache.checkpoints().map(\.offset)
            #expect(offsets.allSatisfy { $0 <= firstLost * 100_000 }, "page \(page): \(harvests), \(offsets)")
            await cache.close()
        }
    }

    @Test func `an exchange that was interrupted is ended`() async throws {
        try await fill(harvests: 2)
        try FileManager.default.moveItem(atPath: path, toPath: path + ".salvaged")
        let cache = try open()
        #expect(try await drain(cache) == [0, 1])
    }

    @Test func `a database of the first version is brought up to date`() async throws {
        try await fill(harvests: 2)
        try Database(path: path).execute(
            """
            ALTER TABLE chunk RENAME TO new_chunk;
            CREATE TABLE chunk (id INTEGER PRIMARY KEY, created INTEGER NOT NULL, attempts INTEGER NOT NULL,
                lengths BLOB NOT NULL, payload BLOB NOT NULL);
            INSERT INTO chunk SELECT id, created, attempts, lengths, payload FROM new_chunk;
            DROP TABLE new_chunk;
            \(Fixture.removingLines)
            ALTER TABLE stream DROP COLUMN delivered;
            ALTER TABLE stream DROP COLUMN dead_letters;
            ALTER TABLE stream DROP COLUMN dropped;
            ALTER TABLE stream DROP COLUMN damaged;
            PRAGMA user_version = 1;
            """
        )
        let cache = try open()
        #expect(cache.salvage == nil)
        #expect(try await drain(cache) == [0, 1])
    }
}
