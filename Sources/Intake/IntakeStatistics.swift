/// How the reading stands.
package struct IntakeStatistics: Sendable, Equatable {
    package var counts = IntakeCounts()

    /// The same for each flow.
    package var flows: [IntakeCounts] = []

    /// Files that are followed.
    package var files = 0

    /// Bytes that are in the files and have not been read, as far as is known.
    package var behind = Lag()

    /// Bytes that are known to have been lost with files that were truncated, deleted or moved before they were read.
    package var lostBytes = 0

    /// How often there was nothing to do but to wait.
    package var rests = 0

    /// How often everything was looked at.
    package var scans = 0

    package init() {}
}

/// Bytes that are in files and have not been read.
package struct Lag: Sendable, Equatable {
    /// All of them.
    package var bytes = 0

    /// Those that can be read; the others are an unfinished line, or a hole, at the end of a file.
    package var due = 0

    static func + (left: Lag, right: Lag) -> Lag {
        Lag(bytes: left.bytes + right.bytes, due: left.due + right.due)
    }

    static func - (left: Lag, right: Lag) -> Lag {
        Lag(bytes: left.bytes - right.bytes, due: left.due - right.due)
    }

    static func += (left: inout Lag, right: Lag) { left = left + right }
    static func -= (left: inout Lag, right: Lag) { left = left - right }
}
