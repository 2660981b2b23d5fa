/// What became of all records, or of the lines that they were made of, that a stream was ever given, since its state directory was made.
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
