import Foundation

/// What happens to log files, each in one system call, as loggers and logrotate do it.
extension TemporaryDirectory {
    /// Makes a directory, and those that it needs.
    package func makeDirectory(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: path(name), withIntermediateDirectories: true)
    }

    /// Gives a file or directory another name, under which nothing remains.
    package func rename(_ old: String, to new: String) throws {
        try check(Glibc.rename(path(old), path(new)))
    }

    /// Takes away a name of a file.
    package func unlink(_ name: String) throws {
        try check(Glibc.unlink(path(name)))
    }

    /// Takes away a file, or a directory with all that is in it.
    package func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: path(name))
    }

    /// Cuts a file, or makes it longer with zeros.
    package func truncate(_ name: String, to size: Int = 0) throws {
        try check(Glibc.truncate(path(name), size))
    }

    /// Throws the content of a file away and writes another one, as `>` in a shell does.
    package func overwrite(_ name: String, with text: String) throws {
        try truncate(name)
        try append(text, to: name)
    }

    /// Writes text over what a file has at an offset, in bytes.
    package func overwrite(_ text: String, in name: String, at offset: Int) throws {
        let handle = try FileHandle(forUpdating: URL(filePath: path(name)))
        try handle.seek(toOffset: UInt64(offset))
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
    }

    /// Makes a symbolic link, or has one that is there lead elsewhere, by renaming as `ln -sfn` does.
    package func link(_ name: String, to target: String) throws {
        try check(Glibc.symlink(target, path(name) + ".new"))
        try check(Glibc.rename(path(name) + ".new", path(name)))
    }

    /// Gives a file one more name.
    package func hardLink(_ name: String, to target: String) throws {
        try check(Glibc.link(path(target), path(name)))
    }

    package func setMode(_ name: String, _ mode: mode_t) throws {
        try check(Glibc.chmod(path(name), mode))
    }

    /// Adds text to each of some files in turn, one write at a time, which the kernel reports one by one.
    package func appendInTurn(_ text: String, to names: [String], times: Int) throws {
        let handles = try names.map { name in try FileHandle(forWritingTo: URL(filePath: path(name))) }
        for handle in handles { try handle.seekToEnd() }
        for index in 0..<times { try handles[index % handles.count].write(contentsOf: Data(text.utf8)) }
        for handle in handles { try handle.close() }
    }

    /// How many files there are, at any depth.
    package func fileCount() throws -> Int {
        try FileManager.default.subpathsOfDirectory(atPath: path).count { name in
            let attributes = try? FileManager.default.attributesOfItem(atPath: path(name))
            return attributes?[.type] as? FileAttributeType == .typeRegular
        }
    }

    private func check(_ result: CInt) throws {
        guard result == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }
}
