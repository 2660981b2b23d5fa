import Bytes
import Platform
import Records
import SQLite

/// Saves what can be read of a damaged cache into a new one, which takes its place; the damaged file is kept.
///
/// The new one is complete before anything is moved, so that a crash on the way only has it begin again.
struct Salvaging {
    private let path: String
    private var salvage: Salvage

    /// A stream id that no stream has; a pattern adopted for it stands for every pattern of every stream.
    ///
    /// When what was known of the patterns was damaged, it must not be taken for a first start: a file that is not known
    /// is then read from its beginning, whatever `initialPosition` says.
    static let everyStream = 0

    /// Saves what can be read of the database at `path`.
    ///
    /// - Throws: why the new one could not be made; then everything is as it was.
    static func run(at path: String, because reason: String) throws(CacheError) -> Salvage {
        var salvaging = Salvaging(path: path, salvage: Salvage(reason: reason, keptAs: Self.newName(beside: path)))
        let fresh = path + ".salvaged"
        Schema.discard(fresh)
        do throws(CacheError) {
            try salvaging.fill(fresh)
            try salvaging.exchange(for: fresh)
        } catch {
            // Once the damaged one is moved, the next start goes on with the new one.
            if (try? FileStatus(of: path)) != nil { Schema.discard(fresh) }
            throw error
        }
        return salvaging.salvage
    }

    /// Ends an exchange that a crash has interrupted.
    static func resume(at path: String) throws(CacheError) {
        let fresh = path + ".salvaged"
        guard (try? FileStatus(of: fresh)) != nil, (try? FileStatus(of: path)) == nil else { return }
        try Self.rename(fresh, to: path)
    }

    private static func newName(beside path: String) -> String {
        let time = UTCTime(unixSeconds: WallClock.milliseconds / 1_000)
        let parts = [time.month, time.day, time.hour, time.minute, time.second].map { $0 < 10 ? "0\($0)" : "\($0)" }
        let stamp = "\(time.year)\(parts[0])\(parts[1])T\(parts[2...].joined())Z"
        var name = "\(path).damaged-\(stamp)"
        while (try? FileStatus(of: name)) != nil { name += "+" }
        return name
    }

    private mutating func exchange(for fresh: String) throws(CacheError) {
        if (try? FileStatus(of: path + "-wal")) != nil { try Self.rename(path + "-wal", to: salvage.keptAs + "-wal") }
        try Self.rename(path, to: salvage.keptAs)
        try Self.rename(fresh, to: path)
    }

    private static func rename(_ path: String, to newPath: String) throws(CacheError) {
        do throws(FileError) {
            try renameFile(path, to: newPath)
        } catch {
            throw .inaccessible(path: path, reason: error.errno.description)
        }
    }
}

// MARK: The new database

extension Salvaging {
    private mutating func fill(_ fresh: String) throws(CacheError) {
        let damaged = openDamaged()
        let storage = try Storage(at: fresh, .eachSecond)
        if let damaged {
            try copyStreams(of: damaged, into: storage)
            try copyDeadLetters(of: damaged, into: storage)
        } else {
            salvage.incompleteTables = ["all"]
        }
        try storage.transaction { () throws(SQLiteError) in
            storage.adoptPattern.bind(Self.everyStream, at: 1)
            storage.adoptPattern.bind("", at: 2)
            try storage.adoptPattern.run()
        }
        // Everything goes from the log into the file, and onto the disk.
        try storage.reading { () throws(SQLiteError) in try storage.database.checkpoint() }
    }

    /// The damaged database, if need be with another first page; nil if nothing can be found in it.
    private func openDamaged() -> DamagedCache? {
        // SQLite deletes the log of a file that is empty.
        let isEmpty = (try? FileStatus(of: path))?.size == 0
        if !isEmpty, let damaged = DamagedCache(at: path) { return damaged }
        guard FirstPage.replace(in: path, keepingAs: salvage.keptAs + "-page1") else { return nil }
        return DamagedCache(at: path)
    }

    private mutating func copyStreams(of damaged: DamagedCache, into storage: Storage) throws(CacheError) {
        let (streams, files) = readSmallTables(of: damaged)
        for (name, state) in streams.sorted(by: { $0.value.id < $1.value.id }) {
            let copied = try copy(name, state, of: damaged, files[state.id] ?? [], into: storage)
            salvage.saved += copied
        }
        guard salvage.incompleteTables.contains("stream") else { return }
        let known = Set(streams.map(\.value.id))
        let strays = damaged.heads(in: 0..<1 << 62, seeking: 1_000).found.filter { !known.contains($0.id >> 40) }
        salvage.stray = strays.reduce(0) { $0 + $1.records }
    }

    private mutating func readSmallTables(
        of damaged: DamagedCache
    ) -> (streams: [StreamName: StreamState], files: [Int: [Rewinding.File]]) {
        var streams: [StreamName: StreamState] = [:]
        let hasAllStreams = damaged.rows(of: "stream", StreamState.columns, by: ["id"]) { row in
            guard let (name, state) = StreamState.named(row) else { return }
            streams[name] = state
        }
        let names = Dictionary(streams.map { ($0.value.id, $0.key) }) { first, _ in first }
        var files: [Int: [Rewinding.File]] = [:]
        let key = ["stream", "device", "inode"]
        let hasAllFiles = damaged.rows(of: "checkpoint", Checkpoint.columns, by: key) { row in
            guard let name = names[row.integer(at: 0)] else { return }
            let file = Rewinding.File(checkpoint: Checkpoint(row, of: name), updated: row.integer(at: 10))
            files[row.integer(at: 0), default: []].append(file)
        }
        if !hasAllStreams { salvage.incompleteTables.append("stream") }
        if !hasAllFiles { salvage.incompleteTables.append("checkpoint") }
        return (streams, files)
    }

    /// Copies one stream with what waits in it, in one transaction.
    private mutating func copy(
        _ name: StreamName,
        _ state: StreamState,
        of damaged: DamagedCache,
        _ files: [Rewinding.File],
        into storage: Storage
    ) throws(CacheError) -> Backlog {
        let heads = damaged.heads(in: state.id << 40..<state.nextID)
        var (copy, rewinding) = (state, Rewinding(files: files))
        copy.stored = Backlog()
        var gaps = heads.gaps[...]
        try storage.transaction { () throws(SQLiteError) in
            for head in heads.found {
                while let gap = gaps.first, gap.lowerBound < head.id, gaps.popFirst() != nil { rewinding.lostSome() }
                if head.id < state.chunkIDs.lowerBound {
                    rewinding.passed(head)
                } else if let batch = damaged.records(of: head) {
                    rewinding.passed(head)
                    try storage.insert(
                        batch,
                        id: head.id,
                        created: head.created,
                        attempts: head.attempts,
                        from: head.origins
                    )
                    copy.stored += Backlog(batch)
                } else {
                    rewinding.lost(head)
                }
            }
            let lost = state.stored - copy.stored
            let missing = lost.records
            if !gaps.isEmpty || missing > 0 && rewinding.offsets.isEmpty { rewinding.lostSome() }
            if missing > 0 { salvage.lost[name] = missing }
            copy.left.damaged += lost.tally
            try storage.insertStream(name, copy)
            try save(files, rewinding, of: name, state.id, in: storage)
        }
        return copy.stored
    }

    private mutating func save(
        _ files: [Rewinding.File],
        _ rewinding: Rewinding,
        of stream: StreamName,
        _ id: Int,
        in storage: Storage
    ) throws(SQLiteError) {
        for file in files {
            var checkpoint = file.checkpoint
            if let earlier = rewinding.offsets[checkpoint.file], earlier.offset < checkpoint.offset {
                checkpoint = checkpoint.rewound(to: earlier)
                salvage.rewound.append(
                    Salvage.Rewound(
                        path: checkpoint.path,
                        stream: stream,
                        offset: checkpoint.offset,
                        from: file.checkpoint.offset
                    )
                )
            }
            try storage.save(checkpoint, inStream: id, updated: file.updated)
            salvage.checkpoints += 1
        }
    }

    private mutating func copyDeadLetters(of damaged: DamagedCache, into storage: Storage) throws(CacheError) {
        var letters = 0
        let isComplete = try storage.transaction { () throws(SQLiteError) in
            var failure: SQLiteError?
            func copy(_ row: Statement) {
                guard failure == nil else { return }
                do throws(SQLiteError) {
                    try storage.letters.copy(row)
                    letters += 1
                } catch {
                    failure = error
                }
            }
            let columns = "id, stream, created, attempts, reason, payload"
            var isComplete = false
            // In one of an older version they have no count of lines, or no origin either.
            for more in [", origin, lines", ", origin, 1", ", NULL, 1"] where !isComplete && letters == 0 {
                isComplete = damaged.rows(of: "dead_letter", columns + more, by: ["id"], copy)
            }
            if let failure { throw failure }
            return isComplete
        }
        salvage.deadLetters = letters
        if !isComplete { salvage.incompleteTables.append("dead_letter") }
    }
}

extension Storage {
    fileprivate func insertStream(_ name: StreamName, _ state: StreamState) throws(SQLiteError) {
        let insert = try database.prepare(
            """
            INSERT INTO stream (id, name, first_record, next_record, records, bytes) VALUES (?1, ?2, 0, 0, 0, 0)
            """
        )
        insert.bind(state.id, at: 1)
        insert.bind(name.text, at: 2)
        try insert.run()
        try save(state)
    }
}
