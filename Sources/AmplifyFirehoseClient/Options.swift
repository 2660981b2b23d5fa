public import FoundationEssentials
import Platform

/// When cached records are sent without anyone asking.
public enum FlushStrategy: Sendable, Equatable {
    /// A flush every so many seconds, more than 0; 30 unless told otherwise.
    ///
    /// A timer's flush goes on as long as full batches wait, so that it keeps up with any rate of records.
    case interval(TimeInterval = 30)

    /// Only a call of ``AmplifyFirehoseClient/flush()`` sends.
    case none
}

extension AmplifyFirehoseClient {
    /// How a client behaves.
    public struct Options: Sendable {
        /// Bytes of all records that may be cached; 5 MiB unless told otherwise.
        ///
        /// Counted are the records' data, not what the database needs around them.
        public var cacheMaxBytes: Int

        /// How often the service may refuse a record before it is sent for the last time; 5 unless told otherwise.
        ///
        /// A record that is refused once more is deleted, and ``onDrop`` is told.
        public var maxRetries: Int

        /// When cached records are sent without anyone asking.
        public var flushStrategy: FlushStrategy

        /// Changes the configuration of the underlying client: endpoint, timeouts, retry mode, proxy, CA.
        ///
        /// The credentials provider is set afterwards, so that the one of the initializer always wins.
        public var configureClient: (@Sendable (inout FirehoseClientConfiguration) -> Void)?

        /// The path of the cache's database file; nil is ``AmplifyFirehoseClient/defaultCachePath(region:)``.
        ///
        /// Its directory is made if it is not there. Beside the file lie SQLite's own files and a lock file.
        public var cachePath: String?

        /// Told of records that were deleted without having been delivered.
        ///
        /// Called from any thread, after they were deleted; it should not block.
        public var onDrop: (@Sendable (DroppedRecords) -> Void)?

        /// Takes each line of the client's log: warnings and errors, at most ten a minute of one kind, without a newline.
        ///
        /// Nil writes them to standard error. Never called by two threads at a time; it should not block, and must not
        /// call the client.
        public var log: (@Sendable (String) -> Void)?

        /// The default of ``cacheMaxBytes``.
        public static let defaultCacheMaxBytes = 5 * 1_024 * 1_024

        /// Describes a client's behaviour; what is left out has its default.
        public init<Size: BinaryInteger>(
            cacheMaxBytes: Size = Options.defaultCacheMaxBytes,
            maxRetries: Int = 5,
            flushStrategy: FlushStrategy = .interval(),
            configureClient: (@Sendable (inout FirehoseClientConfiguration) -> Void)? = nil,
            cachePath: String? = nil,
            onDrop: (@Sendable (DroppedRecords) -> Void)? = nil,
            log: (@Sendable (String) -> Void)? = nil
        ) {
            self.cacheMaxBytes = Int(clamping: cacheMaxBytes)
            self.maxRetries = maxRetries
            self.flushStrategy = flushStrategy
            self.configureClient = configureClient
            self.cachePath = cachePath
            self.onDrop = onDrop
            self.log = log
        }
    }

    /// Where a region's cache lies unless the options name another place.
    ///
    /// `$XDG_STATE_HOME/firehose-client/<region>.db`; without that variable, or if it is not an absolute path,
    /// `~/.local/state` stands for it.
    ///
    /// - Throws: ``FirehoseError/cache(_:_:_:)`` if neither variable nor `HOME` says where that is.
    public static func defaultCachePath(region: String) throws -> String {
        try defaultCachePath(region: region, environment: processEnvironment())
    }

    static func defaultCachePath(region: String, environment: [String: String]) throws(FirehoseError) -> String {
        func directory(_ name: String) -> String? {
            environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        let state = directory("XDG_STATE_HOME") ?? directory("HOME").map { "\($0)/.local/state" }
        guard let state else {
            throw .cache(
                "there is no place for the cache: neither XDG_STATE_HOME nor HOME is set to an absolute path",
                "set one of them, or cachePath in the options"
            )
        }
        return "\(state)/firehose-client/\(region).db"
    }
}

extension AmplifyFirehoseClient.Options {
    /// Refuses values that mean nothing.
    func validate() throws(FirehoseError) {
        guard cacheMaxBytes >= 0 else {
            throw .validation("cacheMaxBytes is \(cacheMaxBytes)", "give a number of bytes, 0 or more")
        }
        guard maxRetries >= 0 else {
            throw .validation("maxRetries is \(maxRetries)", "give a number of retries, 0 or more")
        }
        if case .interval(let seconds) = flushStrategy, !(seconds > 0 && seconds <= Self.longestInterval) {
            throw .validation(
                "the flush interval is \(seconds) s",
                "give more than 0 s and at most \(Int(Self.longestInterval)) s, or use .none to flush by hand alone"
            )
        }
    }

    /// A year, in seconds.
    private static let longestInterval: TimeInterval = 31_536_000
}
