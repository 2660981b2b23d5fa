/// What should not be read for now.
package struct Backpressure: Sendable, Equatable {
    /// The streams of which nothing should be: those that are full, and those that are so far ahead of their delivery
    /// that it may catch up a little.
    package var streams: Set<StreamName>

    /// How many bytes may be read of files that are far behind, for the streams where that is limited.
    ///
    /// What is new in other files is read all the same, since it should not wait behind those.
    package var leads: [StreamName: Int] = [:]

    /// When to ask again even if nobody tells that it has eased; nil if none of the streams is only ahead.
    package var easesAt: ContinuousClock.Instant?

    package init(_ streams: Set<StreamName> = [], easesAt: ContinuousClock.Instant? = nil) {
        self.streams = streams
        self.easesAt = easesAt
    }
}
