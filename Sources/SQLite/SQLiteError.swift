import CSQLite

/// What SQLite answered instead of doing it.
///
/// Codes are those of https://sqlite.org/rescode.html.
package struct SQLiteError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The extended result code.
    package let code: CInt

    /// SQLite's own words; no data of a row.
    package let message: String

    /// The code's family, which is what a caller acts on.
    package enum Kind: Sendable {
        /// No room: the disk or a quota is full.
        case full
        /// The file is no SQLite database.
        case notADatabase
        /// The file is a SQLite database and is damaged.
        case damaged
        /// It may be read but not written, or not even opened.
        case inaccessible
        /// Another process holds it.
        case busy
        /// The disk answered with an error.
        case inputOutput
        case other
    }

    package var kind: Kind {
        switch code & 0xFF {
        case SQLITE_FULL: .full
        case SQLITE_NOTADB: .notADatabase
        case SQLITE_CORRUPT: .damaged
        case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: .inaccessible
        case SQLITE_BUSY, SQLITE_LOCKED: .busy
        case SQLITE_IOERR: .inputOutput
        default: .other
        }
    }

    package var description: String { "\(message) (SQLite code \(code))" }
}
