public import FoundationEssentials
import Cache
import Flushing
import Platform
import Records
import Synchronization

/// Streams records to Amazon Data Firehose, and keeps them on the disk until the service has them.
///
/// ``record(data:streamName:)`` puts a record into a cache on the disk; a timer or ``flush()`` sends what is cached. So
/// records survive a restart, an outage of the network, and a machine that is offline for days.
///
/// All members may be called from any task at any time. A client that is not needed any more is closed with ``close()``;
/// one that is just let go leaks nothing either. Two clients cannot use one cache file at the same time.
public final class AmplifyFirehoseClient: Sendable {
    private let session: Session
    private let client: FirehoseClient
    private let options: Options
    private let journal: Journal
    private let timer = Mutex<Task<Void, Never>?>(nil)

    /// Opens the cache and starts the timer; the network is not touched yet.
    ///
    /// - Parameters:
    ///   - region: A region's name, such as `eu-west-1`.
    ///   - credentialsProvider: Asked for credentials when there is something to send.
    ///   - options: How the client behaves.
    /// - Throws: ``FirehoseError``: `.validation` for an option that cannot work, `.cache` if the cache cannot be opened,
    ///   as when another client has it open.
    public init(
        region: String,
        credentialsProvider: any AWSCredentialsProvider,
        options: Options = .init()
    ) throws {
        try options.validate()
        self.options = options
        var configuration = FirehoseClientConfiguration(region: region, credentialsProvider: credentialsProvider)
        options.configureClient?(&configuration)
        configuration.credentialsProvider = credentialsProvider
        client = try Self.makeClient(configuration)
        let cache = try Self.openCache(options, region: client.region)
        let journal = Journal(log: options.log, onDrop: options.onDrop)
        self.journal = journal
        session = Session(cache: cache, client: client, maxRetries: options.maxRetries) { journal.note($0) }
        startTimer()
    }

    deinit {
        timer.withLock { $0 }?.cancel()
        session.cancelFlush()
    }

    private static func makeClient(_ configuration: FirehoseClientConfiguration) throws(FirehoseError) -> FirehoseClient
    {
        do throws(FirehoseClientError) {
            return try FirehoseClient(config: configuration)
        } catch {
            throw FirehoseError(error)
        }
    }

    private static func openCache(_ options: Options, region: String) throws -> RecordCache {
        let path = try options.cachePath ?? defaultCachePath(region: region)
        do throws(CacheError) {
            return try RecordCache(
                at: .file(path),
                streams: [],
                maxBytes: options.cacheMaxBytes,
                durability: .eachCommit
            )
        } catch {
            throw FirehoseError(error)
        }
    }

    // MARK: Recording

    /// Stores a record, to be sent by a later flush.
    ///
    /// When this returns, the record is on the disk. Calls at the same time share their writes to the disk, so that a
    /// hundred tasks store many times as many records a second as one. While the client is disabled, the record is dropped.
    /// Cancelling the task has no effect: a record is stored or refused within milliseconds.
    ///
    /// - Parameters:
    ///   - data: The record, 0 to 1,024,000 bytes. Firehose puts nothing between records: end it with a newline if what
    ///     reads them wants one.
    ///   - streamName: The delivery stream, 1 to 64 characters out of letters, digits, `_`, `.` and `-`.
    /// - Returns: Nothing of interest; the type is there for what may come.
    /// - Throws: ``FirehoseError``: `.validation` if an argument breaks a limit, `.cacheLimitExceeded` if the record would
    ///   take the cache past `cacheMaxBytes`, `.cache` if the disk fails or is full; nothing is stored then.
    @discardableResult
    public func record(data: Data, streamName: String) async throws -> RecordData {
        try ensureOpen()
        guard session.isCollecting else { return RecordData() }
        guard data.count <= FirehoseLimits.recordBytes else {
            throw FirehoseError.validation(
                "the record has \(data.count) bytes; a record may have \(FirehoseLimits.recordBytes)",
                "make it smaller, or several of it"
            )
        }
        guard let stream = StreamName(streamName) else { throw FirehoseError.invalidStreamName(streamName) }
        switch await session.store(data, for: stream) {
        case .stored:
            return RecordData()
        case .refused:
            throw FirehoseError.cacheLimitExceeded(
                "a record of \(data.count) bytes would take the cache past its \(options.cacheMaxBytes) bytes",
                "flush, record less, or give cacheMaxBytes more"
            )
        case .failed(let error):
            throw FirehoseError(error)
        }
    }

    /// Deletes every cached record.
    ///
    /// Records that are on their way to the service at this moment may still arrive there.
    ///
    /// - Throws: ``FirehoseError/cache(_:_:_:)`` if the cache cannot be written; nothing is deleted then.
    @discardableResult
    public func clearCache() async throws -> ClearCacheData {
        try ensureOpen()
        return try await reading { cache throws(CacheError) in
            ClearCacheData(recordsCleared: try await cache.clear().records)
        }
    }

    /// How much is cached, records that are just being sent included.
    public var cacheSize: CacheSize {
        get async throws {
            try ensureOpen()
            let stored = await session.cache.stored
            return CacheSize(bytes: stored.bytes, records: stored.records)
        }
    }

    /// How long ago the oldest cached record was recorded, in seconds; nil if none is cached.
    ///
    /// How far delivery is behind. It is measured with the calendar's clock, and never less than 0.
    public var oldestRecordAge: TimeInterval? {
        get async throws {
            try ensureOpen()
            return try await reading { cache throws(CacheError) in try await cache.oldestCreated }
                .map { max(0, Double(WallClock.milliseconds - $0) / 1_000) }
        }
    }

    private func reading<Value: Sendable>(
        _ body: (RecordCache) async throws(CacheError) -> Value
    ) async throws(FirehoseError) -> Value {
        do throws(CacheError) {
            return try await body(session.cache)
        } catch {
            throw FirehoseError(error)
        }
    }

    // MARK: Sending

    /// Sends what is cached: of each stream at most one batch, 500 records or 4 MiB, the oldest first.
    ///
    /// What is left waits for the next flush. A record that the service refuses stays for the next flush, before newer
    /// ones; see ``Options/maxRetries``. An error of the service for a whole request counts as a refusal of its records, is
    /// logged, and does not concern the other streams. Works while the client is disabled too.
    ///
    /// - Returns: How many records the service accepted. If another flush is under way, at once `flushInProgress`.
    /// - Throws: ``FirehoseError``: `.unknown` if the service gave no answer, there are no credentials, or the task was
    ///   cancelled, with a ``FirehoseClientError`` as the underlying error; `.cache` if the cache cannot be read or written.
    ///   Nothing is charged to the records then.
    @discardableResult
    public func flush() async throws -> FlushData {
        try ensureOpen()
        do throws(FlushRoundError) {
            let result = try await session.flush()
            return FlushData(recordsFlushed: result?.accepted ?? 0, flushInProgress: result == nil)
        } catch {
            throw session.isClosed ? FirehoseError.closed : FirehoseError(error)
        }
    }

    /// The underlying client, with the same credentials and connections: for everything that the cache does not do.
    public func getFirehoseClient() -> FirehoseClient { client }

    // MARK: On and off

    /// Takes records again, and lets the timer flush.
    public func enable() async {
        guard !session.isClosed else { return }
        session.isCollecting = true
        startTimer()
    }

    /// Drops new records from now on, without an error, and stops the timer; what is cached stays.
    ///
    /// A flush that is under way comes to its end.
    public func disable() async {
        session.isCollecting = false
        stopTimer()
    }

    private func startTimer() {
        guard case .interval(let seconds) = options.flushStrategy else { return }
        timer.withLock { timer in
            guard timer == nil, !session.isClosed else { return }
            timer = Task { [session, journal] in
                while (try? await Task.sleep(for: .seconds(seconds))) != nil {
                    do throws(FlushRoundError) {
                        try await session.flushOnTimer()
                    } catch {
                        journal.note(error)
                    }
                }
            }
        }
    }

    private func stopTimer() {
        timer.withLock { timer in
            timer?.cancel()
            timer = nil
        }
    }

    private func ensureOpen() throws(FirehoseError) {
        if session.isClosed { throw .closed }
    }

    /// Stops the timer, closes the cache and lets go of the connections; sends nothing.
    ///
    /// A flush under way is given up, and its records stay in the cache. When this returns, another client can open the cache
    /// file. Every operation throws from now on; closing again does nothing.
    public func close() async {
        stopTimer()
        await session.close()
    }
}
