package import Platform
package import Records

/// Looks for the files of a pattern.
///
/// It reads only directories in which something may match, and follows symbolic links, but enters each real directory
/// once, however many links lead to it. It never enters what the kernel makes up (`/proc`, `/sys`), through which a
/// link would lead to every file there is. Files are not opened. What vanishes meanwhile, or is a link to nothing, was
/// never there.
package struct DirectoryWalk: Sendable {
    package let pattern: FilePattern

    package init(_ pattern: FilePattern) {
        self.pattern = pattern
    }

    /// Looks everywhere.
    ///
    /// `watching` hears of each directory to watch before its names are read, and has it open: so whoever starts to
    /// watch that misses nothing that appears meanwhile, whatever its path leads to by then.
    package func scan(watching: (FoundDirectory, borrowing Directory) -> Void = { _, _ in }) -> Findings {
        var walk = Walk(pattern: pattern, known: [])
        walk.run(from: .root, at: pattern.start, watching: watching)
        return walk.findings
    }

    /// Looks again in one directory, and in those below it that are not `known`.
    ///
    /// If the directory is gone, the one that it was in takes its place, and so on up to the root.
    ///
    /// - Parameters:
    ///   - directory: The path that an earlier walk gave.
    ///   - known: The directories that are watched, which have nothing new unless a watch says so.
    ///   - watching: As for `scan`.
    /// - Returns: what was found there, nothing that was found elsewhere.
    package func rescan(
        _ directory: Path,
        known: Set<FileIdentity>,
        watching: (FoundDirectory, borrowing Directory) -> Void = { _, _ in }
    ) -> Findings {
        var directory = directory
        while true {
            guard let position = pattern.position(at: directory.components) else { return Findings() }
            var walk = Walk(pattern: pattern, known: known)
            if walk.run(from: directory, at: position, watching: watching) || directory == .root {
                return walk.findings
            }
            directory = directory.parent
        }
    }
}
