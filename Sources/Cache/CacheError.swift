import SQLite

/// Why the cache cannot do what it was asked.
package enum CacheError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Somebody else works on the same cache; the id of that process, which may be this one, if it could be read.
    case inUse(CacheLocation, by: Int?)

    /// The file holds something else than a cache of this program; it is left as it is.
    case foreign(path: String, reason: String)

    /// The file is a cache and is damaged; it is left as it is.
    case damaged(path: String, reason: String)

    /// A newer version of this program made the file; it is left as it is.
    case newer(path: String, version: Int, known: Int)

    /// The file or its directory cannot be read or written.
    case inaccessible(path: String, reason: String)

    /// There is no room on the disk; the same call succeeds when there is.
    case diskFull(path: String)

    /// The cache was closed by its owner.
    case closed

    package var description: String {
        switch self {
        case .inUse(.directory(let path), let holder):
            "the state directory \(path) is in use by \(Self.words(for: holder)); "
                + "stop that one, or give this one a stateDirectory of its own"
        case .inUse(.file(let path), let holder):
            "the cache \(path) is in use by \(Self.words(for: holder)); "
                + "close it there, or give this one a file of its own"
        case .foreign(let path, let reason):
            "\(path) is not a cache of firetail (\(reason)) and is left untouched; "
                + "move it away, or choose another stateDirectory"
        case .damaged(let path, let reason):
            "the cache \(path) is damaged (\(reason)) and is left untouched; "
                + "move it away to start with an empty one"
        case .newer(let path, let version, let known):
            "the cache \(path) has schema version \(version), and this firetail knows up to \(known); "
                + "run the newer firetail again"
        case .inaccessible(let path, let reason):
            "cannot use \(path): \(reason); check its owner and permissions"
        case .diskFull(let path):
            "no room is left on the disk of \(path)"
        case .closed:
            "the cache is closed; open it again to use it"
        }
    }

    private static func words(for holder: Int?) -> String { holder.map { "process \($0)" } ?? "another process" }

    /// Runs `body` on the database at `path`; an error of SQLite becomes what it means here.
    static func of<Result>(
        _ path: String,
        _ body: () throws(SQLiteError) -> Result
    ) throws(CacheError) -> Result {
        do throws(SQLiteError) {
            return try body()
        } catch {
            throw CacheError(error, at: path)
        }
    }

    /// What an error of SQLite on the database at `path` means here.
    init(_ error: SQLiteError, at path: String) {
        self =
            switch error.kind {
            case .full: .diskFull(path: path)
            // Its first bytes were looked at before: it was one.
            case .notADatabase, .damaged: .damaged(path: path, reason: error.message)
            case .busy: .inUse(.file(path), by: nil)
            case .inaccessible, .inputOutput, .other: .inaccessible(path: path, reason: error.description)
            }
    }
}
