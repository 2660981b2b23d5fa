import Platform
import Records
import SQLite

extension CacheLocation {
    /// Whether the database is of an older version, which is brought up to date when it is opened.
    package var isOutdated: Bool {
        // Bytes 60 to 63 of a database are its user version (https://sqlite.org/fileformat.html#the_database_header).
        var start: [UInt8] = []
        guard let file = try? FileDescriptor(opening: database, for: .reading),
            (try? file.read(appendingTo: &start, count: 64, at: 0)) == 64
        else { return false }
        let version = start[60...].reduce(0) { $0 << 8 | Int($1) }
        return (1..<Schema.migrations.count).contains(version)
    }

    /// Makes the directory that holds the cache, and those above it.
    ///
    /// - Returns: those that are new, the outermost first.
    func makeDirectories() throws(CacheError) -> [String] {
        do throws(FileError) {
            return try Platform.makeDirectories(directory)
        } catch {
            throw error.errno.isOutOfSpace
                ? .diskFull(path: directory) : .inaccessible(path: directory, reason: "\(error)")
        }
    }

    /// Removes what a failed start has made: the directory if it is new, and those above it.
    func undo(_ madeDirectories: [String]) {
        guard madeDirectories.contains(directory) else { return }
        try? removeFile(lock)
        for directory in madeDirectories.reversed() { try? removeEmptyDirectory(directory) }
    }
}

extension Storage {
    /// Opens the database at `path`; one that is damaged is dealt with as `handling` says.
    ///
    /// - Returns: the database, and what was saved of a damaged one.
    static func open(
        at path: String,
        _ durability: CacheDurability,
        onDamage handling: DamageHandling
    ) throws(CacheError) -> (Storage, Salvage?) {
        guard handling != .refuse else { return (try Storage(at: path, durability), nil) }
        try Salvaging.resume(at: path)
        if case .salvageAtOnce(let reason) = handling {
            return try salvaged(at: path, durability, because: reason)
        }
        do throws(CacheError) {
            let storage = try Storage(at: path, durability)
            try storage.readSmallTables()
            return (storage, nil)
        } catch {
            guard case .damaged(_, let reason) = error else { throw error }
            return try salvaged(at: path, durability, because: reason)
        }
    }

    private static func salvaged(
        at path: String,
        _ durability: CacheDurability,
        because reason: String
    ) throws(CacheError) -> (Storage, Salvage?) {
        let salvage = try Salvaging.run(at: path, because: reason)
        return (try Storage(at: path, durability), salvage)
    }

    /// Reads all that is not records, to find out whether it can be read.
    private func readSmallTables() throws(CacheError) {
        try reading { () throws(SQLiteError) in
            for (table, column) in [("stream", "name"), ("checkpoint", "updated"), ("adopted_pattern", "stream")] {
                _ = try database.integer("SELECT count(\(column)) FROM \(table) NOT INDEXED")
            }
        }
    }

    /// Opens the database at `path`, which is made if it is not there.
    convenience init(at path: String, _ durability: CacheDurability) throws(CacheError) {
        let database = try Schema.open(path, durability)
        do throws(SQLiteError) {
            try self.init(database, at: path, durability)
        } catch {
            throw CacheError(error, at: path)
        }
    }

    /// Adds those of these streams that are new; gives all that are known.
    func adding(_ names: [StreamName]) throws(CacheError) -> [StreamName: StreamState] {
        try transaction { () throws(SQLiteError) in
            var known = try streams()
            for name in names where known[name] == nil { known[name] = try addStream(name) }
            return known
        }
    }
}
