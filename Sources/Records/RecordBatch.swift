import Bytes

/// Records of one stream, in order: their bytes back to back and the length of each.
///
/// It keeps its memory when it is emptied, so one batch serves for many rounds.
package struct RecordBatch: Sendable, Equatable {
    /// The records' bytes, without anything between them.
    package private(set) var bytes: [UInt8]

    /// Bytes in each record.
    package private(set) var lengths: [Int]

    /// Lines in each record; empty as long as each record is one line.
    package private(set) var lineCounts: [Int] = []

    package init() {
        bytes = []
        lengths = []
    }

    /// Takes over bytes that are laid out as records of these lengths, which must add up to `bytes.count`.
    package init(bytes: [UInt8], lengths: [Int]) {
        precondition(lengths.reduce(0, +) == bytes.count, "the lengths of a batch add up to its bytes")
        self.bytes = bytes
        self.lengths = lengths
    }

    /// How many records there are.
    package var count: Int { lengths.count }

    package var isEmpty: Bool { lengths.isEmpty }

    /// How many lines its records were made of.
    package var lines: Int { lines(in: 0..<count) }

    /// How many lines the records with these indices were made of.
    package func lines(in range: Range<Int>) -> Int {
        lineCounts.isEmpty ? range.count : lineCounts[range].reduce(0, +)
    }

    /// Adds one record, which was made of so many lines.
    package mutating func append(_ record: Span<UInt8>, lines: Int = 1) {
        bytes.append(copying: record)
        lengths.append(record.count)
        noteLines(lines)
    }

    /// Adds records that lie back to back, of these lengths, which must add up to `records.count`.
    package mutating func append(_ records: Span<UInt8>, lengths more: Span<Int>) {
        bytes.append(copying: records)
        lengths.append(copying: more)
        if !lineCounts.isEmpty { lineCounts.append(contentsOf: repeatElement(1, count: more.count)) }
    }

    /// Makes the last record longer, by so many lines; there must be one.
    package mutating func appendToLastRecord(_ more: Span<UInt8>, lines: Int = 0) {
        bytes.append(copying: more)
        lengths[lengths.count - 1] += more.count
        guard lines > 0 else { return }
        countLines()
        lineCounts[count - 1] += lines
    }

    /// Notes of how many lines the record was made that has just been added.
    private mutating func noteLines(_ lines: Int) {
        if lineCounts.isEmpty, lines == 1 { return }
        countLines()
        lineCounts[count - 1] = lines
    }

    /// Has a count for each record; one that has none yet is one line.
    private mutating func countLines() {
        lineCounts.append(contentsOf: repeatElement(1, count: count - lineCounts.count))
    }

    /// Adds all records of another batch.
    package mutating func append(contentsOf other: RecordBatch) {
        bytes.append(copying: other.bytes.span)
        append(lengths: other.lengths, lineCounts: other.lineCounts)
    }

    /// Adds records that lie back to back in `payload`; without line counts each is one line.
    ///
    /// - Returns: false, and adds nothing, if the lengths do not add up to it.
    package mutating func append(laidOut payload: Span<UInt8>, lengths: [Int], lineCounts: [Int] = []) -> Bool {
        guard lengths.reduce(0, +) == payload.count else { return false }
        bytes.append(copying: payload)
        append(lengths: lengths, lineCounts: lineCounts)
        return true
    }

    private mutating func append(lengths more: [Int], lineCounts moreCounts: [Int]) {
        precondition(moreCounts.isEmpty || moreCounts.count == more.count, "each record has its count of lines")
        if !moreCounts.isEmpty { countLines() }
        lengths.append(contentsOf: more)
        if !moreCounts.isEmpty { lineCounts.append(contentsOf: moreCounts) }
        if !lineCounts.isEmpty { countLines() }
    }

    /// A copy of those records whose index is in `range` and that `isIncluded` wants.
    package func records(_ range: Range<Int>, where isIncluded: (Int) -> Bool = { _ in true }) -> RecordBatch {
        var some = RecordBatch()
        var start = lengths[..<range.lowerBound].reduce(0, +)
        for index in range {
            let end = start + lengths[index]
            if isIncluded(index) {
                some.append(bytes.span.extracting(start..<end), lines: lines(in: index..<index + 1))
            }
            start = end
        }
        return some
    }

    /// Forgets every record but keeps the memory.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
        lineCounts.removeAll(keepingCapacity: true)
    }

    /// Sets memory aside for this many bytes and records.
    package mutating func reserve(bytes byteCount: Int, records: Int) {
        bytes.reserveCapacity(byteCount)
        lengths.reserveCapacity(records)
    }
}
