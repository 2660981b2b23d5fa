package import Platform
package import Records
import SQLite

/// The durable queue of records between reading and sending, and the checkpoints of what was read, in one database.
///
/// Records and the checkpoints that they advance are written in one transaction, so that no crash can part them.
/// Transactions are atomic at once and durable after `synchronize`, which runs by itself within a second of a change.
package actor RecordCache {
    /// Where the database is worked on; the flush engine shares it.
    package nonisolated let executor: QueueExecutor
    private let lock: StateLock
    private let log: WriteAheadLog
    private let onRoom: @Sendable () -> Void

    /// Raised for a stream whenever records were added to it.
    package nonisolated let appended: [StreamName: Signal]

    /// Bytes that one stream may store.
    private let streamLimit: Int

    let database: Database
    let path: String
    let statements: Statements
    var streams: [StreamName: StreamState] = [:]

    /// Whether the disk is so full that the write-ahead log is kept short.
    var isDiskTight = false

    /// Raised by a change that is not known to be on the disk.
    private let unsynchronized = Signal()

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.reference }

    /// Opens the cache in `directory`, which is made if it is not there (mode 0700; the files are 0600).
    ///
    /// The streams are those that will be appended to; others that have records left are kept and served. `maxBytes`
    /// counts the bytes of records in the whole cache; every stream may store its equal share, so that one in trouble
    /// does not take the others' room. `onRoom` is called when a stream that was full can store again.
    package init(
        directory: String,
        streams names: [StreamName],
        maxBytes: Int,
        onRoom: @escaping @Sendable () -> Void = {}
    ) throws(CacheError) {
        let madeDirectories: [String]
        do throws(FileError) {
            madeDirectories = try makeDirectories(directory)
        } catch {
            throw error.errno.isOutOfSpace
                ? .diskFull(path: directory) : .inaccessible(path: directory, reason: "\(error)")
        }
        do throws(CacheError) {
            lock = try StateLock(directory: directory)
            path = directory + "/cache.db"
            database = try Schema.open(path)
            statements = try CacheError.of(path) { [database] () throws(SQLiteError) in try Statements(database) }
            streams = try Self.load(names, database, path)
        } catch {
            undoStart(in: directory, madeDirectories)
            throw error
        }
        log = WriteAheadLog(ofDatabaseAt: path)
        appended = Dictionary(uniqueKeysWithValues: streams.keys.map { ($0, Signal()) })
        streamLimit = max(1, maxBytes / max(1, names.count))
        executor = QueueExecutor(label: "firetail.cache")
        self.onRoom = onRoom
    }

    /// The known streams with their totals; those of `names` that are new are added.
    private static func load(
        _ names: [StreamName],
        _ database: Database,
        _ path: String
    ) throws(CacheError) -> [StreamName: StreamState] {
        try CacheError.of(path) { () throws(SQLiteError) in
            try database.transaction { () throws(SQLiteError) in
                let insert = try database.prepare(
                    """
                    INSERT OR IGNORE INTO stream (name, first_record, next_record, records, bytes)
                    VALUES (?1, 0, 0, 0, 0)
                    """
                )
                for name in names {
                    insert.bind(name.text, at: 1)
                    try insert.run()
                }
                var streams: [StreamName: StreamState] = [:]
                let select = try database.prepare(
                    "SELECT name, id, first_record, next_record, records, bytes FROM stream"
                )
                while try select.step() {
                    guard let name = StreamName(select.text(at: 0)) else { continue }
                    streams[name] = StreamState(
                        id: select.integer(at: 1),
                        firstRecord: select.integer(at: 2),
                        nextRecord: select.integer(at: 3),
                        spentBytes: select.integer(at: 2) > 0 ? 1 : 0,
                        stored: Backlog(records: select.integer(at: 4), bytes: select.integer(at: 5))
                    )
                }
                return streams
            }
        }
    }

    // MARK: Writing

    /// Stores records and the checkpoints that they advance, all or nothing.
    ///
    /// A full disk throws `.diskFull` and stores nothing; the same harvest may be offered again. Gives the streams that
    /// should not be read for now; `onRoom` tells when that has eased.
    @discardableResult
    package func append(_ harvest: Harvest) async throws(CacheError) -> Backpressure {
        try ensureRoom(for: harvest)
        let saved = streams
        do throws(CacheError) {
            try transaction { () throws(SQLiteError) in
                for (stream, batch) in harvest.records { try insert(batch, into: stream) }
                for checkpoint in harvest.checkpoints { try save(checkpoint) }
                for (stream, file) in harvest.finished { try forget(file, of: stream) }
                for (stream, pattern) in harvest.adopted { try adopt(pattern, for: stream) }
            }
        } catch {
            streams = saved
            throw error
        }
        if harvest.isIrreplaceable { await insistOnDisk() } else { unsynchronized.raise() }
        for (stream, _) in harvest.records {
            appended[stream]?.raise()
            streams[stream]?.lastAppend = .now
        }
        return backpressure
    }

    /// The streams that should not be read for now.
    ///
    /// A full one not until there is room. One that is far ahead of its delivery not for a moment: what is delivered
    /// soon after it was stored costs the disk nothing, and the log file is as good a buffer.
    package var backpressure: Backpressure {
        var result = Backpressure()
        let now = ContinuousClock.now
        for (name, state) in streams {
            if state.stored.bytes >= streamLimit {
                result.streams.insert(name)
            } else if state.stored.isFarAhead, let last = state.lastAppend, last + Self.leadPause > now {
                result.streams.insert(name)
                result.easesAt = min(result.easesAt ?? last + Self.leadPause, last + Self.leadPause)
            }
        }
        return result
    }

    /// How long storing more waits for delivery to catch up.
    private static let leadPause = Duration.milliseconds(50)

    private func insert(_ batch: RecordBatch, into name: StreamName) throws(SQLiteError) {
        guard var state = streams[name] else { preconditionFailure("stream \(name) was not announced") }
        guard !batch.isEmpty else { return }
        try deleteSpent(&state)
        try insert(batch, id: state.nextID, attempts: 0)
        state.nextRecord += batch.count
        state.stored.records += batch.count
        state.stored.bytes += batch.bytes.count
        try save(state)
        streams[name] = state
    }

    func insert(_ batch: RecordBatch, id: Int, attempts: Int) throws(SQLiteError) {
        statements.insertChunk.bind(id, at: 1)
        statements.insertChunk.bind(WallClock.milliseconds, at: 2)
        statements.insertChunk.bind(attempts, at: 3)
        let lengths = Lengths.encode(batch.lengths)
        try statements.insertChunk.run(lending: lengths.span, at: 4, and: batch.bytes.span, at: 5)
    }

    /// Writes a stream's totals.
    func save(_ state: StreamState) throws(SQLiteError) {
        statements.updateStream.bind(state.id, at: 1)
        statements.updateStream.bind(state.firstRecord, at: 2)
        statements.updateStream.bind(state.nextRecord, at: 3)
        statements.updateStream.bind(state.stored.records, at: 4)
        statements.updateStream.bind(state.stored.bytes, at: 5)
        try statements.updateStream.run()
    }

    /// Deletes the chunks whose records are delivered; their pages are used again by what is written next.
    func deleteSpent(_ state: inout StreamState) throws(SQLiteError) {
        guard state.spentBytes > 0 else { return }
        statements.deleteChunks.bind(state.spentIDs.lowerBound, at: 1)
        statements.deleteChunks.bind(state.spentIDs.upperBound, at: 2)
        try statements.deleteChunks.run()
        state.spentBytes = 0
    }

    /// Replaces what is known of a stream after a committed change, and says so if it can store again.
    func update(_ name: StreamName, to state: StreamState) {
        let before = streams[name]?.stored ?? Backlog()
        streams[name] = state
        let hasRoom = before.bytes >= streamLimit && state.stored.bytes < streamLimit
        if hasRoom || before.isFarAhead && !state.stored.isFarAhead { onRoom() }
    }

    // MARK: The disk

    /// Waits until everything that was written is on the disk; the cache can be used meanwhile.
    package func synchronize() async throws(CacheError) {
        try await log.synchronize()
    }

    /// Waits until the disk has taken what is committed: to offer it again would store it twice.
    private func insistOnDisk() async {
        while (try? await log.synchronize()) == nil, !Task.isCancelled { try? await Task.sleep(for: .seconds(1)) }
    }

    /// Keeps the disk at most a second behind, until cancelled; idle as long as nothing changes.
    package func run() async {
        while !Task.isCancelled {
            await unsynchronized.wait()
            try? await Task.sleep(for: .seconds(1))
            try? await log.synchronize()
        }
    }

    /// Puts everything into the database file, for a clean end.
    package func close() {
        try? database.checkpoint()
    }
}

/// Removes what a failed start has made: the state directory if it is new, and those above it.
private func undoStart(in directory: String, _ madeDirectories: [String]) {
    guard madeDirectories.contains(directory) else { return }
    try? removeFile(directory + "/firetail.lock")
    for directory in madeDirectories.reversed() { try? removeEmptyDirectory(directory) }
}
