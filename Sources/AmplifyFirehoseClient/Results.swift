/// What ``AmplifyFirehoseClient/record(data:streamName:)`` gives: the record is on the disk, or the client is disabled.
public struct RecordData: Sendable, Equatable {
    /// For those who play the client in a test.
    public init() {}
}

/// What a flush did.
public struct FlushData: Sendable, Equatable {
    /// Records that the service accepted in this flush.
    public let recordsFlushed: Int

    /// Whether another flush was under way, so that this one did nothing.
    public let flushInProgress: Bool

    /// For those who play the client in a test.
    public init(recordsFlushed: Int, flushInProgress: Bool) {
        self.recordsFlushed = recordsFlushed
        self.flushInProgress = flushInProgress
    }
}

/// What clearing the cache did.
public struct ClearCacheData: Sendable, Equatable {
    /// Records that were deleted.
    public let recordsCleared: Int

    /// For those who play the client in a test.
    public init(recordsCleared: Int) {
        self.recordsCleared = recordsCleared
    }
}

/// How much is cached.
public struct CacheSize: Sendable, Equatable {
    /// Bytes of the records' data, as ``AmplifyFirehoseClient/Options/cacheMaxBytes`` counts them.
    public let bytes: Int

    /// How many records there are.
    public let records: Int

    /// For those who play the client in a test.
    public init(bytes: Int, records: Int) {
        self.bytes = bytes
        self.records = records
    }
}

/// Records that were deleted from the cache without having been delivered.
public struct DroppedRecords: Sendable, Equatable {
    /// Why they were deleted.
    public enum Reason: Sendable, Equatable {
        /// The service has refused them more often than `maxRetries` allows, the last time with this error code.
        case retriesExhausted(errorCode: String)
    }

    /// The delivery stream that they were meant for.
    public let streamName: String

    /// How many there were.
    public let count: Int

    /// Why they were deleted.
    public let reason: Reason

    /// For those who play the client in a test.
    public init(streamName: String, count: Int, reason: Reason) {
        self.streamName = streamName
        self.count = count
        self.reason = reason
    }
}
