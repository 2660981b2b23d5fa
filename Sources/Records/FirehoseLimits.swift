/// What the service takes, counted before base64.
package enum FirehoseLimits {
    /// Bytes in one record (1,000 KiB).
    package static let recordBytes = 1_024_000

    /// Records in one request.
    package static let batchRecords = 500

    /// Bytes of all records in one request (4 MiB).
    package static let batchBytes = 4_194_304
}

/// How much one request may hold.
package struct BatchLimits: Sendable, Equatable {
    /// Records: 1 to 500.
    package var records: Int

    /// Bytes before base64: 1 to 4,194,304.
    ///
    /// One record that is larger still goes, alone.
    package var bytes: Int

    package init(records: Int = FirehoseLimits.batchRecords, bytes: Int = FirehoseLimits.batchBytes) {
        self.records = records
        self.bytes = bytes
    }
}
