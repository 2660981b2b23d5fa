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

    /// Raised for a stream whenever records were added to it; those that were not known at the start have none.
    package nonisolated let appended: [StreamName: Signal]

    // The lock comes behind what it guards, and so is let go of after it.
    private(set) var storage: Storage?
    private var lock: StateLock?

    private let log: WriteAheadLog
    private let onRoom: @Sendable () -> Void

    /// Told of dead letters that were deleted because there are too many.
    let onDiscard: @Sendable (_ stream: StreamName?, _ letters: Int) -> Void

    private let onLoss: @Sendable () -> Void

    /// The file that is open, until it is known that the path leads to it no more; nil if it could not be looked at.
    private var openFile: FileIdentity?

    /// What was saved of the cache if it was damaged when it was opened.
    package nonisolated let salvage: Salvage?

    /// Whether its file was there and had nothing in it, which is like no file.
    package nonisolated let wasEmptyFile: Bool

    let location: CacheLocation

    /// The database's path.
    package nonisolated var path: String { location.database }

    /// Bytes of records that the whole cache may store, and those that one stream may.
    let maxBytes: Int
    private let streamLimit: Int

    private(set) var streams: [StreamName: StreamState] = [:]

    /// Records and bytes of all streams, lent ones included.
    package private(set) var stored = Backlog()

    /// How often the cache was cleared: what was lent before is void.
    var clearings = 0

    /// Whether the disk is so full that the write-ahead log is kept short.
    var isDiskTight = false

    /// Raised by a change that is not known to be on the disk.
    let unsynchronized = Signal()

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.reference }

    /// Opens the cache at `location`, whose directory is made if it is not there (mode 0700; the files are 0600).
    ///
    /// - Parameters:
    ///   - location: where it is; nobody else may hold it, in this process or another.
    ///   - names: the streams that will be appended to; others that have records left are kept and served.
    ///   - maxBytes: counts the bytes of records in the whole cache. For `append` every stream may store its equal
    ///     share, so that one in trouble does not take the others' room; for `record` it is the sum that counts.
    ///   - durability: when what was stored survives a power cut.
    ///   - handling: what becomes of a damaged one.
    ///   - deadLetterMaxBytes: how many bytes dead letters may take; over it the oldest are deleted.
    ///   - onRoom: called when a stream that was full can store again.
    ///   - onDiscard: told how many dead letters of a stream were deleted so; of nil, if its name is lost.
    ///   - onLoss: called once, by `run`, if the database was removed or replaced: what it holds ends with this cache.
    /// - Throws: why it cannot be opened; what was there is then left as it was.
    package init(
        at location: CacheLocation,
        streams names: [StreamName] = [],
        maxBytes: Int,
        durability: CacheDurability = .eachSecond,
        onDamage handling: DamageHandling = .refuse,
        deadLetterMaxBytes: Int = .max,
        onRoom: @escaping @Sendable () -> Void = {},
        onDiscard: @escaping @Sendable (_ stream: StreamName?, _ letters: Int) -> Void = { _, _ in },
        onLoss: @escaping @Sendable () -> Void = {}
    ) throws(CacheError) {
        self.location = location
        let madeDirectories = try location.makeDirectories()
        let known: [StreamName: StreamState]
        do throws(CacheError) {
            lock = try StateLock(of: location)
            wasEmptyFile = (try? FileStatus(of: location.database))?.size == 0
            let (opened, saved) = try Storage.open(at: location.database, durability, onDamage: handling)
            known = try opened.adding(names)
            opened.takeRoom()
            opened.letters.maxBytes = deadLetterMaxBytes
            storage = opened
            salvage = saved
        } catch {
            location.undo(madeDirectories)
            throw error
        }
        streams = known
        stored = known.values.reduce(into: Backlog()) { $0 += $1.stored }
        log = WriteAheadLog(ofDatabaseAt: location.database)
        appended = known.mapValues { _ in Signal() }
        self.maxBytes = maxBytes
        streamLimit = max(1, maxBytes / max(1, names.count))
        executor = QueueExecutor(label: "firetail.cache")
        self.onRoom = onRoom
        self.onDiscard = onDiscard
        self.onLoss = onLoss
        openFile = try? FileIdentity(ofDatabaseAt: location.database)
    }

    /// The same in a state directory.
    package init(
        directory: String,
        streams names: [StreamName],
        maxBytes: Int,
        onDamage handling: DamageHandling = .refuse,
        deadLetterMaxBytes: Int = .max,
        onRoom: @escaping @Sendable () -> Void = {},
        onDiscard: @escaping @Sendable (_ stream: StreamName?, _ letters: Int) -> Void = { _, _ in },
        onLoss: @escaping @Sendable () -> Void = {}
    ) throws(CacheError) {
        try self.init(
            at: .directory(directory),
            streams: names,
            maxBytes: maxBytes,
            onDamage: handling,
            deadLetterMaxBytes: deadLetterMaxBytes,
            onRoom: onRoom,
            onDiscard: onDiscard,
            onLoss: onLoss
        )
    }

    /// The database, unless the cache is closed.
    func opened() throws(CacheError) -> Storage {
        guard let storage else { throw .closed }
        return storage
    }

    // MARK: Writing

    /// Stores records and the checkpoints that they advance, all or nothing.
    ///
    /// A full disk throws `.diskFull` and stores nothing; the same harvest may be offered again. Gives the streams that
    /// should not be read for now; `onRoom` tells when that has eased.
    @discardableResult
    package func append(_ harvest: Harvest) async throws(CacheError) -> Backpressure {
        try store(harvest)
        if harvest.isIrreplaceable { await insistOnDisk() } else { unsynchronized.raise() }
        for (stream, _) in harvest.records {
            appended[stream]?.raise()
            streams[stream]?.lastAppend = .now
        }
        return backpressure
    }

    private func store(_ harvest: Harvest) throws(CacheError) {
        let storage = try opened()
        try ensureRoom(for: harvest.records.reduce(0) { $0 + $1.batch.bytes.count }, in: storage)
        let changed = try storage.transaction { () throws(SQLiteError) in
            let origins = try origins(of: harvest, in: storage)
            let changed = try insert(harvest.records, from: origins, into: storage) {
                preconditionFailure("stream \($0) was not announced")
            }
            for checkpoint in harvest.checkpoints { try save(checkpoint, in: storage) }
            for (stream, file) in harvest.finished { try forget(file, of: stream, in: storage) }
            for (stream, pattern) in harvest.adopted { try adopt(pattern, for: stream, in: storage) }
            return changed
        }
        for (name, state) in changed { update(name, to: state) }
    }

    /// Stores records of any streams together, in the order in which they came; a stream that is new is added.
    ///
    /// A full disk throws `.diskFull` and stores nothing; the same group may be offered again.
    ///
    /// - Returns: nil if all were stored, else for each record whether it was: one that would take the cache past
    ///   `maxBytes` is refused, alone; smaller ones behind it may still fit.
    package func record(_ group: RecordGroup) throws(CacheError) -> [Bool]? {
        let storage = try opened()
        let marks = group.fitting(into: maxBytes - stored.bytes)
        let batches = group.batches(of: marks)
        guard !batches.isEmpty else { return marks }
        try ensureRoom(for: batches.reduce(0) { $0 + $1.batch.bytes.count }, in: storage)
        let changed = try storage.transaction { () throws(SQLiteError) in
            try insert(batches, into: storage) { name throws(SQLiteError) in try storage.addStream(name) }
        }
        for (name, state) in changed {
            update(name, to: state)
            appended[name]?.raise()
        }
        unsynchronized.raise()
        return marks
    }

    /// Writes batches behind what their streams have; gives what is known of the streams once that is committed.
    private func insert(
        _ batches: [(stream: StreamName, batch: RecordBatch)],
        from origins: [StreamName: Origins] = [:],
        into storage: Storage,
        orAdding add: (StreamName) throws(SQLiteError) -> StreamState
    ) throws(SQLiteError) -> [StreamName: StreamState] {
        var changed: [StreamName: StreamState] = [:]
        for (name, batch) in batches {
            var state: StreamState
            if let known = changed[name] ?? streams[name] { state = known } else { state = try add(name) }
            state.given += Backlog(batch).tally
            try storage.append(batch, from: origins[name], to: &state)
            changed[name] = state
        }
        return changed
    }

    /// Replaces what is known of a stream after a committed change, and says so if it can store again.
    func update(_ name: StreamName, to state: StreamState) {
        let before = streams.updateValue(state, forKey: name)
        stored -= before?.stored ?? Backlog()
        stored += state.stored
        if let before, eases(before, to: state) { onRoom() }
    }

    /// Whether something may be read by now that was to wait before.
    private func eases(_ before: StreamState, to state: StreamState) -> Bool {
        isFull(before) && !isFull(state)
            || before.stored.isFarAhead && !state.stored.isFarAhead
            || before.leadLeft == 0 && state.leadLeft != 0
    }

    /// Limits how many bytes of a stream are stored of what its files have long had, so that delivery does not fall
    /// ever further behind what is new; nil is as many as there is room for.
    package func limitLead(of name: StreamName, to bytes: Int?) {
        guard var state = streams[name] else { return }
        state.lead = bytes
        update(name, to: state)
    }

    /// Remembers that these records are lent.
    func lend(_ lease: Lease) {
        streams[lease.stream]?.lent += Backlog(lease.batch)
        streams[lease.stream]?.lentChunks.formUnion(lease.chunks.map(\.id))
    }

    // MARK: Pressure

    /// What should not be read for now.
    ///
    /// A full one not until there is room. One that is far ahead of its delivery not for a moment: what is delivered
    /// soon after it was stored costs the disk nothing, and the log file is as good a buffer. Of one that has used up
    /// its lead, only what is new.
    package var backpressure: Backpressure {
        var result = Backpressure()
        let now = ContinuousClock.now
        for (name, state) in streams {
            result.leads[name] = state.leadLeft
            if isFull(state) {
                result.streams.insert(name)
            } else if state.stored.isFarAhead, let last = state.lastAppend, last + Self.leadPause > now {
                result.streams.insert(name)
                result.easesAt = min(result.easesAt ?? last + Self.leadPause, last + Self.leadPause)
            }
        }
        return result
    }

    func isFull(_ state: StreamState) -> Bool { state.stored.bytes >= streamLimit }

    /// How long storing more waits for delivery to catch up.
    private static let leadPause = Duration.milliseconds(50)

    // MARK: The disk

    /// Waits until everything that was written is on the disk; the cache can be used meanwhile.
    package func synchronize() async throws(CacheError) {
        _ = try opened()
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
            lookForLoss()
        }
    }

    /// Says once if the database has lost its name: everything works on with the open file, which nobody will find.
    package func lookForLoss() {
        guard let openFile, storage != nil else { return }
        do throws(Errno) {
            guard try FileIdentity(ofDatabaseAt: path) != openFile else { return }
        } catch {
            // Anything else does not say that it is not there.
            guard error == .noSuchFile || error == .notADirectory else { return }
        }
        self.openFile = nil
        onLoss()
    }

    /// Puts everything into the database file and lets go of it; the next holder may open it at once.
    ///
    /// Afterwards every call throws `CacheError.closed`, and there are no streams and no records. A cache that is not
    /// closed is let go of with its last reference.
    package func close() {
        try? storage?.database.checkpoint()
        storage = nil
        lock = nil
        streams = [:]
        stored = Backlog()
    }
}

extension FileIdentity {
    fileprivate init(ofDatabaseAt path: String) throws(Errno) {
        let status = try FileStatus(of: path)
        self.init(device: status.device, inode: status.inode)
    }
}
