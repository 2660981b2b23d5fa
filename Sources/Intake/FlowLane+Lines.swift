import Framing
import Packing

/// How bytes of files become lines, and lines records.
extension FlowLane {
    /// What became of some bytes of a file.
    struct Taken: Equatable {
        /// How many bytes are dealt with; the rest is a line that has not ended.
        var count = 0

        /// Whether they end in a line that was cut.
        var isSkippingLine: Bool

        /// How many lines were cut.
        var cutLines = 0

        /// How often an event was split that would have become too large.
        var splitEvents = 0
    }

    /// Begins with the lines of a file at an offset.
    func begin(_ file: Int, at position: FramingPosition) -> FramedFile {
        guard let rules = flow.events, let startMatcher else { return FramedFile(id: file) }
        return FramedFile(id: file, events: EventAssembler(rules: rules, matcher: startMatcher, at: position))
    }

    /// Frames and packs the lines of `bytes`, which begin at `start` of a file.
    mutating func take(
        _ bytes: Span<UInt8>,
        of file: inout FramedFile,
        from start: FramingPosition,
        at now: ContinuousClock.Instant
    ) -> Taken {
        var framer = LineFramer(limits: flow.lines, isSkipping: start.isSkippingLine)
        var lengths: [Int] = []
        swap(&lengths, &spareLengths)
        defer { swap(&lengths, &spareLengths) }
        var taken = Taken(isSkippingLine: start.isSkippingLine)
        let splits = file.events?.splits ?? 0
        while true {
            let framed = framer.next(in: bytes, from: taken.count, lengths: &lengths)
            guard let range = framed.range else { break }
            taken.count = range.upperBound
            taken.isSkippingLine = framer.isSkipping
            let end = FramingPosition(offset: start.offset + taken.count, isSkippingLine: framer.isSkipping)
            switch framed {
            case .lines: add(bytes.extracting(range), lengths.span, of: &file, upTo: end.offset, at: now)
            case .cut:
                taken.cutLines += 1
                let terminator = flow.lines.cutTerminator
                add(bytes.extracting(range), terminator: terminator.span, of: &file, upTo: end, at: now)
            case .skipped: skip(range.count, of: &file, upTo: end)
            case .incomplete: break
            }
        }
        counts.bytes += taken.count
        counts.cutLines += taken.cutLines
        taken.splitEvents = (file.events?.splits ?? 0) - splits
        counts.splitEvents += taken.splitEvents
        return taken
    }

    /// Packs what a file that ended, or waited long enough, has left, as a line with the newline that it lacks.
    mutating func takeLast(
        _ rest: Span<UInt8>,
        of file: inout FramedFile,
        from start: FramingPosition,
        at now: ContinuousClock.Instant
    ) {
        let framer = LineFramer(limits: flow.lines, isSkipping: start.isSkippingLine)
        counts.bytes += rest.count
        let end = FramingPosition(offset: start.offset + rest.count)
        if let line = framer.finish(in: rest, from: 0) {
            add(rest.extracting(line), terminator: [UInt8(ascii: "\n")].span, of: &file, upTo: end, at: now)
        } else {
            skip(0, of: &file, upTo: end)
        }
    }

    /// Ends events of a file that have waited long enough, or all of them if no time is given.
    mutating func endEvents(of file: inout FramedFile, at now: ContinuousClock.Instant? = nil) {
        let id = file.id
        if let now {
            file.events?.expire(at: now) { pack($0, $1, of: id) }
        } else {
            file.events?.finish { pack($0, $1, of: id) }
        }
    }

    /// Adds whole lines that lie back to back and end at an offset.
    private mutating func add(
        _ lines: Span<UInt8>,
        _ lengths: Span<Int>,
        of file: inout FramedFile,
        upTo end: Int,
        at now: ContinuousClock.Instant
    ) {
        counts.lines += lengths.count
        let id = file.id
        let start = end - lines.count
        guard file.events != nil else {
            packer.add(contentsOf: lines, lengths: lengths)
            return segments.append(file: id, start: start, sourceBytes: lines.count, end: .init(offset: end))
        }
        var first = 0
        for index in lengths.indices {
            let last = first + lengths[index]
            let line = lines.extracting(first..<last)
            file.events?.add(line, terminator: line.extracting(first: 0), upTo: .init(offset: start + last), at: now) {
                pack($0, $1, of: id)
            }
            first = last
        }
    }

    /// Adds one line that something is to be put behind.
    private mutating func add(
        _ line: Span<UInt8>,
        terminator: Span<UInt8>,
        of file: inout FramedFile,
        upTo end: FramingPosition,
        at now: ContinuousClock.Instant
    ) {
        counts.lines += 1
        let id = file.id
        guard file.events != nil else {
            packer.add(line, terminator: terminator)
            let start = end.offset - line.count
            return segments.append(file: id, start: start, sourceBytes: line.count, end: end)
        }
        file.events?.add(line, terminator: terminator, upTo: end, at: now) { pack($0, $1, of: id) }
    }

    /// Passes over bytes that are not wanted.
    private mutating func skip(_ count: Int, of file: inout FramedFile, upTo end: FramingPosition) {
        counts.droppedBytes += count
        let id = file.id
        guard file.events != nil else {
            return segments.append(file: id, start: end.offset - count, sourceBytes: 0, end: end)
        }
        if let reach = file.events?.skip(to: end) {
            segments.append(file: id, start: reach.start, sourceBytes: 0, end: reach.end)
        }
    }

    private mutating func pack(_ event: Span<UInt8>, _ reach: EventReach, of file: Int) {
        packer.add(event, sourceBytes: reach.sourceBytes)
        segments.append(file: file, start: reach.start, sourceBytes: reach.sourceBytes, end: reach.end)
    }
}
