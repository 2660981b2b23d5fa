import Platform

/// Brings the database's write-ahead log onto the disk, on a thread of its own, so that nobody else waits for the disk.
///
/// SQLite syncs the log by itself only before it copies pages out of it; until then a power cut may take the newest
/// transactions, whole and in order (https://sqlite.org/pragma.html#pragma_synchronous).
actor WriteAheadLog {
    private let path: String
    private let executor = QueueExecutor(label: "firetail.cache.sync")

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.reference }

    init(ofDatabaseAt path: String) {
        self.path = path + "-wal"
    }

    /// Waits until everything that was committed before is on the disk.
    func synchronize() throws(CacheError) {
        do throws(Errno) {
            try FileDescriptor(opening: path, for: .reading).synchronize()
        } catch {
            switch error {
            case .noSuchFile: return
            case _ where error.isOutOfSpace: throw .diskFull(path: path)
            default: throw .inaccessible(path: path, reason: error.description)
            }
        }
    }
}
