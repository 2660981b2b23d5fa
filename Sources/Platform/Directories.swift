package import Glibc

/// Makes a directory and the ones above it, those that are new with this mode; all of them or none.
///
/// The name of each new one is on the disk afterwards, so that a power cut cannot take it with what is stored in it.
///
/// - Returns: those that are new, the outermost first.
@discardableResult
package func makeDirectories(_ path: String, mode: mode_t = 0o700) throws(FileError) -> [String] {
    if let status = try? FileStatus(of: path), status.kind == .directory { return [] }
    var made: [String] = []
    if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
        made = try makeDirectories(String(path[..<slash]), mode: mode)
    }
    do throws(Errno) {
        try Errno.check { unsafe mkdir(path, mode) }
        made.append(path)
        try synchronizeDirectory(path + "/..")
    } catch {
        if error.rawValue == EEXIST, let status = try? FileStatus(of: path), status.kind == .directory { return made }
        for directory in made.reversed() { try? removeEmptyDirectory(directory) }
        throw FileError("make the directory", path, error)
    }
    return made
}

/// Brings the names in a directory onto the disk, where that is allowed and the file system knows how.
private func synchronizeDirectory(_ path: String) throws(Errno) {
    guard let directory = try? FileDescriptor(opening: path, for: .reading) else { return }
    do throws(Errno) {
        try Errno.check { fsync(directory.rawValue) }
    } catch  where error.rawValue == EINVAL {
        return
    }
}

/// The space of the file system that holds `path`, in bytes.
package struct FileSystemSpace: Sendable, Equatable {
    package var total: Int

    /// What a process without privileges may still use.
    package var available: Int

    package init(at path: String) throws(Errno) {
        var raw = statvfs()
        try Errno.check { unsafe statvfs(path, &raw) }
        total = Int(raw.f_blocks) * Int(raw.f_frsize)
        available = Int(raw.f_bavail) * Int(raw.f_frsize)
    }
}

/// Raises the limit of open files to what the system allows.
///
/// - Returns: the limit now in force.
package func raiseOpenFileLimit() -> Int {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
    limit.rlim_cur = limit.rlim_max
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
    return Int(clamping: limit.rlim_cur)
}

/// This process's id.
package func currentProcessID() -> Int { Int(getpid()) }

/// Removes a file; one that is not there is no error.
package func removeFile(_ path: String) throws(FileError) {
    do throws(Errno) {
        try Errno.check { unsafe unlink(path) }
    } catch  where error != .noSuchFile {
        throw FileError("remove", path, error)
    } catch {}
}

/// Gives a file another name, replacing what had it; the change is on the disk afterwards.
package func renameFile(_ path: String, to newPath: String) throws(FileError) {
    do throws(Errno) {
        try Errno.check { unsafe rename(path, newPath) }
        let slash = newPath.lastIndex(of: "/") ?? newPath.startIndex
        try synchronizeDirectory(slash == newPath.startIndex ? "." : String(newPath[..<slash]))
    } catch {
        throw FileError("rename", path, error)
    }
}

/// Removes a directory in which nothing is left.
package func removeEmptyDirectory(_ path: String) throws(FileError) {
    do throws(Errno) {
        try Errno.check { unsafe rmdir(path) }
    } catch {
        throw FileError("remove the directory", path, error)
    }
}
