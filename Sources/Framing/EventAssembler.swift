import Bytes
package import Regex

/// Makes events of the lines of one file.
///
/// An event begins with a line that matches the start pattern, or with whatever comes first, and ends before the next
/// such line, when it has not grown for a while, when it would become too large, or with its file. Each line is looked
/// at once, however long its event becomes. There is no clock in it: time is an argument.
package struct EventAssembler {
    /// Takes an event, which is lent, and how far that brings the file.
    package typealias Sink = (_ event: Span<UInt8>, _ reach: EventReach) -> Void

    /// How often an event was split because it would have become too large.
    package private(set) var splits = 0

    private let rules: EventRules
    private let matcher: PrefixMatcher

    /// The lines of the open event; none is open if they are empty.
    private var open: [UInt8] = []

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

    /// When the open event ends unless it grows; nil if none is open.
    package var deadline: ContinuousClock.Instant? { grownAt.map { $0 + rules.timeout } }

    /// Adds one line.
    ///
    /// - Parameters:
    ///   - line: the line with its newline, or its content alone.
    ///   - terminator: what is put after it: a newline that its file lacks, or what ends a line that was cut.
    ///   - end: how far the line brings the file.
    ///   - now: when it was read.
    ///   - sink: gets the event that ends before this line, if one does.
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
            if isTooLarge, !isStart { splits += 1 }
            if isStart || isTooLarge { finish(sink) }
        }
        open.append(copying: line)
        open.append(copying: terminator)
        grownAt = now
        position = end
    }

    /// Passes over bytes of which nothing is wanted.
    ///
    /// - Returns: how far that brings the file, unless an open event holds it back.
    package mutating func skip(to end: FramingPosition) -> EventReach? {
        position = end
        guard grownAt == nil else { return nil }
        defer { givenTo = end.offset }
        return EventReach(start: givenTo, end: end)
    }

    /// Ends the open event if it has not grown for as long as it may wait.
    package mutating func expire(at now: ContinuousClock.Instant, _ sink: Sink) {
        guard let deadline, now >= deadline else { return }
        finish(sink)
        open = []
    }

    /// Ends the open event.
    package mutating func finish(_ sink: Sink) {
        guard grownAt != nil else { return }
        grownAt = nil
        let reach = EventReach(start: givenTo, end: position)
        givenTo = position.offset
        sink(open.span, reach)
        open.removeAll(keepingCapacity: open.capacity <= Self.keptBytes)
    }

    /// What an assembler without an open event keeps for the next one at most.
    private static let keptBytes = 65_536
}
