package import Framing
import Regex

/// What became of a file whose lines were made into events, as an agent reads it.
package struct EventTrace {
    /// The events in order.
    package private(set) var events: [[UInt8]] = []

    /// How far each of them has brought the file.
    package private(set) var ends: [Int] = []

    /// What became of lines besides.
    package private(set) var counts = EventCounts()

    /// Lines that were added, and those that the events were made of.
    private var lines = (added: 0, inEvents: 0)

    private let newline = [UInt8(ascii: "\n")]
    private var safe = FramingPosition(offset: 0)
    private let limits: LineLimits
    private let rules: EventRules
    private let container: ContainerRules?
    private let matcher: PrefixMatcher?
    private var now = ContinuousClock.now

    /// Reads `file` in pieces of these sizes, over and over, and takes the events that there are after each.
    ///
    /// - Parameters:
    ///   - file: all its bytes.
    ///   - pieces: at least one size, each more than 0.
    ///   - limits: those of the lines.
    ///   - rules: those of the events.
    ///   - container: the format of the file if it is a container's log.
    ///   - pauses: whether so much time passes after each piece that the open event ends.
    ///   - crashes: whether all that is open is forgotten after each piece, and read again from where it is safe.
    package init(
        of file: [UInt8],
        pieces: [Int],
        limits: LineLimits,
        rules: EventRules,
        container: ContainerRules? = nil,
        pauses: Bool = false,
        crashes: Bool = false
    ) {
        self.limits = limits
        self.rules = rules
        self.container = container
        matcher = rules.startPattern.map { PrefixMatcher($0) }
        var framer = LineFramer(limits: limits)
        var assembler = makeAssembler()
        var start = 0
        var end = 0
        var piece = 0
        while end < file.count {
            end = min(file.count, end + pieces[piece % pieces.count])
            piece += 1
            start += take(Array(file[start..<end]), at: start, &framer, &assembler)
            now += pauses ? rules.timeout : .nanoseconds(1)
            assembler.expire(at: now) { note($0, $1) }
            guard crashes else { continue }
            counts = counts + assembler.counts
            framer = LineFramer(limits: limits, isSkipping: safe.isSkippingLine)
            assembler = makeAssembler()
            start = safe.offset
        }
        start += take(Array(file[start..<end]), at: start, &framer, &assembler)
        let rest = Array(file[start..<end])
        if let line = framer.finish(in: rest.span, from: 0) {
            let position = FramingPosition(offset: end)
            let newline = newline
            assembler.add(rest.span.extracting(line), terminator: newline.span, upTo: position, at: now) {
                note($0, $1)
            }
            lines.added += 1
        }
        assembler.finish { note($0, $1) }
        counts = counts + assembler.counts
        let isBalanced = lines.added == lines.inEvents + counts.filteredLines
        precondition(isBalanced || crashes, "each line is in one event, or left out")
    }

    private func makeAssembler() -> any LineAssembler {
        if let container {
            return ContainerAssembler(rules: rules, container: container, matcher: matcher, at: safe)
        }
        guard let matcher else { preconditionFailure("events of lines have a start pattern") }
        return EventAssembler(rules: rules, matcher: matcher, at: safe)
    }

    /// What is wrong with the trace, given the lines of the same file; nil if nothing is.
    package func fault(for lines: FramingTrace) -> String? {
        if Array(events.joined()) != Array(lines.lines.joined()) { return "lines were lost, made up or changed" }
        if ends != ends.sorted() { return "the file was brought back" }
        let single = Set(lines.lines)
        if events.contains(where: { $0.count > rules.maxEventBytes && !single.contains($0) }) {
            return "an event is too large"
        }
        return nil
    }

    /// Frames what is there of a file from `start`, and adds its lines.
    ///
    /// - Returns: how many bytes were dealt with.
    private mutating func take(
        _ bytes: [UInt8],
        at start: Int,
        _ framer: inout LineFramer,
        _ assembler: inout any LineAssembler
    ) -> Int {
        var lengths: [Int] = []
        var taken = 0
        while true {
            let framed = framer.next(in: bytes.span, from: taken, lengths: &lengths)
            guard let range = framed.range else { return taken }
            taken = range.upperBound
            let end = FramingPosition(offset: start + taken, isSkippingLine: framer.isSkipping)
            switch framed {
            case .lines:
                var first = range.lowerBound
                for length in lengths {
                    let position = FramingPosition(offset: start + first + length)
                    let line = bytes.span.extracting(first..<first + length)
                    assembler.add(line, terminator: line.extracting(first: 0), upTo: position, at: now) { note($0, $1) }
                    first += length
                }
                lines.added += lengths.count
            case .cut:
                let terminator = limits.cutTerminator
                assembler.add(bytes.span.extracting(range), terminator: terminator.span, upTo: end, at: now) {
                    note($0, $1)
                }
                lines.added += 1
            case .part:
                let newline = newline
                assembler.add(bytes.span.extracting(range), terminator: newline.span, upTo: end, at: now) {
                    note($0, $1)
                }
                lines.added += 1
            case .refused, .skipped, .passed:
                if let reach = assembler.skip(to: end) { note(reach) }
            case .incomplete:
                return taken
            }
        }
    }

    private mutating func note(_ event: Span<UInt8>, _ reach: EventReach) {
        events.append((0..<event.count).map { event[$0] })
        ends.append(reach.end.offset)
        lines.inEvents += reach.lines
        note(reach)
    }

    private mutating func note(_ reach: EventReach) {
        precondition(reach.start == safe.offset, "what an event stands for begins where the one before it ends")
        safe = reach.end
    }
}
