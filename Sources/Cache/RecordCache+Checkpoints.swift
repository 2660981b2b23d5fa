import Platform
package import Records
import SQLite

extension RecordCache {
    /// How far every known file has been read.
    package func checkpoints() throws(CacheError) -> [Checkpoint] {
        let storage = try opened()
        let names = Dictionary(uniqueKeysWithValues: streams.map { ($0.value.id, $0.key) })
        return try storage.reading { () throws(SQLiteError) in
            let select = try storage.database.prepare(
                """
                SELECT stream, device, inode, position, skipping, head_length, head_hash, tail_length, tail_hash, path
                FROM checkpoint
                """
            )
            var found: [Checkpoint] = []
            while try select.step() {
                guard let stream = names[select.integer(at: 0)] else { continue }
                found.append(Self.checkpoint(of: stream, in: select))
            }
            return found
        }
    }

    private static func checkpoint(of stream: StreamName, in row: Statement) -> Checkpoint {
        Checkpoint(
            stream: stream,
            file: FileIdentity(device: row.unsigned(at: 1), inode: row.unsigned(at: 2)),
            offset: row.integer(at: 3),
            isSkippingLine: row.integer(at: 4) != 0,
            head: Fingerprint(length: row.integer(at: 5), hash: row.unsigned(at: 6)),
            tail: Fingerprint(length: row.integer(at: 7), hash: row.unsigned(at: 8)),
            path: row.text(at: 9)
        )
    }

    func save(_ checkpoint: Checkpoint, in storage: Storage) throws(SQLiteError) {
        guard let stream = streams[checkpoint.stream] else {
            preconditionFailure("stream \(checkpoint.stream) was not announced")
        }
        let statement = storage.upsertCheckpoint
        statement.bind(stream.id, at: 1)
        statement.bind(checkpoint.file.device, at: 2)
        statement.bind(checkpoint.file.inode, at: 3)
        statement.bind(checkpoint.offset, at: 4)
        statement.bind(checkpoint.isSkippingLine ? 1 : 0, at: 5)
        statement.bind(checkpoint.head.length, at: 6)
        statement.bind(checkpoint.head.hash, at: 7)
        statement.bind(checkpoint.tail.length, at: 8)
        statement.bind(checkpoint.tail.hash, at: 9)
        statement.bind(checkpoint.path, at: 10)
        statement.bind(WallClock.milliseconds, at: 11)
        try statement.run()
    }

    func forget(_ file: FileIdentity, of stream: StreamName, in storage: Storage) throws(SQLiteError) {
        guard let stream = streams[stream] else { return }
        storage.deleteCheckpoint.bind(stream.id, at: 1)
        storage.deleteCheckpoint.bind(file.device, at: 2)
        storage.deleteCheckpoint.bind(file.inode, at: 3)
        try storage.deleteCheckpoint.run()
    }

    /// Deletes the checkpoints of these files if they have not moved for so many days: their inodes are long reused.
    package func expire(_ files: [(stream: StreamName, file: FileIdentity)], olderThanDays days: Int) throws(CacheError)
    {
        let storage = try opened()
        let oldest = WallClock.milliseconds - days * 86_400_000
        try storage.transaction { () throws(SQLiteError) in
            let delete = try storage.database.prepare(
                "DELETE FROM checkpoint WHERE stream = ?1 AND device = ?2 AND inode = ?3 AND updated < ?4"
            )
            for (stream, file) in files {
                delete.bind(streams[stream]?.id ?? 0, at: 1)
                delete.bind(file.device, at: 2)
                delete.bind(file.inode, at: 3)
                delete.bind(oldest, at: 4)
                try delete.run()
            }
        }
    }

    // MARK: Patterns

    /// Whether the files of a pattern have been given their starting offsets by an earlier run.
    package func hasAdopted(_ pattern: String, for stream: StreamName) throws(CacheError) -> Bool {
        let storage = try opened()
        guard let stream = streams[stream] else { return false }
        return try storage.reading { () throws(SQLiteError) in
            let select = try storage.database.prepare(
                "SELECT 1 FROM adopted_pattern WHERE stream = ?1 AND pattern = ?2"
            )
            select.bind(stream.id, at: 1)
            select.bind(pattern, at: 2)
            return try select.step()
        }
    }

    func adopt(_ pattern: String, for stream: StreamName, in storage: Storage) throws(SQLiteError) {
        guard let stream = streams[stream] else { return }
        storage.adoptPattern.bind(stream.id, at: 1)
        storage.adoptPattern.bind(pattern, at: 2)
        try storage.adoptPattern.run()
    }
}
