/// Where a cache lies: its database file, and beside it the file whose lock says that somebody works on it.
package enum CacheLocation: Sendable, Equatable, CustomStringConvertible {
    /// A state directory of its own, with `cache.db` and `firetail.lock` in it.
    case directory(String)

    /// A database file; its lock has the same path with `.lock` behind it.
    case file(String)

    /// What a person has named: the directory, or the file.
    package var description: String {
        switch self {
        case .directory(let path), .file(let path): path
        }
    }

    /// The path of the database file.
    package var database: String {
        switch self {
        case .directory(let path): path + "/cache.db"
        case .file(let path): path
        }
    }

    /// The path of the lock file.
    package var lock: String {
        switch self {
        case .directory(let path): path + "/firetail.lock"
        case .file(let path): path + ".lock"
        }
    }

    /// The directory that holds both.
    var directory: String {
        switch self {
        case .directory(let path): path
        case .file(let path):
            switch path.lastIndex(of: "/") {
            case nil: "."
            case path.startIndex: "/"
            case let slash?: String(path[..<slash])
            }
        }
    }
}

/// When what was committed survives a power cut; a crash of the process it always survives.
package enum CacheDurability: Sendable, Equatable {
    /// After `synchronize`, which `RecordCache.run` calls within a second of a change.
    case eachSecond

    /// When the call that has stored it returns: each one waits for the disk.
    case eachCommit
}
