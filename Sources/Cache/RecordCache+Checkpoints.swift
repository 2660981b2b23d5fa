import Platform
package import Records
import SQLite

extension RecordCache {
    /// How far every known file has been read.
    package func checkpoints() throws(CacheError) -> [Checkpoint] {
        let storage = try opened()
        let names = Dictionary(uniqueKeysWithValues: streams.map { ($0.value.id, $0.key) })
        return try storage.reading { () throws(SQLiteError) in
            let select = try storage.database.prepare("SELECT \(Checkpoint.columns) FROM checkpoint")
            var found: [Checkpoint] = []
            while try select.step() {
                guard let stream = names[select.integer(at: 0)] else { continue }
                found.append(Checkpoint(select, of: stream))
            }
            return found
        }
    }

    /// When a checkpoint was stored last, since 1970; nil if there is none.
    package func lastCheckpointTime() throws(CacheError) -> Duration? {
        let storage = try opened()
        let milliseconds = try storage.reading { () throws(SQLiteError) in
            try storage.database.integer("SELECT coalesce(max(updated), 0) FROM checkpoint")
        }
        return milliseconds > 0 ? .milliseconds(milliseconds) : nil
    }

    /// From where the records of a harvest were read, for each stream; asked before its checkpoints are saved.
    func origins(of harvest: Harvest, in storage: Storage) throws(SQLiteError) -> [StreamName: Origins] {
        guard !harvest.records.isEmpty else { return [:] }
        var origins: [StreamName: Origins] = [:]
        for (stream, _) in harvest.records { origins[stream] = Origins() }
        for checkpoint in harvest.checkpoints {
            guard let stream = streams[checkpoint.stream] else { continue }
            let before = try storage.position(of: checkpoint.file, inStream: stream.id)
            if let before, before.offset == checkpoint.offset { continue }
            let start = before ?? Origins.Position(file: checkpoint.file, offset: 0, isSkippingLine: false)
            origins[checkpoint.stream]?.positions.append(start)
        }
        return origins
    }

    func save(_ checkpoint: Checkpoint, in storage: Storage) throws(SQLiteError) {
        guard let stream = streams[checkpoint.stream] else {
            preconditionFailure("stream \(checkpoint.stream) was not announced")
        }
        try storage.save(checkpoint, inStream: stream.id, updated: WallClock.milliseconds)
    }

    func forget(_ file: FileIdentity, of stream: StreamName, in storage: Storage) throws(SQLiteError) {
        guard let stream = streams[stream] else { return }
        storage.deleteCheckpoint.bind(stream.id, at: 1)
        storage.deleteCheckpoint.bind(file.device, at: 2)
        storage.deleteCheckpoint.bind(file.inode, at: 3)
        try storage.deleteCheckpoint.run()
    }

    // MARK: Patterns

    /// Whether the files of a pattern have been given their starting offsets by an earlier run.
    package func hasAdopted(_ pattern: String, for stream: StreamName) throws(CacheError) -> Bool {
        let storage = try opened()
        guard let stream = streams[stream] else { return false }
        return try storage.reading { () throws(SQLiteError) in
            let select = try storage.database.prepare(
                """
                SELECT 1 FROM adopted_pattern WHERE stream = ?1 AND pattern = ?2 OR stream = \(Salvaging.everyStream)
                """
            )
            select.bind(stream.id, at: 1)
            select.bind(pattern, at: 2)
            return try select.step()
        }
    }

    /// Ends the time in which every pattern counts as adopted, since what was known of them was damaged.
    ///
    /// - Parameter patterns: those that count as adopted from now on.
    /// - Throws: why it could not be written down.
    package func settleAdoption(of patterns: [(stream: StreamName, pattern: String)]) throws(CacheError) {
        let storage = try opened()
        try storage.transaction { () throws(SQLiteError) in
            let marks = try storage.database.integer(
                "SELECT count(*) FROM adopted_pattern WHERE stream = \(Salvaging.everyStream)"
            )
            guard marks > 0 else { return }
            for (stream, pattern) in patterns { try adopt(pattern, for: stream, in: storage) }
            try storage.database.execute("DELETE FROM adopted_pattern WHERE stream = \(Salvaging.everyStream)")
        }
    }

    func adopt(_ pattern: String, for stream: StreamName, in storage: Storage) throws(SQLiteError) {
        guard let stream = streams[stream] else { return }
        storage.adoptPattern.bind(stream.id, at: 1)
        storage.adoptPattern.bind(pattern, at: 2)
        try storage.adoptPattern.run()
    }
}

extension Checkpoint {
    /// The columns of the table of checkpoints, in the order in which `init` expects them.
    static let columns =
        "stream, device, inode, position, skipping, head_length, head_hash, tail_length, tail_hash, path, updated"

    /// From a row with these columns.
    init(_ row: Statement, of stream: StreamName) {
        self.init(
            stream: stream,
            file: FileIdentity(device: row.unsigned(at: 1), inode: row.unsigned(at: 2)),
            offset: row.integer(at: 3),
            isSkippingLine: row.integer(at: 4) != 0,
            head: Fingerprint(length: row.integer(at: 5), hash: row.unsigned(at: 6)),
            tail: Fingerprint(length: row.integer(at: 7), hash: row.unsigned(at: 8)),
            path: row.text(at: 9)
        )
    }
}
