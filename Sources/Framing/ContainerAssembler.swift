import Bytes
import Containers
package import Regex

/// Makes events of a container's log: takes its lines apart, joins the parts of each stream's messages, and where the
/// flow has events of several lines, the messages of each stream.
///
/// An event goes once nothing is open that began before its end, so that what is read again after a crash was not sent.
/// If that takes longer than the rules let an event wait, or more bytes than two records hold, it goes nevertheless:
/// then a crash or a stop may have it sent again.
package struct ContainerAssembler: LineAssembler {
    package private(set) var counts = EventCounts()

    private let rules: EventRules
    private let container: ContainerRules
    private let matcher: PrefixMatcher?
    private var streams = [OpenMessage](repeating: OpenMessage(), count: ContainerStream.allCases.count)
    private var held = HeldEvents()
    private var givenTo: Int
    private var position: FramingPosition

    /// The message of the line that is being added, and the record that is being made.
    private var message: [UInt8] = []
    private var record: [UInt8] = []

    /// - Parameters:
    ///   - rules: those of the flow; without a start pattern each message is an event.
    ///   - container: the format of the file.
    ///   - matcher: for the start pattern of the rules; files that are read by one thread share it.
    ///   - position: where the lines begin that will be added.
    package init(rules: EventRules, container: ContainerRules, matcher: PrefixMatcher?, at position: FramingPosition) {
        self.rules = rules
        self.container = container
        self.matcher = matcher
        self.position = position
        givenTo = position.offset
    }

    package var openBytes: Int { streams.reduce(held.bytes) { $0 + $1.text.count } }

    package var deadline: ContinuousClock.Instant? {
        (streams.map(\.grownAt) + [held.first?.since]).compactMap(\.self).min().map { $0 + rules.timeout }
    }

    package mutating func add(
        _ line: Span<UInt8>,
        terminator: Span<UInt8>,
        upTo end: FramingPosition,
        at now: ContinuousClock.Instant,
        _ sink: Sink
    ) {
        message.removeAll(keepingAtMost: Self.keptBytes)
        record.removeAll(keepingAtMost: Self.keptBytes)
        if let parsed = container.format.parse(line, appendingMessageTo: &message) {
            let time = line.extracting(parsed.time)
            if give(parsed, at: time, upTo: end, sink) { return }
            let text = message
            take(parsed, text.span, at: time, upTo: end, now, sink)
        } else {
            addBroken(line, terminator: terminator, upTo: end, at: now)
        }
        release(at: now, sink)
        while openBytes > 2 * rules.maxEventBytes, let oldest = openStreams.first {
            counts.splits += 1
            self.end(oldest, at: now)
            release(at: now, sink)
        }
    }

    package mutating func skip(to end: FramingPosition) -> EventReach? {
        position = end
        let boundary = self.boundary
        guard boundary.offset > givenTo || openStreams.isEmpty && held.first == nil else { return nil }
        defer { givenTo = boundary.offset }
        return EventReach(start: givenTo, end: boundary)
    }

    package mutating func expire(at now: ContinuousClock.Instant, _ sink: Sink) {
        for stream in openStreams {
            guard let grownAt = streams[stream].grownAt, now >= grownAt + rules.timeout else { continue }
            end(stream, at: now)
        }
        release(at: now, sink)
    }

    package mutating func finish(_ sink: Sink) {
        for stream in openStreams {
            if let grownAt = streams[stream].grownAt { end(stream, at: grownAt) }
        }
        while held.first != nil { give(held.take(held.countOfClosed(before: .max)), sink) }
    }
}

// MARK: Messages

extension ContainerAssembler {
    /// Gives a message that is an event by itself, if nothing is in its way, as is most often so.
    private mutating func give(
        _ line: ContainerLine,
        at time: Span<UInt8>,
        upTo end: FramingPosition,
        _ sink: Sink
    ) -> Bool {
        guard matcher == nil, !line.isPartial, message.count < container.limits.maxLineBytes, held.first == nil,
            !container.limits.dropsEmptyLines, streams.allSatisfy({ $0.start == nil })
        else { return false }
        position = end
        let text = message
        write(text.span, of: line.stream, at: time)
        let reach = EventReach(start: givenTo, end: end, lines: 1)
        givenTo = end.offset
        sink(record.span, reach)
        return true
    }

    /// Takes a message, or a part of one.
    private mutating func take(
        _ line: ContainerLine,
        _ text: Span<UInt8>,
        at time: Span<UInt8>,
        upTo end: FramingPosition,
        _ now: ContinuousClock.Instant,
        _ sink: Sink
    ) {
        let stream = line.stream.rawValue
        if !streams[stream].isPartial {
            if !line.isPartial, container.limits.dropsEmptyLines, text.isBlankLine {
                position = end
                counts.filteredLines += 1
                return
            }
            endEvent(of: stream, before: text, at: now)
            release(at: now, sink)
            beginMessage(of: stream, at: time)
        }
        position = end
        streams[stream].lines.all += 1
        streams[stream].lines.last += 1
        append(text, to: stream, at: now)
        guard !line.isPartial else { return }
        streams[stream].isPartial = false
        if streams[stream].isDropping, container.limits.oversized == .skip { forgetLastMessage(of: stream, at: now) }
        if matcher == nil { self.end(stream, at: now) }
    }

    /// Ends the open event of a stream if the message that begins does not belong to it.
    private mutating func endEvent(of stream: Int, before text: Span<UInt8>, at now: ContinuousClock.Instant) {
        // A message in several parts is known by its first one.
        let isStart = matcher?.matchesPrefix(text) ?? true
        guard streams[stream].start != nil else { return }
        let isTooLarge = streams[stream].text.count + text.count + 2 > rules.maxEventBytes
        if isTooLarge, !isStart { counts.splits += 1 }
        if isStart || isTooLarge { end(stream, at: now) }
    }

    /// Begins one more message of a stream; if the one before it in the event was cut, that stays to be seen.
    private mutating func beginMessage(of stream: Int, at time: Span<UInt8>) {
        let isCut = streams[stream].isCut
        if isCut, container.record == nil { streams[stream].text += container.limits.cutMark }
        streams[stream].begin(at: position.offset, time)
        streams[stream].isCut = isCut && container.record != nil
    }

    /// Adds a part to the last message of a stream, as far as it is wanted.
    private mutating func append(_ text: Span<UInt8>, to stream: Int, at now: ContinuousClock.Instant) {
        streams[stream].grownAt = now
        if streams[stream].isDropping {
            counts.droppedBytes += text.count
            return
        }
        let limits = container.limits
        if streams[stream].lastBytes + text.count < limits.maxLineBytes {
            splitEvent(of: stream, beforeMore: text.count, at: now)
            streams[stream].text.append(copying: text)
            return
        }
        counts.cutMessages += 1
        switch limits.oversized {
        case .truncate:
            streams[stream].isDropping = true
            streams[stream].isCut = true
            let room = min(max(0, limits.keptBytes - streams[stream].lastBytes), text.count)
            streams[stream].text.append(copying: text.extracting(first: room))
            counts.droppedBytes += text.count - room
            shortenLastMessage(of: stream)
        case .skip:
            streams[stream].isDropping = true
            counts.droppedBytes += streams[stream].lastBytes + text.count
        case .split:
            appendSplit(text, to: stream, at: now)
        }
    }

    /// Takes away what does not fit before the terminator, which may be more than what the last part had, and no part of
    /// a character is left.
    private mutating func shortenLastMessage(of stream: Int) {
        let open = streams[stream]
        let limit = open.last.byte + min(open.lastBytes, container.limits.keptBytes)
        let kept = Newline.byte.wholeCharacters(in: open.text.span, from: open.last.byte, upTo: limit)
        counts.droppedBytes += open.text.count - kept
        streams[stream].text.removeSubrange(kept...)
    }

    /// Adds a part of a message that is split into events of as much as a line may have.
    private mutating func appendSplit(_ text: Span<UInt8>, to stream: Int, at now: ContinuousClock.Instant) {
        let piece = container.limits.keptBytes
        var start = 0
        while start < text.count {
            if streams[stream].lastBytes > 0 { continueInNewEvent(stream, at: now) }
            let last = min(start + piece, text.count)
            let end = last == text.count ? last : Newline.byte.piece(of: text, from: start, upTo: last)
            streams[stream].text.append(copying: text.extracting(start..<end))
            start = end
        }
    }

    /// Ends what a stream has of a message, and goes on with the rest of it in another event.
    private mutating func continueInNewEvent(_ stream: Int, at now: ContinuousClock.Instant) {
        let time = streams[stream].time
        let offset = streams[stream].last.offset
        streams[stream].isPartial = false
        end(stream, at: now)
        streams[stream].begin(at: offset, time.span)
        streams[stream].grownAt = now
    }

    /// Ends the messages before the last one of a stream if the event would become too large with more of it.
    private mutating func splitEvent(of stream: Int, beforeMore count: Int, at now: ContinuousClock.Instant) {
        let open = streams[stream]
        guard open.last.byte > 0, open.text.count + count + 1 > rules.maxEventBytes else { return }
        counts.splits += 1
        streams[stream].text.removeSubrange((open.last.byte - 1)...)
        streams[stream].lines.all -= open.lines.last
        streams[stream].isPartial = false
        complete(stream, upTo: open.last.offset, at: now)
        streams[stream].begin(at: open.last.offset, open.time.span)
        streams[stream].grownAt = now
        streams[stream].lines = (open.lines.last, open.lines.last)
        streams[stream].text.append(copying: open.text.span.extracting(open.last.byte...))
    }

    /// Takes a message out of its event again that is too long.
    private mutating func forgetLastMessage(of stream: Int, at now: ContinuousClock.Instant) {
        let first = streams[stream].last.byte
        if first == 0, let start = streams[stream].start {
            // What lies between its parts must not go before it ends, as with any other.
            let lines = streams[stream].lines.all
            held.add(.init(record: nil, range: start..<position.offset, lines: lines, since: now))
            return streams[stream].removeAll()
        }
        streams[stream].text.removeSubrange((first - 1)...)
        counts.filteredLines += streams[stream].lines.last
        streams[stream].lines = (streams[stream].lines.all - streams[stream].lines.last, 0)
        streams[stream].isDropping = false
    }
}

// MARK: Events

extension ContainerAssembler {
    /// The streams that have something open, in the order in which that began.
    private var openStreams: [Int] {
        streams.indices.filter { streams[$0].start != nil }
            .sorted { streams[$0].start ?? 0 < streams[$1].start ?? 0 }
    }

    private var earliestOpen: Int { streams.compactMap(\.start).min() ?? .max }

    /// Up to where nothing is open or held.
    private var boundary: FramingPosition {
        let pending = min(earliestOpen, held.first?.range.lowerBound ?? .max)
        return pending < position.offset ? FramingPosition(offset: pending) : position
    }

    /// Ends the open event of a stream.
    private mutating func end(_ stream: Int, at now: ContinuousClock.Instant) {
        if streams[stream].isPartial { counts.unfinished += 1 }
        if streams[stream].isPartial, streams[stream].isDropping, container.limits.oversized == .skip {
            forgetLastMessage(of: stream, at: now)
            guard streams[stream].start != nil else { return }
        }
        complete(stream, upTo: position.offset, at: now)
    }

    /// Makes the record of a stream's event, which ends at an offset, and holds it.
    private mutating func complete(_ stream: Int, upTo end: Int, at now: ContinuousClock.Instant) {
        let open = streams[stream]
        streams[stream].removeAll()
        guard let start = open.start else { return }
        let source = ContainerStream(rawValue: stream)
        write(open.text.span, of: source, at: open.time.span, isPartial: open.isPartial, isCut: open.isCut)
        held.add(.init(record: record, range: start..<max(start, end), lines: open.lines.all, since: now))
    }

    /// Holds a line that is not in the format, as it is.
    private mutating func addBroken(
        _ line: Span<UInt8>,
        terminator: Span<UInt8>,
        upTo end: FramingPosition,
        at now: ContinuousClock.Instant
    ) {
        let start = position.offset
        position = end
        let isWhole = terminator.count == 0 && line.count > 0
        let content = isWhole ? line.extracting(first: line.count - 1) : line
        if container.limits.dropsEmptyLines, content.isBlankLine {
            counts.filteredLines += 1
            return
        }
        counts.broken += 1
        let none = line.extracting(first: 0)
        write(content, of: nil, at: none, isCut: end.isSkippingLine)
        held.add(.init(record: record, range: start..<end.offset, lines: 1, since: now))
    }

    /// Makes `record`.
    private mutating func write(
        _ text: Span<UInt8>,
        of stream: ContainerStream?,
        at time: Span<UInt8>,
        isPartial: Bool = false,
        isCut: Bool = false
    ) {
        record.removeAll(keepingCapacity: true)
        guard let writer = container.record else {
            record.append(copying: text)
            record += isCut ? container.limits.cutTerminator : [UInt8(ascii: "\n")]
            return
        }
        let limit = rules.maxEventBytes
        let flags = ContainerRecord.Flags(isPartial: isPartial, isTruncated: isCut)
        let left = writer.append(text, of: stream, at: time, flags, limit: limit, to: &record)
        counts.droppedBytes += left
        if left > 0 { counts.cutMessages += 1 }
    }

    /// Gives the events that may go.
    private mutating func release(at now: ContinuousClock.Instant, _ sink: Sink) {
        while let first = held.first {
            let closed = held.countOfClosed(before: earliestOpen)
            if closed > 0 {
                give(held.take(closed), sink)
            } else if now >= first.since + rules.timeout || held.bytes > rules.maxEventBytes {
                give(held.take(1), sink)
            } else {
                return
            }
        }
    }

    private mutating func give(_ events: [HeldEvents.Event], _ sink: Sink) {
        let last = events.lastIndex { $0.record != nil }
        for (index, event) in events.enumerated() {
            guard let record = event.record else {
                counts.filteredLines += event.lines
                continue
            }
            // Those that lie one in the other bring the file further together, with the last one.
            let isLast = index == last
            let end = isLast ? boundary : FramingPosition(offset: givenTo)
            let reach = EventReach(start: givenTo, end: end, lines: event.lines)
            givenTo = reach.end.offset
            sink(record.span, reach)
        }
    }
}

extension Span<UInt8> {
    /// Whether it is what an empty line has before its newline.
    fileprivate var isBlankLine: Bool { count == 0 || count == 1 && self[0] == UInt8(ascii: "\r") }
}
