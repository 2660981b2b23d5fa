/// Records and the checkpoints that they advance: stored together or not at all.
package struct Harvest: Sendable {
    /// What was read, in order for each stream.
    package var records: [(stream: StreamName, batch: RecordBatch)] = []

    /// How far the files are read once the records are stored.
    package var checkpoints: [Checkpoint] = []

    /// Files that are gone and read to their end, whose checkpoints are of no more use.
    package var finished: [(stream: StreamName, file: FileIdentity)] = []

    /// Patterns whose files have been given their starting offsets; what appears later is read from its beginning.
    package var adopted: [(stream: StreamName, pattern: String)] = []

    /// Whether it must be on the disk before anything else happens, since its source is going.
    package var isIrreplaceable = false

    package init() {}

    package var isEmpty: Bool {
        records.isEmpty && checkpoints.isEmpty && finished.isEmpty && adopted.isEmpty
    }
}
