import Cache
import Foundation
import Records
import SQLite

/// Stores single records so that each is on the disk when it is stored, in several ways.
func record(byteCount: Int) async -> [Row] {
    let records = max(1, byteCount / SmallRecords.bytes)
    var rows: [Row] = []
    let few = min(records, 5_000)
    rows.append(await SmallRecords.row(" a row each", storing: few) { try rowForRow(few, in: $0) })
    for size in [1, 100] {
        let some = min(records, 5_000 * size)
        let row = await SmallRecords.row(" by \(size)", storing: some) { directory in
            let cache = try RecordCache(at: .file(directory + "/cache"), maxBytes: .max, durability: .eachCommit)
            try await SmallRecords.store(some, in: cache, groupsOf: size)
            await cache.close()
        }
        rows.append(row)
    }
    for tasks in [1, 100] { rows.append(await recordByClient(min(records, 5_000 * tasks), tasks: tasks)) }
    return rows
}

/// What a client does that keeps each record as a row, stored in a transaction of its own.
private func rowForRow(_ records: Int, in directory: String) throws {
    let database = try Database(path: directory + "/rows")
    try database.execute(
        """
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = FULL;
        CREATE TABLE record (id INTEGER PRIMARY KEY, stream TEXT, created INTEGER, attempts INTEGER, payload BLOB);
        CREATE INDEX of_stream ON record (stream, id);
        """
    )
    let insert = try database.prepare("INSERT INTO record (stream, created, attempts, payload) VALUES (?1, ?2, 0, ?3)")
    for number in 0..<records {
        try database.transaction { () throws(SQLiteError) in
            insert.bind(SmallRecords.stream.text, at: 1)
            insert.bind(number, at: 2)
            try insert.run(lending: SmallRecords.payload.span, at: 3)
        }
    }
}

/// Takes caches of two sizes apart, in full requests: the larger one should cost ten times as much, not a hundred times.
func drain(byteCount: Int) async -> [Row] {
    let sizes = [100_000, 1_000_000]
    var leased: [Row] = []
    for records in sizes { leased.append(await drainCache(records)) }
    var flushed: [Row] = []
    for records in sizes { flushed.append(await drainByClient(records)) }
    return comparing(leased) + comparing(flushed)
}

private func drainCache(_ records: Int) async -> Row {
    await SmallRecords.row(" of \(records)", preparing: records) { directory in
        let cache = try RecordCache(at: .file(directory + "/cache"), maxBytes: .max)
        // Not a divisor of 500, so that requests end within what was stored together.
        try await SmallRecords.store(records, in: cache, groupsOf: 70)
        return {
            while let lease = try await cache.lease(SmallRecords.stream, atMost: BatchLimits(), filling: true) {
                try await cache.settle(lease, as: .accepted)
            }
        }
    }
}

/// The two rows, the second with how many times the CPU of the first it took.
private func comparing(_ rows: [Row]) -> [Row] {
    var rows = rows
    if rows[0].cpuSeconds > 0 { rows[1].remark += ", CPU 1 : \(oneDecimal(rows[1].cpuSeconds / rows[0].cpuSeconds))" }
    return rows
}

/// Many records of 200 bytes in one stream.
enum SmallRecords {
    static let bytes = 200
    static let payload = [UInt8](repeating: UInt8(ascii: "x"), count: bytes)
    static let stream = StreamName("benchmark") ?? { preconditionFailure("the name is valid") }()

    /// Stores records group by group.
    static func store(_ records: Int, in cache: RecordCache, groupsOf size: Int) async throws {
        var group = RecordGroup()
        var left = records
        while left > 0 {
            group.removeAll()
            for _ in 0..<min(size, left) { group.append(payload.span, to: stream) }
            _ = try await cache.record(group)
            left -= group.count
        }
    }

    /// Measures what `work` does with this many records in a directory of its own.
    static func row(
        _ name: String,
        storing records: Int,
        _ work: @escaping (_ directory: String) async throws -> Void
    ) async -> Row {
        await row(name, preparing: records) { directory in { try await work(directory) } }
    }

    /// Measures what `prepare` gives, which works on this many records that it has put into a directory of its own.
    static func row(
        _ name: String,
        preparing records: Int,
        _ prepare: (_ directory: String) async throws -> () async throws -> Void
    ) async -> Row {
        let directory = FileManager.default.temporaryDirectory.path + "/firetail-benchmark-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        do {
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            let work = try await prepare(directory)
            let start = ContinuousClock.now
            let startCPU = processCPUSeconds()
            try await work()
            let cpuSeconds = processCPUSeconds() - startCPU
            let rate = Double(records) / ((ContinuousClock.now - start) / .seconds(1))
            let microseconds = oneDecimal(cpuSeconds * 1e6 / Double(records))
            let remark = "\(Int(rate)) records a second, \(microseconds) µs CPU each"
            return Row(name: name, bytes: records * bytes, cpuSeconds: cpuSeconds, remark: remark)
        } catch {
            return Row(name: name, bytes: 0, cpuSeconds: 0, remark: "\(error)")
        }
    }
}
