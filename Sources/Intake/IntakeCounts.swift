import Framing

/// What has been read, by everybody's count.
package struct IntakeCounts: Sendable, Equatable {
    /// Lines that were read; each part of one that was split is one.
    package var lines = 0
    package var bytes = 0

    /// Lines among them that a rule leaves out: those of a header, empty ones, and those that are too long.
    package var filteredLines = 0

    /// Lines that were too long.
    package var cutLines = 0

    /// How often an event was split that no record could hold, or for which there was no memory.
    package var splitEvents = 0

    /// Messages of containers of which no last part came.
    package var unfinishedMessages = 0

    /// Lines that are not in the format of their file.
    package var brokenLines = 0

    /// Bytes that cut lines lost.
    package var droppedBytes = 0

    /// Records that were made of the lines, and are stored.
    package var records = 0

    /// Lines that are in those records.
    package var recordLines = 0

    package init() {}

    /// Adds what became of lines on their way to events.
    mutating func add(_ events: EventCounts) {
        splitEvents += events.splits
        unfinishedMessages += events.unfinished
        brokenLines += events.broken
        cutLines += events.cutMessages
        droppedBytes += events.droppedBytes
        filteredLines += events.filteredLines
    }

    package static func + (left: IntakeCounts, right: IntakeCounts) -> IntakeCounts {
        var sum = left
        sum.lines += right.lines
        sum.bytes += right.bytes
        sum.filteredLines += right.filteredLines
        sum.cutLines += right.cutLines
        sum.splitEvents += right.splitEvents
        sum.unfinishedMessages += right.unfinishedMessages
        sum.brokenLines += right.brokenLines
        sum.droppedBytes += right.droppedBytes
        sum.records += right.records
        sum.recordLines += right.recordLines
        return sum
    }
}
