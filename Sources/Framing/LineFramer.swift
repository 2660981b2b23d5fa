import Bytes

/// What stands next in the bytes of a file; each range is consumed once it has been dealt with.
package enum Framed: Equatable, Sendable {
    /// One or more whole lines back to back, each with its newline.
    case lines(Range<Int>)

    /// What is kept of a line that is too long; the terminator of cut lines belongs after it, what follows is skipped.
    case cut(Range<Int>)

    /// What is dropped of a line that was cut, with its newline if the line ends here.
    case skipped(Range<Int>)

    /// No line ends in the rest, which is to be seen again with more bytes after it; it may be empty.
    case incomplete

    /// The bytes that are dealt with; nil if they are to be seen again.
    package var range: Range<Int>? {
        switch self {
        case .lines(let range), .cut(let range), .skipped(let range): range
        case .incomplete: nil
        }
    }
}

/// Splits the bytes of one file into lines.
///
/// It never sees the file: it looks at bytes that are lent to it, and holds nothing but whether they begin inside a line
/// that was cut. A line is whatever ends with a newline: NUL, `\r` and invalid UTF-8 are bytes like any other.
package struct LineFramer: Sendable {
    /// How many lines one answer has at most, so that their lengths stay in the processor's nearest cache.
    package static let maxLinesAtOnce = 2_048

    /// Whether the next byte belongs to a line that was cut.
    ///
    /// It is part of a checkpoint: reading can go on at an offset only with what this was there.
    package private(set) var isSkipping: Bool

    private let maxLineBytes: Int

    /// What is kept of a line that is cut.
    private let cutContentBytes: Int

    package init(limits: LineLimits, isSkipping: Bool = false) {
        maxLineBytes = limits.maxLineBytes
        cutContentBytes = limits.maxLineBytes - limits.cutTerminator.count
        self.isSkipping = isSkipping
    }

    /// Says what stands at `start`.
    ///
    /// - Parameters:
    ///   - bytes: some of the file, lent.
    ///   - start: where in `bytes` the next line begins, or goes on if it is being skipped.
    ///   - lengths: overwritten; the lengths of the lines where the answer is `.lines`, else empty.
    /// - Returns: what to do with the bytes from `start` to the end of the range; ask again from there.
    package mutating func next(in bytes: Span<UInt8>, from start: Int, lengths: inout [Int]) -> Framed {
        lengths.removeAll(keepingCapacity: true)
        if isSkipping { return skip(in: bytes, from: start) }
        let end = wholeLines(in: bytes, from: start, lengths: &lengths)
        if end > start { return .lines(start..<end) }
        // The line at `start` does not end within the limit: it is too long, or its end is yet to come.
        guard bytes.count - start >= maxLineBytes else { return .incomplete }
        isSkipping = true
        return .cut(start..<start + cutContentBytes)
    }

    /// Says what is left as the last line of a file that ended without a newline, or that waited long enough for one.
    ///
    /// A newline belongs after it, with which it keeps within the limit.
    ///
    /// - Precondition: `next(in:from:lengths:)` answered `.incomplete` for the same bytes.
    /// - Returns: nil if nothing is left; a line that was cut leaves nothing.
    package func finish(in bytes: Span<UInt8>, from start: Int) -> Range<Int>? {
        precondition(bytes.count - start < maxLineBytes, "the rest of a file is framed before it is finished")
        return start == bytes.count ? nil : start..<bytes.count
    }

    /// Finds the whole lines that begin at `start`, up to one that is too long, and notes their lengths.
    ///
    /// - Returns: where the last of them ends; `start` if there is none.
    private func wholeLines(in bytes: Span<UInt8>, from start: Int, lengths: inout [Int]) -> Int {
        var end = start
        while lengths.count < Self.maxLinesAtOnce, let newline = bytes.firstIndex(of: UInt8(ascii: "\n"), from: end) {
            let length = newline + 1 - end
            guard length <= maxLineBytes else { break }
            lengths.append(length)
            end += length
        }
        return end
    }

    private mutating func skip(in bytes: Span<UInt8>, from start: Int) -> Framed {
        guard let newline = bytes.firstIndex(of: UInt8(ascii: "\n"), from: start) else {
            return start == bytes.count ? .incomplete : .skipped(start..<bytes.count)
        }
        isSkipping = false
        return .skipped(start..<newline + 1)
    }
}
