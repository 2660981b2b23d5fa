import Bytes
package import Regex

/// Makes events of the lines of one file.
///
/// An event begins with a line that matches the start pattern, or with whatever comes first, and ends before the next
/// such line, when it has not grown for a while, when it would become too large, or with its file. Each line is looked
/// at once, however long its event becomes. There is no clock in it: time is an argument.
package struct EventAssembler: LineAssembler {
    package private(set) var counts = EventCounts()

    private let rules: EventRules
    private let matcher: PrefixMatcher

    /// The lines of the open event; none is open if they are empty.
    private var open: [UInt8] = []

    private var openLines = 0

    /// When the open event got its last line; nil if none is open.
    private var grownAt: ContinuousClock.Instant?

    /// Behind the last event that was given.
    private var givenTo: Int

    /// Behind the last line that was added or passed over.
    private var position: FramingPosition

    /// - Parameters:
    ///   - rules: those of the flow.
    ///   - matcher: for the start pattern of the rules; files that are read by one thread share it.
    ///   - position: where the lines begin that will be added.
    package init(rules: EventRules, matcher: PrefixMatcher, at position: FramingPosition) {
        self.rules = rules
        self.matcher = matcher
        self.position = position
        givenTo = position.offset
    }

    package var openBytes: Int { open.count }

    package var deadline: ContinuousClock.Instant? { grownAt.map { $0 + rules.timeout } }

    package mutating func add(
        _ line: Span<UInt8>,
        terminator: Span<UInt8>,
        upTo end: FramingPosition,
        at now: ContinuousClock.Instant,
        _ sink: Sink
    ) {
        let isStart = matcher.matchesPrefix(line)
        if grownAt != nil {
            let isTooLarge = open.count + line.count + terminator.count > rules.maxEventBytes
            if isTooLarge, !isStart { counts.splits += 1 }
            if isStart || isTooLarge { finish(sink) }
        }
        open.append(copying: line)
        open.append(copying: terminator)
        openLines += 1
        grownAt = now
        position = end
    }

    package mutating func skip(to end: FramingPosition) -> EventReach? {
        position = end
        guard grownAt == nil else { return nil }
        defer { givenTo = end.offset }
        return EventReach(start: givenTo, end: end)
    }

    package mutating func expire(at now: ContinuousClock.Instant, _ sink: Sink) {
        guard let deadline, now >= deadline else { return }
        finish(sink)
        open = []
    }

    package mutating func finish(_ sink: Sink) {
        guard grownAt != nil else { return }
        grownAt = nil
        let reach = EventReach(start: givenTo, end: position, lines: openLines)
        givenTo = position.offset
        openLines = 0
        sink(open.span, reach)
        open.removeAll(keepingAtMost: Self.keptBytes)
    }
}
