import Compression
package import Records

/// What is done to a record's bytes before they are kept.
package enum RecordCompression: Sendable, Equatable {
    case none

    /// Each record is one complete gzip member.
    case gzip
}

/// How the lines of one stream become records.
package struct PackingSettings: Sendable, Equatable {
    /// How large a chunk is made if the stream's limits leave the choice, in bytes.
    ///
    /// Rows of this size are what the cache takes in fastest.
    package static let chunkBytes = 262_144

    /// Bytes of whole lines that are joined into one record, before compression: 1 to 1,024,000; 0 is a line a record.
    package let aggregatedRecordSizeBytes: Int

    package let compression: RecordCompression

    /// What ends a line that has to be cut here because no record can hold it.
    package let cutTerminator: [UInt8]

    /// What surely fits in a record, in bytes before compression.
    package var safeRecordBytes: Int {
        switch compression {
        case .none: FirehoseLimits.recordBytes
        case .gzip: GzipWriter.largestInput(fitting: FirehoseLimits.recordBytes)
        }
    }

    /// What one chunk holds at most.
    package let chunkLimits: BatchLimits

    /// - Parameters:
    ///   - aggregatedRecordSizeBytes: 0 to 1,024,000.
    ///   - compression: what is done to each record.
    ///   - cutTerminator: the one with which the framer has lines cut.
    ///   - limits: what one request of the stream may hold; no chunk holds more, so that a chunk can always be sent.
    package init(
        aggregatedRecordSizeBytes: Int = 0,
        compression: RecordCompression = .none,
        cutTerminator: [UInt8] = [UInt8(ascii: "\n")],
        limits: BatchLimits = BatchLimits()
    ) {
        precondition(
            (0...FirehoseLimits.recordBytes).contains(aggregatedRecordSizeBytes),
            "a record holds 1,024,000 bytes"
        )
        precondition(limits.records > 0 && limits.bytes > 0, "a request holds a record")
        self.aggregatedRecordSizeBytes = aggregatedRecordSizeBytes
        self.compression = compression
        self.cutTerminator = cutTerminator
        chunkLimits = BatchLimits(records: limits.records, bytes: min(limits.bytes, Self.chunkBytes))
    }
}
