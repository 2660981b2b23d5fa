/// What became of all records that a stream was ever given, or of the lines that they were made of, since its state
/// directory was made.
///
/// Every record is in exactly one place, so `stored` is the sum of the others: if not, one was lost or doubled here.
package struct StreamBalance: Sendable, Equatable {
    /// Records that were stored in the cache; one that was set aside and put back is one.
    package var stored = 0

    /// Those that were stored since the cache was opened.
    package var storedInSession = 0

    /// Records that the destination has taken.
    package var delivered = 0

    /// Records that are set aside as dead letters.
    package var deadLetters = 0

    /// Records that were deleted because somebody wished it, or as dead letters for which there was no room.
    package var dropped = 0

    /// Records that could not be read out of a damaged cache; their lines may have been read again.
    package var damaged = 0

    /// Records that wait, those on their way included.
    package var cached = 0

    package init() {}

    /// Records that are missing, or too many if it is less than 0; always 0 unless there is a mistake in the program.
    package var missing: Int { stored - delivered - deadLetters - dropped - damaged - cached }
}

/// How a stream stands at one moment.
package struct StreamStanding: Sendable {
    package let records: StreamBalance
    package let lines: StreamBalance

    /// Bytes of the records that wait, those on their way included.
    package let cachedBytes: Int

    /// When the oldest of them was stored, in milliseconds since 1970; nil if there is none.
    package let oldestCreated: Int?

    /// Whether it may store nothing until some of it is delivered.
    package let isFull: Bool

    /// Whether it should not be read for now, since it is full, or for a moment far ahead of its delivery.
    package let isPaused: Bool
}
