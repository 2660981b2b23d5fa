import Platform
import Records
import SQLite

/// How the cache keeps the room on the disk that it takes to empty it.
extension RecordCache {
    /// Runs `body` in one transaction.
    ///
    /// When the disk is full, the log is emptied first thing, which may make the room for the next attempt.
    func transaction<Result>(_ body: () throws(SQLiteError) -> Result) throws(CacheError) -> Result {
        do throws(SQLiteError) {
            return try database.transaction(body)
        } catch {
            if error.kind == .full { try? database.checkpoint() }
            throw CacheError(error, at: path)
        }
    }

    /// Refuses a harvest after which the disk might not have room to write down what becomes of the records.
    ///
    /// What is stored takes its room twice: in the log, and in the database once the log is emptied into it. If that
    /// were not to be had, the log could never be emptied, and nothing could be deleted any more.
    func ensureRoom(for harvest: Harvest) throws(CacheError) {
        guard let space = try? FileSystemSpace(at: path) else { return }
        let bytes = harvest.records.reduce(0) { $0 + $1.batch.bytes.count }
        let reserve = min(4 << 20, space.total / 4)
        let logLimit = Schema.logLimit(onDiskOf: space.total)
        let isTight = space.available < reserve + logLimit + 2 * bytes
        try limitLog(to: isTight ? reserve / 4 : logLimit, isTight)
        if !isTight || space.available >= reserve + logBytes + 2 * bytes { return }
        try emptyLog()
        guard let space = try? FileSystemSpace(at: path) else { return }
        // Into free pages the database takes a harvest without growing; then half of the reserve will do.
        let growth = try max(0, bytes - freeBytes())
        let rest = space.available - bytes - growth
        guard rest >= (growth > 0 ? reserve : reserve / 2) else { throw .diskFull(path: path) }
    }

    /// Keeps the log so short that the reserve has room for it, or lets it grow again.
    private func limitLog(to limit: Int, _ isTight: Bool) throws(CacheError) {
        guard isTight != isDiskTight else { return }
        try CacheError.of(path) { () throws(SQLiteError) in
            try database.execute("PRAGMA wal_autocheckpoint = \(max(1, limit / Schema.pageBytes))")
        }
        isDiskTight = isTight
    }

    /// Makes the pages of delivered records free, and the log empty.
    private func emptyLog() throws(CacheError) {
        for (name, state) in streams where state.spentBytes > 0 {
            var state = state
            try transaction { () throws(SQLiteError) in try deleteSpent(&state) }
            streams[name] = state
        }
        try CacheError.of(path) { () throws(SQLiteError) in try database.checkpoint() }
    }

    private var logBytes: Int { (try? FileStatus(of: path + "-wal"))?.size ?? 0 }

    /// Bytes in the pages of the database that hold nothing.
    private func freeBytes() throws(CacheError) -> Int {
        try CacheError.of(path) { () throws(SQLiteError) in
            try database.integer("PRAGMA freelist_count") * Schema.pageBytes
        }
    }
}
