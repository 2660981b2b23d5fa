/// Which streams should not be read for now.
package struct Backpressure: Sendable, Equatable {
    /// Those that are full, and those that are so far ahead of their delivery that it may catch up a little.
    package var streams: Set<StreamName>

    /// When to ask again even if nobody tells that it has eased; nil if all of them are full.
    package var easesAt: ContinuousClock.Instant?

    /// Whether others have filled the disk, and records only pass through the room that was taken in advance.
    package var isDiskFull = false

    package init(_ streams: Set<StreamName> = [], easesAt: ContinuousClock.Instant? = nil) {
        self.streams = streams
        self.easesAt = easesAt
    }
}
