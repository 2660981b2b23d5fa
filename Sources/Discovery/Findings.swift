package import Platform
package import Records

/// A file that is to be read.
package struct FoundFile: Equatable, Sendable {
    package let path: Path
    package let identity: FileIdentity

    /// Bytes.
    package let size: Int

    /// When its contents last changed, since 1970.
    package let modified: Duration

    init(path: Path, status: FileStatus) {
        self.path = path
        identity = FileIdentity(device: status.device, inode: status.inode)
        size = status.size
        modified = status.modified
    }
}

/// A directory, under the name by which a walk came to it.
package struct FoundDirectory: Equatable, Sendable {
    package let path: Path
    package let identity: FileIdentity
}

/// Something whose path matches but that holds no lines to read; it was not opened.
package struct SkippedEntry: Equatable, Sendable {
    package let path: Path
    package let kind: FileKind
}

/// Where a walk could not look, and why.
package struct UnreadableEntry: Equatable, Sendable {
    package let path: Path
    package let error: Errno

    package init(path: Path, error: Errno) {
        self.path = path
        self.error = error
    }
}

/// What a walk found.
package struct Findings: Equatable, Sendable {
    /// Each file once, whatever the number of its names.
    ///
    /// Of its names that match, it has one without symbolic links if there is one.
    package internal(set) var files: [FoundFile] = []

    package internal(set) var skipped: [SkippedEntry] = []

    package internal(set) var unreadable: [UnreadableEntry] = []

    /// The directories to watch for names that come and go, each once.
    ///
    /// Every directory is here in which a match may appear: those that a pattern's wildcards lead to; of its literal
    /// part only the last one, and those in which the next name is missing, a symbolic link, or closed to the agent.
    /// So when a directory further up is renamed and another one takes its name, only `DirectoryWalk.scan` notices.
    package internal(set) var watched: [FoundDirectory] = []

    package init() {}
}
