import Framing

/// A buffer of sample lines, as the framer hands them out.
struct FramedLog {
    let bytes: [UInt8]
    private var framer = LineFramer(limits: LineLimits())
    private var lengths: [Int] = []

    /// Whole lines; sample lines if none are given.
    init(bytes: [UInt8] = SampleLog.make()) {
        self.bytes = bytes
    }

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
