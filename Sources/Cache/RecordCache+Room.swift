import Platform
import Records
import SQLite

/// How the cache keeps the room on the disk that it takes to empty it, and to let records through when others fill it.
extension RecordCache {
    /// Refuses this many bytes of records if after them the disk might not have room
    /// to write down what becomes of the records.
    ///
    /// What is stored takes its room twice: in the log, and in the database once the log is emptied into it. If that
    /// were not to be had, the log could never be emptied, and nothing could be deleted any more.
    func ensureRoom(for bytes: Int, in storage: Storage) throws(CacheError) {
        guard let space = try? FileSystemSpace(at: storage.path) else { return }
        let reserve = space.reserve
        let isTight = space.available < reserve + storage.durability.logLimit(onDiskOf: space.total) + 2 * bytes
        try limitLog(of: storage, on: space, isTight)
        if !isTight || space.available >= reserve + storage.logBytes + 2 * bytes { return }
        try emptyLog(of: storage)
        guard let space = try? FileSystemSpace(at: storage.path) else { return }
        // Into free pages the database takes a harvest without growing; then half of the reserve will do.
        let growth = try max(0, bytes - storage.freeBytes())
        let rest = space.available - growth
        guard rest >= 0, rest + storage.logBytes - bytes >= (growth > 0 ? reserve : reserve / 2) else {
            throw .diskFull(path: storage.path)
        }
    }

    /// Whether others have left no room on the disk but that which the cache has taken in advance.
    package var isDiskFull: Bool {
        guard isDiskTight, let storage, let space = try? FileSystemSpace(at: storage.path),
            let free = try? storage.freeBytes()
        else { return false }
        // What the cache has grown by itself is not taken by others.
        return space.available + max(0, free - space.reserve) < space.reserve / 2
    }

    /// Keeps the log so short that the reserve has room for it, or lets it grow again.
    private func limitLog(of storage: Storage, on space: FileSystemSpace, _ isTight: Bool) throws(CacheError) {
        guard isTight != isDiskTight else { return }
        let limit = isTight ? space.reserve / 4 : storage.durability.logLimit(onDiskOf: space.total)
        try storage.reading { () throws(SQLiteError) in
            try storage.database.execute(
                """
                PRAGMA wal_autocheckpoint = \(max(1, limit / storage.pageBytes));
                PRAGMA journal_size_limit = \(isTight ? space.reserve : -1);
                """
            )
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

extension FileSystemSpace {
    /// Bytes that are kept for what becomes of the records.
    fileprivate var reserve: Int { min(4 << 20, total / 4) }

    /// Bytes that are taken in advance, once for the log and once in the database; 0 where there is not much more.
    fileprivate var passage: Int { available > 3 * reserve ? reserve : 0 }
}

extension Schema {
    /// Gives the database free pages, through which records pass even when others have filled the disk.
    ///
    /// They must be written once: the disk has no room for pages that were never anything but free.
    static func takeRoom(for database: Database, at path: String) throws(SQLiteError) {
        guard let space = try? FileSystemSpace(at: path) else { return }
        let missing = try space.passage - database.freeBytes()
        guard missing > 0 else { return }
        do throws(SQLiteError) {
            try database.execute(
                """
                PRAGMA application_id = \(applicationID);
                CREATE TABLE IF NOT EXISTS room (filling BLOB);
                INSERT INTO room VALUES (zeroblob(\(missing)));
                """
            )
            try database.checkpoint()
        } catch {
            // Somebody was faster, or there is a quota.
            guard error.kind == .full else { throw error }
        }
        try database.execute("DROP TABLE IF EXISTS room; PRAGMA shrink_memory")
    }
}

extension Storage {
    /// Takes the room that the log needs to do its part in that.
    func takeRoom() {
        guard let space = try? FileSystemSpace(at: path), space.passage > 0,
            (try? FileDescriptor(opening: path + "-wal", for: .updating).allocate(space.passage)) != nil
        else { return }
        allocatedLogBytes = space.passage
    }

    /// Bytes that the log may take without taking any more of the disk.
    fileprivate var logBytes: Int { max(allocatedLogBytes, (try? FileStatus(of: path + "-wal"))?.size ?? 0) }

    /// Bytes in the pages of the database that hold nothing.
    fileprivate func freeBytes() throws(CacheError) -> Int {
        try reading { () throws(SQLiteError) in try database.freeBytes() }
    }
}

extension Database {
    fileprivate func freeBytes() throws(SQLiteError) -> Int {
        try integer("PRAGMA freelist_count") * integer("PRAGMA page_size")
    }
}
