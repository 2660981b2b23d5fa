import Records

/// How long the records of a chunk are and, where they are not one line each, how many lines they were made of, as that
/// is stored: four bytes a number, the lowest first; all lengths, then all counts.
///
/// Whether there are counts is said by the highest bit of the first length, which no length needs.
enum Lengths {
    private static let mark = UInt32(1) << 31

    static func encode(_ batch: RecordBatch) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity((batch.lengths.count + batch.lineCounts.count) * 4)
        for length in batch.lengths { append(UInt32(length), to: &bytes) }
        for lines in batch.lineCounts { append(UInt32(lines), to: &bytes) }
        if !batch.lineCounts.isEmpty { bytes[3] |= UInt8(mark >> 24) }
        return bytes
    }

    private static func append(_ number: UInt32, to bytes: inout [UInt8]) {
        bytes.append(UInt8(truncatingIfNeeded: number))
        bytes.append(UInt8(truncatingIfNeeded: number >> 8))
        bytes.append(UInt8(truncatingIfNeeded: number >> 16))
        bytes.append(UInt8(truncatingIfNeeded: number >> 24))
    }

    /// The lengths, and the counts of lines, which are none where each record is one.
    static func decode(_ bytes: Span<UInt8>) -> (lengths: [Int], lineCounts: [Int]) {
        let numbers = (0..<bytes.count / 4).map { index in
            let at = index * 4
            return UInt32(bytes[at]) | UInt32(bytes[at + 1]) << 8 | UInt32(bytes[at + 2]) << 16
                | UInt32(bytes[at + 3]) << 24
        }
        guard let first = numbers.first, first & mark != 0 else { return (numbers.map { Int($0) }, []) }
        let count = numbers.count / 2
        return (numbers[..<count].map { Int($0 & ~mark) }, numbers[count..<2 * count].map { Int($0) })
    }

    /// How many records there are, as SQL, without reading more than the beginning.
    static let countInSQL = "length(lengths) / CASE WHEN hex(substr(lengths, 4, 1)) >= '80' THEN 8 ELSE 4 END"
}
