package import Records

/// Records of one stream that are ready for the cache, with what they were made of.
///
/// Lines leave the packer in the order in which they came, so the chunks say how far their sources have got: a chunk
/// covers the next `counts.sourceBytes` of what was added, all of them and nothing else.
package struct PackedChunk: Sendable, Equatable {
    package var records = RecordBatch()
    package var counts = PackingCounts()
}

/// What went into records, and what came out.
package struct PackingCounts: Sendable, Equatable {
    /// Lines that are in the records; one that was cut is one, and an event as many as it was made of.
    package var lines = 0

    /// Bytes that the lines took where they were read.
    package var sourceBytes = 0

    /// Lines among them that no record could hold whole, so that they were cut here.
    package var shortenedLines = 0

    /// Bytes that those lines lost.
    package var droppedBytes = 0

    /// Records that were made of the lines.
    package var records = 0

    /// Bytes of the records as they will be sent, before base64.
    package var recordBytes = 0

    package init() {}

    /// What lines count before they are in a record.
    init(lines: Int, sourceBytes: Int) {
        self.lines = lines
        self.sourceBytes = sourceBytes
    }

    package static func += (left: inout PackingCounts, right: PackingCounts) {
        left.lines += right.lines
        left.sourceBytes += right.sourceBytes
        left.shortenedLines += right.shortenedLines
        left.droppedBytes += right.droppedBytes
        left.records += right.records
        left.recordBytes += right.recordBytes
    }
}
