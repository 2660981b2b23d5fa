import Framing

/// A buffer of sample lines, as the framer hands them out.
struct FramedLog {
    let bytes = SampleLog.make()
    private var framer = LineFramer(limits: LineLimits())
    private var lengths: [Int] = []

    /// Frames the whole buffer and lends each run of lines with their lengths.
    mutating func forEachRun(_ body: (Span<UInt8>, Span<Int>) -> Void) {
        let bytes = bytes
        var position = 0
        while case .lines(let range) = framer.next(in: bytes.span, from: position, lengths: &lengths) {
            body(bytes.span.extracting(range), lengths.span)
            position = range.upperBound
        }
    }

    /// The lengths of all lines.
    mutating func allLengths() -> [Int] {
        var all: [Int] = []
        forEachRun { _, lengths in
            for index in lengths.indices { all.append(lengths[index]) }
        }
        return all
    }
}
