import Platform
import Records
import SQLite

/// How the cache keeps the room on the disk that it takes to empty it.
extension RecordCache {
    /// Refuses this many bytes of records if after them the disk might not have room
    /// to write down what becomes of the records.
    ///
    /// What is stored takes its room twice: in the log, and in the database once the log is emptied into it. If that
    /// were not to be had, the log could never be emptied, and nothing could be deleted any more.
    func ensureRoom(for bytes: Int, in storage: Storage) throws(CacheError) {
        guard let space = try? FileSystemSpace(at: storage.path) else { return }
        let reserve = min(4 << 20, space.total / 4)
        let logLimit = storage.durability.logLimit(onDiskOf: space.total)
        let isTight = space.available < reserve + logLimit + 2 * bytes
        try limitLog(of: storage, to: isTight ? reserve / 4 : logLimit, isTight)
        if !isTight || space.available >= reserve + storage.logBytes + 2 * bytes { return }
        try emptyLog(of: storage)
        guard let space = try? FileSystemSpace(at: storage.path) else { return }
        // Into free pages the database takes a harvest without growing; then half of the reserve will do.
        let growth = try max(0, bytes - storage.freeBytes())
        let rest = space.available - bytes - growth
        guard rest >= (growth > 0 ? reserve : reserve / 2) else { throw .diskFull(path: storage.path) }
    }

    /// Keeps the log so short that the reserve has room for it, or lets it grow again.
    private func limitLog(of storage: Storage, to limit: Int, _ isTight: Bool) throws(CacheError) {
        guard isTight != isDiskTight else { return }
        try storage.reading { () throws(SQLiteError) in
            try storage.database.execute("PRAGMA wal_autocheckpoint = \(max(1, limit / storage.pageBytes))")
        }
        isDiskTight = isTight
    }

    /// Makes the pages of delivered records free, and the log empty.
    private func emptyLog(of storage: Storage) throws(CacheError) {
        for (name, state) in streams where state.spentBytes > 0 {
            var state = state
            try storage.transaction { () throws(SQLiteError) in try storage.deleteSpent(&state) }
            update(name, to: state)
        }
        try storage.reading { () throws(SQLiteError) in try storage.database.checkpoint() }
    }
}

extension Storage {
    fileprivate var logBytes: Int { (try? FileStatus(of: path + "-wal"))?.size ?? 0 }

    /// Bytes in the pages of the database that hold nothing.
    fileprivate func freeBytes() throws(CacheError) -> Int {
        try reading { () throws(SQLiteError) in
            try database.integer("PRAGMA freelist_count") * pageBytes
        }
    }
}
