import SQLite

/// The open database of a cache, with its statements, prepared once.
final class Storage {
    let path: String
    let database: Database
    let durability: CacheDurability

    /// Bytes in a page of the database.
    let pageBytes: Int

    /// Bytes on the disk that were taken for the log in advance.
    var allocatedLogBytes = 0

    let insertChunk: Statement
    let selectChunks: Statement
    let updateChunk: Statement
    let chargeChunk: Statement
    let deleteChunk: Statement
    let deleteChunks: Statement
    let selectOldest: Statement
    let updateStream: Statement
    let selectPosition: Statement
    let upsertCheckpoint: Statement
    let deleteCheckpoint: Statement
    let adoptPattern: Statement

    let letters: DeadLetterTable

    init(_ database: Database, at path: String, _ durability: CacheDurability) throws(SQLiteError) {
        self.path = path
        self.database = database
        self.durability = durability
        pageBytes = try database.integer("PRAGMA page_size")
        insertChunk = try database.prepare(
            """
            INSERT INTO chunk (id, created, attempts, checksum, origins, lengths, payload)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """
        )
        selectChunks = try database.prepare(
            """
            SELECT id, attempts, lengths, payload, created, checksum, origins FROM chunk
            WHERE id >= ?1 AND id < ?2 ORDER BY id
            """
        )
        updateChunk = try database.prepare(
            "UPDATE chunk SET attempts = ?2, checksum = ?3, lengths = ?4, payload = ?5 WHERE id = ?1"
        )
        chargeChunk = try database.prepare("UPDATE chunk SET attempts = attempts + 1 WHERE id = ?1")
        deleteChunk = try database.prepare("DELETE FROM chunk WHERE id = ?1")
        deleteChunks = try database.prepare("DELETE FROM chunk WHERE id >= ?1 AND id < ?2")
        selectOldest = try database.prepare(
            "SELECT created FROM chunk WHERE id >= ?1 AND id < ?2 ORDER BY id LIMIT 1"
        )
        updateStream = try database.prepare(
            """
            UPDATE stream SET first_record = ?2, next_record = ?3, records = ?4, bytes = ?5,
                lines = ?6, given = ?7, given_lines = ?8, delivered = ?9, delivered_lines = ?10,
                dead_letters = ?11, dead_letter_lines = ?12, dropped = ?13, dropped_lines = ?14,
                damaged = ?15, damaged_lines = ?16
            WHERE id = ?1
            """
        )
        selectPosition = try database.prepare(
            "SELECT position, skipping FROM checkpoint WHERE stream = ?1 AND device = ?2 AND inode = ?3"
        )
        upsertCheckpoint = try database.prepare(
            """
            INSERT OR REPLACE INTO checkpoint (
                stream, device, inode, position, skipping, head_length, head_hash, tail_length, tail_hash, path, updated
            ) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
            """
        )
        deleteCheckpoint = try database.prepare(
            "DELETE FROM checkpoint WHERE stream = ?1 AND device = ?2 AND inode = ?3"
        )
        adoptPattern = try database.prepare(
            "INSERT OR IGNORE INTO adopted_pattern (stream, pattern) VALUES (?1, ?2)"
        )
        letters = try DeadLetterTable(in: database)
    }

    /// Runs `body`; an error of SQLite becomes what it means here.
    func reading<Result>(_ body: () throws(SQLiteError) -> Result) throws(CacheError) -> Result {
        try CacheError.of(path, body)
    }

    /// Runs `body` in one transaction.
    ///
    /// When the disk is full, the log is emptied first thing, which may make the room for the next attempt.
    func transaction<Result>(_ body: () throws(SQLiteError) -> Result) throws(CacheError) -> Result {
        do throws(SQLiteError) {
            return try database.transaction(body)
        } catch {
            letters.forgetChanges()
            if error.kind == .full { try? database.checkpoint() }
            throw CacheError(error, at: path)
        }
    }
}
