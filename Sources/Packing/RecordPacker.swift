import Bytes
import Compression
package import Records

/// Makes records of the lines of one stream, and chunks of the records.
///
/// Lines go in one by one or as a run and come out in the same order: a line a record, or joined while whole lines stay
/// within `aggregatedRecordSizeBytes`. No record is larger than the service takes, compressed or not.
/// There is no clock in it: the caller, who knows how long lines may linger, says when to `finish()`.
package struct RecordPacker {
    /// What the chunks that were taken hold together.
    package private(set) var given = PackingCounts()

    private let settings: PackingSettings

    /// What lines may be joined to, in bytes before compression; 0 where each line is a record.
    private let joinedBytes: Int

    /// What a record surely may hold, in bytes before compression.
    private let safeBytes: Int

    private let gzip: GzipWriter?

    private var chunks: ChunkBuilder

    /// The open joined record, in bytes before compression, and what went into it.
    ///
    /// Without compression its bytes are the last record of the open chunk already; with it they are in `uncompressed`.
    private var joined = (isOpen: false, bytes: 0, counts: PackingCounts())

    private var uncompressed: [UInt8] = []

    package init(settings: PackingSettings) {
        self.settings = settings
        gzip = settings.compression == .gzip ? GzipWriter() : nil
        safeBytes = settings.safeRecordBytes
        joinedBytes = min(settings.aggregatedRecordSizeBytes, safeBytes)
        chunks = ChunkBuilder(limits: settings.chunkLimits, usualRecordBytes: gzip == nil ? joinedBytes : 0)
    }

    /// Whether everything that was added has been taken.
    package var isEmpty: Bool { chunks.isEmpty && !joined.isOpen }

    /// Bytes of lines and records that are in no finished chunk yet.
    package var openBytes: Int { chunks.open.records.bytes.count + uncompressed.count }

    /// Adds one line.
    ///
    /// - Parameters:
    ///   - line: the line with whatever ends it, or its content alone.
    ///   - terminator: what is put after it: a newline that its file lacks, or what ends a line that was cut.
    ///   - sourceBytes: what the line took where it was read, if that is not the size of `line`.
    ///   - lines: how many it was where it was read, if it is an event.
    package mutating func add(
        _ line: Span<UInt8>,
        terminator: Span<UInt8>,
        sourceBytes: Int? = nil,
        lines: Int = 1
    ) {
        let count = line.count + terminator.count
        let counts = PackingCounts(lines: lines, sourceBytes: sourceBytes ?? line.count)
        if count > joinedBytes - joined.bytes { closeRecord() }
        if count <= joinedBytes {
            join(line, counts: counts)
            join(terminator, counts: PackingCounts())
        } else {
            addAlone(line, terminator: terminator, counts: counts)
        }
    }

    /// Adds one line that ends as it is.
    package mutating func add(_ line: Span<UInt8>, sourceBytes: Int? = nil, lines: Int = 1) {
        add(line, terminator: line.extracting(first: 0), sourceBytes: sourceBytes, lines: lines)
    }

    /// Adds lines that lie back to back, of these lengths, which must add up to `lines.count`.
    ///
    /// The same as adding them one by one, but what goes into one record or chunk is copied at once.
    package mutating func add(contentsOf lines: Span<UInt8>, lengths: Span<Int>) {
        var start = 0
        var first = 0
        while first < lengths.count {
            let run = lengths.run(from: first, upTo: linesLeft, bytes: bytesLeft)
            if run.lines > 0 {
                add(
                    run: lines.extracting(start..<start + run.bytes),
                    lengths: lengths.extracting(first..<first + run.lines)
                )
                start += run.bytes
                first += run.lines
            } else {
                add(lines.extracting(start..<start + lengths[first]))
                start += lengths[first]
                first += 1
            }
        }
        precondition(start == lines.count, "the lengths of lines add up to their bytes")
    }

    /// Ends the open record and the open chunk, however small they are.
    package mutating func finish() {
        closeRecord()
        chunks.finish()
    }

    /// Hands over the oldest finished chunk; nil when there is none.
    package mutating func takeFinished() -> PackedChunk? {
        guard let chunk = chunks.takeFinished() else { return nil }
        given += chunk.counts
        return chunk
    }

    /// Takes back the batch of a chunk that is done with, to fill its memory again.
    package mutating func reuse(_ batch: consuming RecordBatch) {
        chunks.reuse(consume batch)
    }

    /// How many lines may go where the last one went.
    private var linesLeft: Int {
        if joinedBytes > 0 { return .max }
        return gzip == nil ? chunks.recordsLeft : 0
    }

    /// How many bytes may go where the last line went.
    private var bytesLeft: Int { joinedBytes > 0 ? joinedBytes - joined.bytes : chunks.bytesLeft }

    /// Adds lines that fit where the last one went.
    private mutating func add(run: Span<UInt8>, lengths: Span<Int>) {
        let counts = PackingCounts(lines: lengths.count, sourceBytes: run.count)
        if joinedBytes > 0 {
            join(run, counts: counts)
        } else {
            chunks.append(run, lengths: lengths, counts: counts)
        }
    }

    /// Adds lines, or a part of one, to the open joined record, in which they fit.
    private mutating func join(_ bytes: Span<UInt8>, counts: PackingCounts) {
        if gzip != nil {
            uncompressed.append(copying: bytes)
        } else if !joined.isOpen {
            chunks.append(bytes, growingTo: joinedBytes, counts: counts)
        } else {
            chunks.extendLastRecord(with: bytes, counts: counts)
        }
        joined.isOpen = true
        joined.bytes += bytes.count
        joined.counts += counts
    }

    /// Ends the open joined record, if there is one.
    private mutating func closeRecord() {
        if let gzip, joined.isOpen {
            let fits = chunks.append(memberOf: uncompressed, by: gzip, counts: joined.counts)
            precondition(fits, "lines are joined only up to what surely fits")
            uncompressed.removeAll(keepingCapacity: true)
        }
        joined = (false, 0, PackingCounts())
    }

    /// Adds a record of one line, shortened if it is too large otherwise.
    private mutating func addAlone(_ line: Span<UInt8>, terminator: Span<UInt8>, counts: PackingCounts) {
        if addWhole(line, terminator: terminator, counts: counts) { return }
        let cutTerminator = settings.cutTerminator
        let end = cutTerminator.span.extracting(first: min(cutTerminator.count, safeBytes))
        let fitting = line.extracting(first: min(line.count, safeBytes - end.count))
        let part = fitting.count < line.count ? fitting.unfinishedCharacterBytes : 0
        let kept = fitting.extracting(first: fitting.count - part)
        var counts = counts
        counts.shortenedLines = 1
        counts.droppedBytes = line.count - kept.count
        let isAdded = addWhole(kept, terminator: end, counts: counts)
        precondition(isAdded, "a line is shortened to what surely fits")
    }

    /// Adds a record of one line and its end.
    ///
    /// - Returns: false, and nothing is added, if the record is larger than the service takes.
    private mutating func addWhole(_ line: Span<UInt8>, terminator: Span<UInt8>, counts: PackingCounts) -> Bool {
        let count = line.count + terminator.count
        guard count <= FirehoseLimits.recordBytes else { return false }
        guard let gzip else {
            chunks.append(line, growingTo: count, counts: counts)
            chunks.extendLastRecord(with: terminator, counts: PackingCounts())
            return true
        }
        if terminator.isEmpty { return chunks.append(memberOf: line, by: gzip, counts: counts) }
        uncompressed.append(copying: line)
        uncompressed.append(copying: terminator)
        defer { uncompressed.removeAll(keepingCapacity: true) }
        return chunks.append(memberOf: uncompressed, by: gzip, counts: counts)
    }
}
