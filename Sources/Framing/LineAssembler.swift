/// Makes events of the lines of one file: of lines that belong together, or of what containers wrote.
///
/// It holds what is open, and the file stays safe only up to the beginning of that. There is no clock in it.
package protocol LineAssembler {
    /// Takes an event, which is lent, and how far that brings the file.
    typealias Sink = (_ event: Span<UInt8>, _ reach: EventReach) -> Void

    /// What was done besides giving events.
    var counts: EventCounts { get }

    /// Bytes of events that are open, or may not go yet.
    var openBytes: Int { get }

    /// When something that is open is to be ended unless it grows; nil if nothing is open.
    var deadline: ContinuousClock.Instant? { get }

    /// Adds one line.
    ///
    /// - Parameters:
    ///   - line: the line with its newline, or its content alone.
    ///   - terminator: what is put after it: a newline that its file lacks, or what ends a line that was cut.
    ///   - end: how far the line brings the file.
    ///   - now: when it was read.
    ///   - sink: gets the events that end because of it.
    mutating func add(
        _ line: Span<UInt8>,
        terminator: Span<UInt8>,
        upTo end: FramingPosition,
        at now: ContinuousClock.Instant,
        _ sink: Sink
    )

    /// Passes over bytes of which nothing is wanted.
    ///
    /// - Returns: how far that brings the file, unless something open holds it back.
    mutating func skip(to end: FramingPosition) -> EventReach?

    /// Ends what has not grown for as long as it may wait.
    mutating func expire(at now: ContinuousClock.Instant, _ sink: Sink)

    /// Ends everything that is open.
    mutating func finish(_ sink: Sink)
}

extension LineAssembler {
    /// Bytes of memory that are kept at most for lines and events to come, in each place.
    static var keptBytes: Int { 65_536 }
}

/// What became of lines besides events.
package struct EventCounts: Sendable, Equatable {
    /// How often an event was split that would have become too large, or for which there was no memory.
    package var splits = 0

    /// Messages of containers that were ended before their last part came.
    package var unfinished = 0

    /// Lines that are not in the format of their file.
    package var broken = 0

    /// Messages of containers that are too long for a line.
    package var cutMessages = 0

    /// Bytes that those lost.
    package var droppedBytes = 0

    /// Lines that became no part of an event: empty messages, and those that are too long, if so it is wished.
    package var filteredLines = 0

    package init() {}

    package static func + (left: EventCounts, right: EventCounts) -> EventCounts {
        var sum = left
        sum.splits += right.splits
        sum.unfinished += right.unfinished
        sum.broken += right.broken
        sum.cutMessages += right.cutMessages
        sum.droppedBytes += right.droppedBytes
        sum.filteredLines += right.filteredLines
        return sum
    }

    package static func - (left: EventCounts, right: EventCounts) -> EventCounts {
        var difference = left
        difference.splits -= right.splits
        difference.unfinished -= right.unfinished
        difference.broken -= right.broken
        difference.cutMessages -= right.cutMessages
        difference.droppedBytes -= right.droppedBytes
        difference.filteredLines -= right.filteredLines
        return difference
    }
}
