import Bytes

/// Splits the bytes of one file into lines.
///
/// It never sees the file: it looks at bytes that are lent to it, and holds nothing but whether they begin inside a line
/// that was cut, and in the file's header. A line is whatever ends with a newline: NUL, `\r` and bytes that make no sense
/// in the file's encoding are bytes like any other.
package struct LineFramer: Sendable {
    /// How many lines one answer has at most, so that their lengths stay in the processor's nearest cache.
    package static let maxLinesAtOnce = 2_048

    /// Whether the next byte belongs to a line that was cut.
    ///
    /// It is part of a checkpoint: reading can go on at an offset only with what this was there.
    package private(set) var isSkipping: Bool

    /// How many lines are to come that belong to the file's header.
    package private(set) var headerLinesLeft: Int

    private let newline: Newline
    private let maxLineBytes: Int

    /// What is kept of a line that is too long, in bytes.
    private let keptBytes: Int
    private let oversized: LineLimits.Oversized

    /// Lines that are longer than this are not empty; 0 if empty ones are like any other.
    private let emptyBytes: Int

    /// - Parameters:
    ///   - limits: those of the flow.
    ///   - newline: what a newline is in the file.
    ///   - isSkipping: whether the first byte belongs to a line that was cut.
    ///   - headerLinesLeft: how many lines are passed over, whatever their length.
    package init(
        limits: LineLimits,
        newline: Newline = .byte,
        isSkipping: Bool = false,
        headerLinesLeft: Int = 0
    ) {
        self.newline = newline
        self.isSkipping = isSkipping
        self.headerLinesLeft = headerLinesLeft
        oversized = limits.oversized
        // What is split is not cut as well: each piece fits in a record.
        let fitting = oversized == .split ? newline.bytes(thatFitIn: limits.recordBytes) : .max
        // A character and a newline fit, whatever the configuration says.
        let least = newline.unitBytes == 1 ? 1 : 3 * 4
        maxLineBytes = max(min(limits.maxLineBytes, fitting), least)
        keptBytes = limits.keptBytes + maxLineBytes - limits.maxLineBytes
        emptyBytes = limits.dropsEmptyLines ? 2 * newline.unitBytes : 0
    }

    /// Says what stands at `start`.
    ///
    /// - Parameters:
    ///   - bytes: some of the file, lent; they begin with a whole unit of its encoding.
    ///   - start: where in `bytes` the next line begins, or goes on if it is being skipped.
    ///   - lengths: overwritten; the lengths of the lines where the answer is `.lines`, else empty.
    /// - Returns: what to do with the bytes from `start` to the end of the range; ask again from there.
    package mutating func next(in bytes: Span<UInt8>, from start: Int, lengths: inout [Int]) -> Framed {
        lengths.removeAll(keepingCapacity: true)
        if isSkipping || headerLinesLeft > 0 { return skip(in: bytes, from: start) }
        let end = wholeLines(in: bytes, from: start, lengths: &lengths)
        if end > start { return .lines(start..<end) }
        if emptyBytes > 0, let empty = emptyLines(in: bytes, from: start) {
            return .passed(start..<empty.end, lines: empty.lines)
        }
        // The line at `start` does not end within the limit: it is too long, or its end is yet to come.
        guard bytes.count - start >= maxLineBytes else { return .incomplete }
        // A writer that does not append leaves one after `copytruncate`; what it wrote then is the line.
        let hole = oversized == .split ? 0 : newline.holeBytes(in: bytes, from: start, atMost: maxLineBytes)
        return hole > 0 ? .passed(start..<start + hole, lines: 0) : shorten(bytes, from: start)
    }

    /// Says what is left as the last line of a file that ended without a newline, or that waited long enough for one.
    ///
    /// A newline belongs after it, with which it keeps within the limit.
    ///
    /// - Precondition: `next(in:from:lengths:)` answered `.incomplete` for the same bytes.
    /// - Returns: nil if nothing is left; a line that was cut, or is dropped for another reason, leaves nothing.
    package func finish(in bytes: Span<UInt8>, from start: Int) -> Range<Int>? {
        precondition(bytes.count - start < maxLineBytes, "the rest of a file is framed before it is finished")
        let isEmpty = start == bytes.count || emptyBytes > 0 && newline.isCarriageReturn(bytes, from: start)
        return isEmpty || isSkipping || headerLinesLeft > 0 ? nil : start..<bytes.count
    }

    /// Finds the whole lines that begin at `start`, up to one that is too long or dropped, and notes their lengths.
    ///
    /// - Returns: where the last of them ends; `start` if there is none.
    private func wholeLines(in bytes: Span<UInt8>, from start: Int, lengths: inout [Int]) -> Int {
        if newline.isUTF8, emptyBytes == 0 { return wholeLinesOfBytes(in: bytes, from: start, lengths: &lengths) }
        var end = start
        while lengths.count < Self.maxLinesAtOnce, let next = newline.end(in: bytes, from: end) {
            let length = next - end
            guard length <= maxLineBytes else { break }
            if length <= emptyBytes, isEmpty(bytes, from: end, length: length) { break }
            lengths.append(length)
            end = next
        }
        return end
    }

    /// The same for the usual newline where empty lines are like any other, which is what most files are read by.
    private func wholeLinesOfBytes(in bytes: Span<UInt8>, from start: Int, lengths: inout [Int]) -> Int {
        var end = start
        while lengths.count < Self.maxLinesAtOnce, let next = bytes.firstIndex(of: UInt8(ascii: "\n"), from: end) {
            let length = next + 1 - end
            guard length <= maxLineBytes else { break }
            lengths.append(length)
            end += length
        }
        return end
    }

    /// Finds where the empty lines end that begin at `start`, and how many they are; nil if there is none.
    private func emptyLines(in bytes: Span<UInt8>, from start: Int) -> (end: Int, lines: Int)? {
        var (end, lines) = (start, 0)
        while let next = newline.end(in: bytes, from: end), isEmpty(bytes, from: end, length: next - end) {
            end = next
            lines += 1
        }
        return lines > 0 ? (end, lines) : nil
    }

    private func isEmpty(_ bytes: Span<UInt8>, from start: Int, length: Int) -> Bool {
        let content = bytes.extracting(start..<start + length - newline.unitBytes)
        return content.isEmpty || newline.isCarriageReturn(content, from: 0)
    }

    private mutating func shorten(_ bytes: Span<UInt8>, from start: Int) -> Framed {
        isSkipping = oversized != .split
        let end = start + keptBytes
        return switch oversized {
        case .truncate: .cut(start..<newline.wholeCharacters(in: bytes, from: start, upTo: end))
        case .split: .part(start..<newline.piece(of: bytes, from: start, upTo: end))
        case .skip: .refused(start..<start + maxLineBytes / newline.unitBytes * newline.unitBytes)
        }
    }

    private mutating func skip(in bytes: Span<UInt8>, from start: Int) -> Framed {
        let isHeader = !isSkipping
        let before = headerLinesLeft
        let end: Int
        if let next = newline.end(in: bytes, from: start) {
            end = next
            if isHeader { headerLinesLeft -= 1 } else { isSkipping = false }
        } else {
            end = newline.wholeUnits(in: bytes, from: start)
        }
        if start == end { return .incomplete }
        return isHeader ? .passed(start..<end, lines: before - headerLinesLeft) : .skipped(start..<end)
    }
}
