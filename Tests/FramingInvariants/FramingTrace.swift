package import Framing

/// What became of the bytes of a file that was framed in pieces, as a tailer reads it.
package struct FramingTrace: Equatable {
    /// The lines in order; those that were cut and the last one have got their terminator.
    package private(set) var lines: [[UInt8]] = []

    /// Bytes of cut lines that were dropped.
    package private(set) var droppedBytes = 0

    /// Bytes that nobody wants: of the header, and of empty lines.
    package private(set) var passedBytes = 0

    /// How many lines ended in them.
    package private(set) var passedLines = 0

    /// Terminators that the file does not have, in bytes.
    package private(set) var addedBytes = 0

    /// Whether the file ended inside a line that was cut.
    package private(set) var endsSkipping = false

    /// Reads `file` in pieces of these sizes, over and over, and frames what it has after each.
    ///
    /// - Parameters:
    ///   - file: all its bytes.
    ///   - pieces: at least one size, each more than 0.
    ///   - limits: those of the framer.
    ///   - newline: what a newline is in the file.
    ///   - headerLines: how many lines at its beginning are no records.
    ///   - restarts: whether a new framer goes on from the offset and the state of the old one after each piece.
    package init(
        of file: [UInt8],
        pieces: [Int],
        limits: LineLimits,
        newline: Newline = .byte,
        headerLines: Int = 0,
        restarts: Bool = false
    ) {
        var framer = LineFramer(limits: limits, newline: newline, headerLinesLeft: headerLines)
        var buffer: [UInt8] = []
        var position = 0
        var piece = 0
        while position < file.count {
            let end = min(file.count, position + pieces[piece % pieces.count])
            buffer.append(contentsOf: file[position..<end])
            position = end
            piece += 1
            buffer.removeFirst(frame(buffer, with: &framer, limits: limits))
            guard restarts else { continue }
            framer = LineFramer(
                limits: limits,
                newline: newline,
                isSkipping: framer.isSkipping,
                headerLinesLeft: framer.headerLinesLeft
            )
        }
        if let rest = framer.finish(in: buffer.span, from: 0) {
            take(buffer[rest], terminator: [UInt8(ascii: "\n")])
        } else {
            passedBytes += buffer.count
        }
        endsSkipping = framer.isSkipping
    }

    /// What is wrong with the trace of `file`; nil if every byte is accounted for and every line keeps to the limits.
    package func fault(for file: [UInt8], limits: LineLimits) -> String? {
        let lineBytes = lines.reduce(0) { $0 + $1.count }
        if lineBytes - addedBytes + droppedBytes + passedBytes != file.count { return "bytes were lost or made up" }
        // Where a unit has several bytes, the newline that is added is shorter than those of the file.
        if lines.contains(where: { $0.count > max(12, limits.maxLineBytes) }) { return "a line is too long" }
        if droppedBytes + passedBytes == 0, limits.oversized == .truncate,
            Array(lines.joined()).prefix(file.count) != file[...]
        {
            return "bytes were changed"
        }
        return nil
    }

    /// Deals with everything in `buffer` that can be dealt with.
    ///
    /// - Returns: how many bytes were consumed.
    private mutating func frame(_ buffer: [UInt8], with framer: inout LineFramer, limits: LineLimits) -> Int {
        var lengths: [Int] = []
        var consumed = 0
        while true {
            switch framer.next(in: buffer.span, from: consumed, lengths: &lengths) {
            case .lines(let range):
                var start = range.lowerBound
                for length in lengths {
                    take(buffer[start..<start + length], terminator: [])
                    start += length
                }
                precondition(start == range.upperBound, "the lengths add up to the range")
                consumed = range.upperBound
            case .cut(let range):
                take(buffer[range], terminator: limits.cutTerminator)
                consumed = range.upperBound
            case .part(let range):
                take(buffer[range], terminator: [UInt8(ascii: "\n")])
                consumed = range.upperBound
            case .refused(let range), .skipped(let range):
                droppedBytes += range.count
                consumed = range.upperBound
            case .passed(let range, let lines):
                passedBytes += range.count
                passedLines += lines
                consumed = range.upperBound
            case .incomplete:
                return consumed
            }
        }
    }

    private mutating func take(_ content: ArraySlice<UInt8>, terminator: [UInt8]) {
        lines.append(content + terminator)
        addedBytes += terminator.count
    }
}
