/// How the reading stands.
package struct IntakeStatistics: Sendable, Equatable {
    package var counts = IntakeCounts()

    /// The same for each flow.
    package var flows: [IntakeCounts] = []

    /// Files that are followed.
    package var files = 0

    /// Bytes that are in the files and have not been read, as far as is known.
    package var behind = 0

    /// Bytes that are known to have been lost with files that were truncated, deleted or moved before they were read.
    package var lostBytes = 0

    /// How often there was nothing to do but to wait.
    package var rests = 0

    /// How often everything was looked at.
    package var scans = 0

    package init() {}
}
