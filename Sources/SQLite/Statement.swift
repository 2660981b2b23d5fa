import CSQLite

/// A prepared statement; it keeps its database open.
///
/// Parameters count from 1 and columns from 0, as in SQLite.
@safe package final class Statement {
    private let handle: OpaquePointer
    private let database: Database

    init(_ handle: OpaquePointer, of database: Database) {
        unsafe self.handle = handle
        self.database = database
    }

    deinit {
        _ = unsafe sqlite3_finalize(handle)
    }

    // MARK: Parameters

    package func bind(_ value: Int, at index: Int) {
        expect(unsafe sqlite3_bind_int64(handle, CInt(index), sqlite3_int64(value)))
    }

    package func bind(_ value: UInt64, at index: Int) {
        bind(Int(truncatingIfNeeded: value), at: index)
    }

    /// Binds a copy of bytes, or NULL.
    package func bind(_ bytes: [UInt8]?, at index: Int) {
        guard let bytes else {
            expect(unsafe sqlite3_bind_null(handle, CInt(index)))
            return
        }
        expect(
            unsafe bytes.withUnsafeBytes { buffer in
                unsafe csqlite_bind_blob(handle, CInt(index), buffer.baseAddress, sqlite3_uint64(buffer.count))
            }
        )
    }

    package func bind(_ text: String, at index: Int) {
        var text = text
        expect(
            text.withUTF8 { bytes in
                unsafe bytes.withMemoryRebound(to: CChar.self) { bytes in
                    unsafe csqlite_bind_text(handle, CInt(index), bytes.baseAddress, CInt(bytes.count))
                }
            }
        )
    }

    // MARK: Running

    /// Goes on to the next row.
    ///
    /// - Returns: false when there is none; the statement is then ready to be run again.
    package func step() throws(SQLiteError) -> Bool {
        switch unsafe sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE:
            reset()
            return false
        case let code:
            let error = database.error(code)
            reset()
            throw error
        }
    }

    /// Runs a statement that gives no rows.
    package func run() throws(SQLiteError) {
        while try step() {}
    }

    /// Runs a statement that gives no rows, with bytes that are lent to it for one parameter, not copied.
    package func run(lending bytes: Span<UInt8>, at index: Int) throws(SQLiteError) {
        try lend(bytes, at: index) { () throws(SQLiteError) in try run() }
    }

    /// Runs a statement that gives no rows, with bytes that are lent to it for two parameters.
    package func run(
        lending first: Span<UInt8>,
        at firstIndex: Int,
        and second: Span<UInt8>,
        at secondIndex: Int
    ) throws(SQLiteError) {
        try lend(first, at: firstIndex) { () throws(SQLiteError) in try run(lending: second, at: secondIndex) }
    }

    /// Makes the statement ready to be run again before its last row was read.
    package func reset() {
        _ = unsafe sqlite3_reset(handle)
    }

    private func lend(
        _ bytes: Span<UInt8>,
        at index: Int,
        _ body: () throws(SQLiteError) -> Void
    ) throws(SQLiteError) {
        try unsafe bytes.withUnsafeBytes { (buffer) throws(SQLiteError) in
            expect(
                unsafe csqlite_bind_static_blob(
                    handle,
                    CInt(index),
                    buffer.baseAddress ?? UnsafeRawPointer(bitPattern: 1),
                    sqlite3_uint64(buffer.count)
                )
            )
            // What is lent must not stay bound when it is gone.
            defer { _ = unsafe sqlite3_bind_null(handle, CInt(index)) }
            try body()
        }
    }

    // MARK: Columns

    package func isNull(at column: Int) -> Bool {
        unsafe sqlite3_column_type(handle, CInt(column)) == SQLITE_NULL
    }

    package func integer(at column: Int) -> Int {
        Int(unsafe sqlite3_column_int64(handle, CInt(column)))
    }

    package func unsigned(at column: Int) -> UInt64 {
        UInt64(truncatingIfNeeded: integer(at: column))
    }

    package func text(at column: Int) -> String {
        guard let text = unsafe sqlite3_column_text(handle, CInt(column)) else { return "" }
        return unsafe String(cString: text)
    }

    /// Lends the column's bytes until the next step.
    package func withBlob<Result>(at column: Int, _ body: (Span<UInt8>) -> Result) -> Result {
        let start = unsafe sqlite3_column_blob(handle, CInt(column))
        let count = Int(unsafe sqlite3_column_bytes(handle, CInt(column)))
        let buffer = unsafe UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
        return unsafe buffer.withMemoryRebound(to: UInt8.self) { unsafe body($0.span) }
    }

    /// Binding fails only for a wrong index or a blob beyond SQLite's limit: a mistake of the caller.
    private func expect(_ code: CInt) {
        precondition(code == SQLITE_OK, "a parameter could not be bound")
    }
}
