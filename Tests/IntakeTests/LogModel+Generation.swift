extension LogModel {
    /// How the intake is set up.
    struct Setting: CustomStringConvertible {
        /// Whether rotated files keep a name that the pattern matches.
        var matchesRotated: Bool
        var joinedBytes: Int
        var maxOpenFiles: Int

        var description: String {
            "rotated names match: \(matchesRotated), joined bytes: \(joinedBytes), open files: \(maxOpenFiles)"
        }
    }

    /// One file, from its creation to its end, or the content of one between two truncations.
    final class Generation {
        /// Whole lines that were written, without their newlines.
        var lines: [String] = []

        /// The start of a line that has no newline yet.
        var partial = ""

        /// Whether a pattern matches the name that it has; false for one that has none.
        var isListed = true

        var isDeleted = false

        /// Whether it is what a link led to before.
        var isUnlinked = false

        /// Whether all of it was written since there is no intake.
        var isYoung = true

        /// Whether there is a copy of it, and enough is known of it to tell.
        var isCopied = false

        /// Whether its lines may come twice: a copy of them was made.
        var mayRepeat = false

        /// What may be missing: it could be destroyed before anyone was able to read it.
        var doubtful: Set<String> = []
    }
}
