import Bytes
import Platform
import Records

/// One walk that is under way.
///
/// At most one directory is open at a time. Real directories are read in the order of their paths, and before those
/// that links lead to: so the result does not depend on the order in which the file system gives names.
struct Walk {
    /// A directory that is to be read.
    private struct Visit {
        let path: Path
        let position: FilePattern.Position
        /// Nil for the one in which the walk begins.
        let parent: FoundDirectory?
    }

    /// A name in the directory that is being read, for which the pattern has a use.
    private struct Entry {
        let name: [UInt8]
        /// Nil until it is looked at.
        let kind: FileKind?
        /// Whether a file of this name is to be read.
        let isAccepted: Bool
        /// What to look for in a directory of this name.
        let inner: FilePattern.Position?
    }

    private(set) var findings = Findings()

    private let pattern: FilePattern
    private let known: Set<FileIdentity>

    /// Directories still to be read, the next one last.
    private var pending: [Visit] = []
    /// Directories that links lead to; they wait until `pending` is empty.
    private var linked: [Visit] = []
    /// Files that links lead to; they wait until everything else is found.
    private var linkedFiles: [FoundFile] = []

    /// What was already looked for in each directory.
    private var visited: [FileIdentity: Set<Int>] = [:]
    private var reportedFiles: Set<FileIdentity> = []
    private var reportedDirectories: Set<FileIdentity> = []

    /// Makes a walk that does not enter the `known` directories.
    init(pattern: FilePattern, known: Set<FileIdentity>) {
        self.pattern = pattern
        self.known = known
    }

    /// Walks from one directory down.
    ///
    /// - Returns: whether the directory exists.
    @discardableResult
    mutating func run(
        from directory: Path,
        at position: FilePattern.Position,
        watching: (FoundDirectory, borrowing Directory) -> Void
    ) -> Bool {
        let exists = read(Visit(path: directory, position: position, parent: nil), watching: watching)
        while let visit = pending.popLast() ?? takeLinked() {
            read(visit, watching: watching)
        }
        linkedFiles.forEach { report($0) }
        return exists
    }

    private mutating func takeLinked() -> Visit? {
        pending = linked.reversed()
        linked = []
        return pending.popLast()
    }

    // MARK: Directories

    /// Reads one directory, unless it has vanished, in which case the answer is false.
    @discardableResult
    private mutating func read(_ visit: Visit, watching: (FoundDirectory, borrowing Directory) -> Void) -> Bool {
        let directory: Directory
        do throws(Errno) {
            directory = try Directory(opening: visit.path)
        } catch {
            guard !error.meansVanished else { return false }
            report(error, at: visit.path)
            if let parent = visit.parent { watch(again: parent, watching) }
            return true
        }
        let found = FoundDirectory(path: visit.path, identity: FileIdentity(directory.status))
        if visit.parent != nil, known.contains(found.identity) { return true }
        if visit.parent?.identity.device != found.identity.device, directory.isKernelInterface { return true }
        guard let position = unexplored(visit.position, in: found.identity) else { return true }

        if let names = pattern.literalNames(at: position) {
            lookUp(names, in: directory, found, at: position, watching)
        } else {
            list(directory, found, under: visit.parent, at: position, watching)
        }
        return true
    }

    /// What has not yet been looked for in a directory; nil if everything has.
    ///
    /// Where excludes tell two paths to it apart, the first one decides.
    private mutating func unexplored(
        _ position: FilePattern.Position,
        in directory: FileIdentity
    ) -> FilePattern.Position? {
        let explored = visited[directory, default: []]
        var rest = position
        rest.includes.removeAll { explored.contains($0) }
        guard !rest.includes.isEmpty else { return nil }
        visited[directory] = explored.union(rest.includes)
        return rest
    }

    private mutating func watch(
        _ found: FoundDirectory,
        _ directory: borrowing Directory,
        _ watching: (FoundDirectory, borrowing Directory) -> Void
    ) {
        guard reportedDirectories.insert(found.identity).inserted else { return }
        findings.watched.append(found)
        watching(found, directory)
    }

    /// Watches a directory that has been read already, for news of one in it that cannot be.
    private mutating func watch(
        again parent: FoundDirectory,
        _ watching: (FoundDirectory, borrowing Directory) -> Void
    ) {
        guard let directory = try? Directory(opening: parent.path) else { return }
        watch(FoundDirectory(path: parent.path, identity: FileIdentity(directory.status)), directory, watching)
    }

    /// Takes the names that matter from the directory itself.
    private mutating func list(
        _ directory: borrowing Directory,
        _ found: FoundDirectory,
        under parent: FoundDirectory?,
        at position: FilePattern.Position,
        _ watching: (FoundDirectory, borrowing Directory) -> Void
    ) {
        let names: DirectoryNames
        do throws(Errno) {
            names = try directory.names()
        } catch {
            report(error, at: found.path)
            if let parent { watch(again: parent, watching) }
            return
        }
        watch(found, directory, watching)
        var entries: [Entry] = []
        do throws(Errno) {
            try names.forEach { name, inode, kind in
                let identity = FileIdentity(device: found.identity.device, inode: inode)
                if kind == .directory, known.contains(identity) { return }
                if let entry = entry(name, kind: kind, at: position) { entries.append(entry) }
            }
        } catch {
            report(error, at: found.path)
        }
        entries.sort { $0.name.lexicographicallyPrecedes($1.name) }
        take(entries, in: directory, found)
    }

    /// Asks for the few names that matter, without reading the directory, which may be large or allow only that.
    private mutating func lookUp(
        _ names: [[UInt8]],
        in directory: borrowing Directory,
        _ found: FoundDirectory,
        at position: FilePattern.Position,
        _ watching: (FoundDirectory, borrowing Directory) -> Void
    ) {
        var mayChange = pattern.mayAccept(at: position)
        for name in names where !mayChange {
            let status = try? directory.status(of: name, followingLinks: false)
            mayChange = status?.kind != .directory
        }
        if mayChange { watch(found, directory, watching) }
        take(names.compactMap { entry($0.span, kind: nil, at: position) }, in: directory, found)
    }

    // MARK: Names

    /// What the pattern says about a name; nil if nothing.
    private func entry(_ name: Span<UInt8>, kind: FileKind?, at position: FilePattern.Position) -> Entry? {
        let isAccepted = pattern.accepts(name, at: position)
        let inner = kind == .regular ? nil : pattern.enter(name, at: position)
        guard isAccepted || inner != nil else { return nil }
        return Entry(name: Array(copying: name), kind: kind, isAccepted: isAccepted, inner: inner)
    }

    /// Takes the names of a directory, in this order.
    private mutating func take(_ entries: [Entry], in directory: borrowing Directory, _ found: FoundDirectory) {
        let firstOfThese = pending.count
        for entry in entries {
            let path = found.path.appending(entry.name)
            switch entry.kind {
            case nil, .regular, .symbolicLink: examine(entry, path, in: directory, found)
            case .some(let kind): take(entry, path, as: kind, in: found)
            }
        }
        pending[firstOfThese...].reverse()
    }

    /// Takes something that is neither a file nor a link.
    private mutating func take(_ entry: Entry, _ path: Path, as kind: FileKind, in found: FoundDirectory) {
        if kind == .directory, let inner = entry.inner {
            pending.append(Visit(path: path, position: inner, parent: found))
        } else if entry.isAccepted {
            findings.skipped.append(SkippedEntry(path: path, kind: kind))
        }
    }

    /// Takes something about which the directory does not say enough.
    private mutating func examine(
        _ entry: Entry,
        _ path: Path,
        in directory: borrowing Directory,
        _ found: FoundDirectory
    ) {
        do throws(Errno) {
            let own = try directory.status(of: entry.name, followingLinks: false)
            guard own.kind == .symbolicLink else { return take(entry, path, as: own, isLinked: false, in: found) }
        } catch {
            // Names can be read here but nothing under them: the same for all of them.
            return report(error, at: found.path)
        }
        do throws(Errno) {
            let target = try directory.status(of: entry.name, followingLinks: true)
            take(entry, path, as: target, isLinked: true, in: found)
        } catch {
            report(error, at: path)
        }
    }

    /// Takes what a name, or the link that it is, leads to.
    private mutating func take(
        _ entry: Entry,
        _ path: Path,
        as status: FileStatus,
        isLinked: Bool,
        in found: FoundDirectory
    ) {
        switch status.kind {
        case .regular where !entry.isAccepted: return
        case .regular where isLinked: linkedFiles.append(FoundFile(path: path, status: status))
        case .regular: report(FoundFile(path: path, status: status))
        case .directory where isLinked:
            guard let inner = entry.inner else { fallthrough }
            linked.append(Visit(path: path, position: inner, parent: found))
        default: take(entry, path, as: status.kind, in: found)
        }
    }

    private mutating func report(_ error: Errno, at path: Path) {
        guard !error.meansVanished, findings.unreadable.last?.path != path else { return }
        findings.unreadable.append(UnreadableEntry(path: path, error: error))
    }

    private mutating func report(_ file: FoundFile) {
        if reportedFiles.insert(file.identity).inserted { findings.files.append(file) }
    }
}

extension FileIdentity {
    fileprivate init(_ status: FileStatus) {
        self.init(device: status.device, inode: status.inode)
    }
}

extension Errno {
    /// Whether there is nothing under the name, at least by now.
    fileprivate var meansVanished: Bool {
        self == .noSuchFile || self == .notADirectory || self == .tooManySymbolicLinks
    }
}
