import CSQLite

/// One connection to a SQLite database file, closed when it is let go.
///
/// It is used by one owner at a time, so SQLite runs in its multi-thread mode, without locks of its own
/// (https://sqlite.org/threadsafe.html).
@safe package final class Database {
    let handle: OpaquePointer

    /// What every transaction begins and ends with, prepared when it is first needed.
    private var begin: OpaquePointer?
    private var commit: OpaquePointer?

    /// Opens the file for reading and writing and makes it if it is not there.
    package init(path: String) throws(SQLiteError) {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = unsafe sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened = unsafe opened else {
            let message = unsafe opened.map { unsafe String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            _ = unsafe sqlite3_close_v2(opened)
            throw SQLiteError(code: code, message: message)
        }
        unsafe handle = opened
    }

    /// Opens a damaged file to read what can be read of it; neither it nor its write-ahead log is changed.
    package convenience init(salvaging path: String) throws(SQLiteError) {
        try self.init(path: path)
        try check(unsafe csqlite_keep_log_on_close(handle))
        // With a writable schema, SQLite opens a file that has fewer pages than it says.
        try execute(
            """
            PRAGMA locking_mode = EXCLUSIVE;
            PRAGMA writable_schema = ON;
            PRAGMA cell_size_check = ON;
            PRAGMA query_only = ON;
            """
        )
    }

    deinit {
        _ = unsafe sqlite3_finalize(begin)
        _ = unsafe sqlite3_finalize(commit)
        _ = unsafe sqlite3_close_v2(handle)
    }

    /// Runs one or more statements that give no rows.
    package func execute(_ sql: String) throws(SQLiteError) {
        try check(unsafe sqlite3_exec(handle, sql, nil, nil, nil))
    }

    /// Prepares one statement, to be kept with its owner.
    package func prepare(_ sql: String) throws(SQLiteError) -> Statement {
        var prepared: OpaquePointer?
        try check(unsafe sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil))
        guard let prepared = unsafe prepared else {
            preconditionFailure("an empty statement cannot be prepared")
        }
        return unsafe Statement(prepared, of: self)
    }

    /// The single integer that a statement gives, such as a pragma's value.
    package func integer(_ sql: String) throws(SQLiteError) -> Int {
        let statement = try prepare(sql)
        return try statement.step() ? statement.integer(at: 0) : 0
    }

    /// Runs `body` in one transaction, which is rolled back if it throws.
    ///
    /// The write lock is taken at once, so that nothing inside can find the database busy.
    package func transaction<Result>(_ body: () throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
        try unsafe run("BEGIN IMMEDIATE", preparedAs: &begin)
        do throws(SQLiteError) {
            let result = try body()
            try unsafe run("COMMIT", preparedAs: &commit)
            return result
        } catch {
            // A full disk or an input/output error rolls back by itself; then there is nothing left to roll back.
            if unsafe sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
            throw error
        }
    }

    private func run(_ sql: String, preparedAs statement: inout OpaquePointer?) throws(SQLiteError) {
        if unsafe statement == nil {
            try check(unsafe sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
        }
        let code = unsafe sqlite3_step(statement)
        let failure = code == SQLITE_DONE ? nil : error(code)
        _ = unsafe sqlite3_reset(statement)
        if let failure { throw failure }
    }

    /// Copies what the write-ahead log holds into the database file, and has the log begin anew in the room that it has.
    package func checkpoint() throws(SQLiteError) {
        try check(unsafe sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_RESTART, nil, nil))
    }

    func check(_ code: CInt) throws(SQLiteError) {
        guard code == SQLITE_OK else { throw error(code) }
    }

    func error(_ code: CInt) -> SQLiteError {
        SQLiteError(code: code, message: unsafe String(cString: sqlite3_errmsg(handle)))
    }
}
