import Platform
import SQLite

/// The tables of the cache, and how a database file becomes one.
///
/// A chunk's id is its stream's id (upper bits) and the number of its first record in the stream (lower 40), so a
/// stream's chunks lie together and in order without an index, and a chunk can be split at any record. Chunks before a
/// stream's `first_record` are delivered and wait to be deleted, many at once: an acknowledgement writes one page.
enum Schema {
    /// "fire" in ASCII: marks the file as ours (https://sqlite.org/pragma.html#pragma_application_id).
    static let applicationID = 0x6669_7265

    /// Step n brings a database from version n to n + 1.
    static let migrations = [
        """
        CREATE TABLE stream (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            first_record INTEGER NOT NULL,
            next_record INTEGER NOT NULL,
            records INTEGER NOT NULL,
            bytes INTEGER NOT NULL
        );
        CREATE TABLE chunk (
            id INTEGER PRIMARY KEY,
            created INTEGER NOT NULL,
            attempts INTEGER NOT NULL,
            lengths BLOB NOT NULL,
            payload BLOB NOT NULL
        );
        CREATE TABLE checkpoint (
            stream INTEGER NOT NULL,
            device INTEGER NOT NULL,
            inode INTEGER NOT NULL,
            position INTEGER NOT NULL,
            skipping INTEGER NOT NULL,
            head_length INTEGER NOT NULL,
            head_hash INTEGER NOT NULL,
            tail_length INTEGER NOT NULL,
            tail_hash INTEGER NOT NULL,
            path TEXT NOT NULL,
            updated INTEGER NOT NULL,
            PRIMARY KEY (stream, device, inode)
        ) WITHOUT ROWID;
        CREATE TABLE adopted_pattern (
            stream INTEGER NOT NULL,
            pattern TEXT NOT NULL,
            PRIMARY KEY (stream, pattern)
        ) WITHOUT ROWID;
        CREATE TABLE dead_letter (
            id INTEGER PRIMARY KEY,
            stream INTEGER NOT NULL,
            created INTEGER NOT NULL,
            attempts INTEGER NOT NULL,
            reason TEXT NOT NULL,
            payload BLOB NOT NULL
        );
        """,
        // What is short comes before what is long, and can still be read when only the pages behind it are damaged.
        """
        ALTER TABLE chunk RENAME TO plain_chunk;
        CREATE TABLE chunk (
            id INTEGER PRIMARY KEY,
            created INTEGER NOT NULL,
            attempts INTEGER NOT NULL,
            checksum INTEGER,
            origins BLOB,
            lengths BLOB NOT NULL,
            payload BLOB NOT NULL
        );
        INSERT INTO chunk SELECT id, created, attempts, NULL, NULL, lengths, payload FROM plain_chunk;
        DROP TABLE plain_chunk;
        """,
        // What became of the records that a stream was given.
        """
        ALTER TABLE stream ADD COLUMN delivered INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE stream ADD COLUMN dead_letters INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE stream ADD COLUMN dropped INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE stream ADD COLUMN damaged INTEGER NOT NULL DEFAULT 0;
        UPDATE stream SET dead_letters = (SELECT count(*) FROM dead_letter WHERE stream = stream.id);
        UPDATE stream SET delivered = next_record - records - dead_letters;
        """,
        // Where the lines of a dead letter were read; and ids that are never given again, since people write them down.
        """
        ALTER TABLE dead_letter RENAME TO plain_letter;
        CREATE TABLE dead_letter (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            stream INTEGER NOT NULL,
            created INTEGER NOT NULL,
            attempts INTEGER NOT NULL,
            reason TEXT NOT NULL,
            origin BLOB,
            payload BLOB NOT NULL
        );
        INSERT INTO dead_letter SELECT id, stream, created, attempts, reason, NULL, payload FROM plain_letter;
        DROP TABLE plain_letter;
        """,
        // How many lines records were made of; one each, as far as it was not counted. From now on dead letters are those
        // that are there, and one that is put back is not given again.
        """
        ALTER TABLE stream ADD COLUMN lines INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE stream ADD COLUMN given INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE stream ADD COLUMN given_lines INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE stream ADD COLUMN delivered_lines INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE stream ADD COLUMN dead_letter_lines INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE stream ADD COLUMN dropped_lines INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE stream ADD COLUMN damaged_lines INTEGER NOT NULL DEFAULT 0;
        UPDATE stream SET dropped = dropped + dead_letters;
        UPDATE stream SET dead_letters = (SELECT count(*) FROM dead_letter WHERE stream = stream.id);
        UPDATE stream SET dropped = dropped - dead_letters, given = next_record;
        UPDATE stream SET lines = records, given_lines = given, delivered_lines = delivered,
            dead_letter_lines = dead_letters, dropped_lines = dropped, damaged_lines = damaged;
        ALTER TABLE dead_letter ADD COLUMN lines INTEGER NOT NULL DEFAULT 1;
        """,
    ]

    /// Opens the database, checks that it is ours, and brings it up to date.
    ///
    /// Nothing is written before the file is known to be new or ours.
    static func open(_ path: String, _ durability: CacheDurability = .eachSecond) throws(CacheError) -> Database {
        let isNew = (try? FileStatus(of: path)) == nil
        do throws(CacheError) {
            try prepareFile(path)
            let database = try CacheError.of(path) { () throws(SQLiteError) in try Database(path: path) }
            try refuseForeign(database, at: path)
            try CacheError.of(path) { () throws(SQLiteError) in
                try configure(database, at: path, durability)
                try takeRoom(for: database, at: path)
                try migrate(database)
            }
            return database
        } catch {
            if isNew { discard(path) }
            throw error
        }
    }

    /// Makes the file if it is not there, readable by its owner alone; what is there must be empty or a database.
    ///
    /// SQLite would take a file of a few bytes for a new database and write over it.
    ///
    /// What is left of one of ours is no stranger's: nothing but zeros, or nothing at all where there is a log.
    private static func prepareFile(_ path: String) throws(CacheError) {
        var start: [UInt8] = []
        do throws(Errno) {
            let file = try FileDescriptor(opening: path, for: .updating)
            _ = try file.read(appendingTo: &start, count: 100, at: 0)
        } catch {
            throw error.isOutOfSpace ? .diskFull(path: path) : .inaccessible(path: path, reason: error.description)
        }
        let hasLog = ((try? FileStatus(of: path + "-wal"))?.size ?? 0) > 0
        if start.isEmpty && !hasLog { return }
        if start.allSatisfy({ $0 == 0 }) {
            let reason = start.isEmpty ? "it is empty, and its log is not" : "it is full of zeros"
            throw .damaged(path: path, reason: reason)
        }
        guard start.starts(with: "SQLite format 3\0".utf8) else {
            throw .foreign(path: path, reason: "it is not a SQLite database")
        }
    }

    /// The file must be empty or ours, and not newer than this program.
    private static func refuseForeign(_ database: Database, at path: String) throws(CacheError) {
        let (tables, application, version) = try CacheError.of(path) { () throws(SQLiteError) in
            (
                try database.integer("SELECT count(*) FROM sqlite_schema"),
                try database.integer("PRAGMA application_id"),
                try database.integer("PRAGMA user_version")
            )
        }
        guard tables == 0 || application == applicationID else {
            throw .foreign(path: path, reason: "it is the database of another program")
        }
        guard version <= migrations.count else {
            throw .newer(path: path, version: version, known: migrations.count)
        }
    }

    private static func configure(
        _ database: Database,
        at path: String,
        _ durability: CacheDurability
    ) throws(SQLiteError) {
        try database.execute(
            """
            PRAGMA page_size = \(durability.pageBytes);
            PRAGMA locking_mode = EXCLUSIVE;
            PRAGMA journal_mode = WAL;
            PRAGMA synchronous = \(durability == .eachCommit ? "FULL" : "NORMAL");
            PRAGMA temp_store = MEMORY;
            PRAGMA secure_delete = OFF;
            PRAGMA cache_size = -3072;
            """
        )
        let diskBytes = (try? FileSystemSpace(at: path))?.total ?? .max
        // A file from before has the page size that it was made with.
        let pageBytes = max(1, try database.integer("PRAGMA page_size"))
        try database.execute("PRAGMA wal_autocheckpoint = \(durability.logLimit(onDiskOf: diskBytes) / pageBytes)")
    }

    private static func migrate(_ database: Database) throws(SQLiteError) {
        let version = try database.integer("PRAGMA user_version")
        guard version < migrations.count else { return }
        try database.transaction { () throws(SQLiteError) in
            for step in migrations[version...] { try database.execute(step) }
            try database.execute(
                "PRAGMA user_version = \(migrations.count); PRAGMA application_id = \(applicationID)"
            )
        }
    }

    /// Removes a database that could not be made in full.
    static func discard(_ path: String) {
        for suffix in ["", "-wal", "-journal"] { try? removeFile(path + suffix) }
    }
}

extension CacheDurability {
    /// Bytes in a page of a new database.
    ///
    /// Large enough for long payloads, small enough that an acknowledgement, which touches a few pages, stays cheap. A
    /// commit that waits for the disk is of a few records mostly, and waits for less of it with small pages.
    fileprivate var pageBytes: Int {
        switch self {
        case .eachSecond: 16_384
        case .eachCommit: 4_096
        }
    }

    /// How far the write-ahead log may grow before its pages are copied to the database, in bytes.
    ///
    /// A long log lets a chunk come and go without ever being copied; on a small disk it must leave room. Where each
    /// commit waits for the disk, it is short, since to write over it takes half as long as to let it grow.
    func logLimit(onDiskOf diskBytes: Int) -> Int {
        switch self {
        case .eachSecond: min(32 << 20, max(diskBytes / 8, 1 << 18))
        case .eachCommit: min(4 << 20, max(diskBytes / 8, 1 << 18))
        }
    }
}
