package import Records

/// The oldest records of one stream, lent to be delivered.
///
/// They stay in the cache until they are settled. A lease that is never settled is over when the process ends.
package struct Lease: Sendable {
    package let stream: StreamName

    /// What to deliver.
    package internal(set) var batch: RecordBatch

    /// How often the service has refused the most refused of them.
    package internal(set) var attempts = 0

    /// What waited behind it when it was taken.
    package internal(set) var waiting = Backlog()

    var chunks: [LeasedChunk] = []

    /// Whether it began with the stream's oldest record.
    var isOldest = false

    /// How often the cache had been cleared when it was taken.
    var clearings = 0
}

/// One row that is lent whole.
struct LeasedChunk: Sendable {
    var id: Int
    var records: Int
    var lines: Int
    var bytes: Int
    var attempts: Int

    var backlog: Backlog { Backlog(records: records, bytes: bytes, lines: lines) }
}

/// How much of a stream waits in the cache.
package struct Backlog: Sendable, Equatable {
    package var records = 0

    /// Bytes of the records themselves.
    package var bytes = 0

    /// Lines that the records were made of.
    package var lines = 0

    /// - Parameters:
    ///   - records: how many there are.
    ///   - bytes: what they have together.
    ///   - lines: as many as there are records if it is not said.
    package init(records: Int = 0, bytes: Int = 0, lines: Int? = nil) {
        self.records = records
        self.bytes = bytes
        self.lines = lines ?? records
    }

    init(_ batch: RecordBatch) {
        self.init(records: batch.count, bytes: batch.bytes.count, lines: batch.lines)
    }

    package var isEmpty: Bool { records == 0 }

    var tally: Tally { Tally(records: records, lines: lines) }

    static func += (left: inout Backlog, right: Backlog) {
        left.records += right.records
        left.bytes += right.bytes
        left.lines += right.lines
    }

    static func -= (left: inout Backlog, right: Backlog) {
        left.records -= right.records
        left.bytes -= right.bytes
        left.lines -= right.lines
    }

    static func - (left: Backlog, right: Backlog) -> Backlog {
        var difference = left
        difference -= right
        return difference
    }

    /// Whether there is so much that delivery will not run dry while reading rests: two full requests, and a megabyte,
    /// which SQLite still has in memory.
    var isFarAhead: Bool {
        bytes >= 1 << 20 && (records >= 2 * FirehoseLimits.batchRecords || bytes >= 2 * FirehoseLimits.batchBytes)
    }
}
