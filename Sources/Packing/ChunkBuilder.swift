import Compression
import Records

/// Fills chunks with records, and keeps the memory of those that are done with.
struct ChunkBuilder {
    /// What is set aside for emptied batches at most, in bytes: two of the largest.
    private static let spareBytes = 2 * FirehoseLimits.recordBytes

    private let limits: BatchLimits

    /// What is set aside for the records of one chunk, in bytes.
    private let chunkBytes: Int

    /// The chunk that is being filled.
    private(set) var open = PackedChunk()

    /// Full chunks; those before `firstFinished` have been taken.
    private var finished: [PackedChunk] = []
    private var firstFinished = 0

    /// Emptied batches, and the bytes of memory that each of them has touched.
    private var spares: [(batch: RecordBatch, bytes: Int)] = []

    /// - Parameters:
    ///   - limits: what a chunk may hold; one record that is larger still goes, alone.
    ///   - usualRecordBytes: what a full record takes, so that it finds memory set aside; 0 if it is not known.
    init(limits: BatchLimits, usualRecordBytes: Int) {
        self.limits = limits
        chunkBytes = max(limits.bytes, usualRecordBytes)
    }

    var recordsLeft: Int { limits.records - open.records.count }

    var bytesLeft: Int { limits.bytes - open.records.bytes.count }

    var isEmpty: Bool { open.records.isEmpty && finished.isEmpty }

    /// Adds records that lie back to back and fit in the open chunk.
    mutating func append(_ records: Span<UInt8>, lengths: Span<Int>, counts: PackingCounts) {
        makeRoom(for: records.count)
        open.records.append(records, lengths: lengths)
        open.counts += counts
    }

    /// Adds one record, which may be made longer up to `fullBytes`.
    mutating func append(_ record: Span<UInt8>, growingTo fullBytes: Int, counts: PackingCounts) {
        makeRoom(for: fullBytes)
        open.records.append(record, lines: counts.lines)
        open.counts += counts
    }

    /// Makes the last record of the open chunk longer.
    mutating func extendLastRecord(with more: Span<UInt8>, counts: PackingCounts) {
        open.records.appendToLastRecord(more, lines: counts.lines)
        open.counts += counts
    }

    /// Adds one record, which is the gzip member of `bytes`.
    ///
    /// - Returns: false, and nothing is added, if the member is larger than the service takes.
    mutating func append(memberOf bytes: Span<UInt8>, by gzip: GzipWriter, counts: PackingCounts) -> Bool {
        gzip.withMember(of: bytes) { member in
            guard member.count <= FirehoseLimits.recordBytes else { return false }
            append(member, growingTo: member.count, counts: counts)
            return true
        }
    }

    /// The same for bytes that are owned.
    mutating func append(memberOf bytes: [UInt8], by gzip: GzipWriter, counts: PackingCounts) -> Bool {
        append(memberOf: bytes.span, by: gzip, counts: counts)
    }

    /// Sets the open chunk aside for the taker, if there is anything in it.
    mutating func finish() {
        guard !open.records.isEmpty else { return }
        open.counts.records = open.records.count
        open.counts.recordBytes = open.records.bytes.count
        var next = PackedChunk(records: spares.popLast()?.batch ?? RecordBatch())
        swap(&open, &next)
        finished.append(next)
    }

    /// Hands over the oldest finished chunk.
    mutating func takeFinished() -> PackedChunk? {
        guard firstFinished < finished.count else { return nil }
        var taken = PackedChunk()
        swap(&taken, &finished[firstFinished])
        firstFinished += 1
        if firstFinished == finished.count {
            finished.removeAll(keepingCapacity: true)
            firstFinished = 0
        }
        return taken
    }

    /// Takes back a batch whose records are not needed any more.
    mutating func reuse(_ batch: consuming RecordBatch) {
        let bytes = batch.bytes.count
        guard spares.reduce(bytes, { $0 + $1.bytes }) <= Self.spareBytes else { return }
        batch.removeAll()
        spares.append((batch, bytes))
    }

    /// Finishes the open chunk if a record of this size does not fit in it; an empty one takes any record.
    private mutating func makeRoom(for recordBytes: Int) {
        if recordsLeft < 1 || recordBytes > bytesLeft { finish() }
        if open.records.isEmpty { open.records.reserve(bytes: chunkBytes, records: limits.records) }
    }
}
