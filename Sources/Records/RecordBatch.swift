import Bytes

/// Records of one stream, in order: their bytes back to back and the length of each.
///
/// It keeps its memory when it is emptied, so one batch serves for many rounds.
package struct RecordBatch: Sendable, Equatable {
    /// The records' bytes, without anything between them.
    package private(set) var bytes: [UInt8]

    /// Bytes in each record.
    package private(set) var lengths: [Int]

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

    /// Adds one record.
    package mutating func append(_ record: Span<UInt8>) {
        bytes.append(copying: record)
        lengths.append(record.count)
    }

    /// Adds records that lie back to back, of these lengths, which must add up to `records.count`.
    package mutating func append(_ records: Span<UInt8>, lengths more: Span<Int>) {
        bytes.append(copying: records)
        lengths.append(copying: more)
    }

    /// Makes the last record longer; there must be one.
    package mutating func appendToLastRecord(_ more: Span<UInt8>) {
        bytes.append(copying: more)
        lengths[lengths.count - 1] += more.count
    }

    /// Adds all records of another batch.
    package mutating func append(contentsOf other: RecordBatch) {
        bytes.append(copying: other.bytes.span)
        lengths.append(contentsOf: other.lengths)
    }

    /// Adds records that lie back to back in `payload`.
    ///
    /// - Returns: false, and adds nothing, if the lengths do not add up to it.
    package mutating func append(laidOut payload: Span<UInt8>, lengths: [Int]) -> Bool {
        guard lengths.reduce(0, +) == payload.count else { return false }
        bytes.append(copying: payload)
        self.lengths.append(contentsOf: lengths)
        return true
    }

    /// A copy of those records whose index is in `range` and that `isIncluded` wants.
    package func records(_ range: Range<Int>, where isIncluded: (Int) -> Bool = { _ in true }) -> RecordBatch {
        var some = RecordBatch()
        var start = lengths[..<range.lowerBound].reduce(0, +)
        for index in range {
            let end = start + lengths[index]
            if isIncluded(index) { some.append(bytes.span.extracting(start..<end)) }
            start = end
        }
        return some
    }

    /// Forgets every record but keeps the memory.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
    }

    /// Sets memory aside for this many bytes and records.
    package mutating func reserve(bytes byteCount: Int, records: Int) {
        bytes.reserveCapacity(byteCount)
        lengths.reserveCapacity(records)
    }
}
