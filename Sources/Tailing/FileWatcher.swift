package import Platform
package import Records

/// Knows which files and directories have news, from the kernel where it tells, else by being asked to look again.
///
/// Files are named by the caller's own numbers.
package struct FileWatcher: ~Copyable {
    /// What happened since the last time.
    package struct News: Sendable, Equatable {
        package var files: Set<Int> = []

        /// Those of `files` that were written to, or truncated.
        package var written: Set<Int> = []
        package var directories: Set<Path> = []

        /// Files that were renamed from one watched directory to another or the same.
        package var renamed = RenameTrace()

        /// Whether events were lost, so that everything must be looked at.
        package var hasOverflowed = false

        package init() {}
    }

    /// Why something has to be polled.
    package enum Shortage: Error, Hashable, Sendable {
        /// No inotify instance could be had (fs.inotify.max_user_instances).
        case instances
        /// No more watches can be had (fs.inotify.max_user_watches).
        case watches
        /// The file system, which is of this kind, does not report what other hosts write.
        case silentFileSystem(kind: String)
        /// The kernel refused for another reason.
        case refused(Errno)
    }

    /// A directory that is polled, and why.
    private struct PolledDirectory {
        let identity: FileIdentity
        let shortage: Shortage
    }

    private struct DirectoryWatch {
        let watch: Inotify.Watch
        let identity: FileIdentity
    }

    private let inotify: Inotify?
    private let maxWatches: Int
    private var files: [Inotify.Watch: Set<Int>] = [:]
    private var fileWatches: [Int: Inotify.Watch] = [:]

    /// The names by which each watched directory is known: links may lead there, too.
    private var directories: [Inotify.Watch: Set<Path>] = [:]
    private var directoryWatches: [Path: DirectoryWatch] = [:]

    /// The renamings of the last look.
    private var trace = RenameTrace()

    /// What has no watch and must be polled, and why.
    package private(set) var polledFiles: [Int: Shortage] = [:]
    private var polled: [Path: PolledDirectory] = [:]

    private static let fileMask: Inotify.Mask = [.modified, .attributes, .selfMoved, .selfDeleted]
    private static let directoryMask: Inotify.Mask = [
        .created, .deleted, .movedFrom, .movedTo, .selfDeleted, .selfMoved, .attributes, .onlyDirectory,
    ]

    /// A watcher with the kernel's help, if that can be had.
    ///
    /// - Parameter maxWatches: how many watches it takes at most, beyond what the kernel allows; everything else is
    ///   polled.
    package init(maxWatches: Int = .max) {
        self.init(inotify: try? Inotify(), maxWatches: maxWatches)
    }

    /// A watcher with the given help from the kernel; without any, everything is polled.
    package init(inotify: consuming Inotify?, maxWatches: Int = .max) {
        self.inotify = inotify
        self.maxWatches = maxWatches
    }

    /// Whether anything must be polled.
    package var hasPolled: Bool { !polledFiles.isEmpty || !polled.isEmpty }

    /// Whether the kernel tells what happens in a directory.
    package func watches(_ directory: Path) -> Bool { directoryWatches[directory] != nil }

    /// The directories that must be polled, and why.
    package var polledDirectories: [Path: Shortage] { polled.mapValues(\.shortage) }

    /// How many watches are held.
    package var watchCount: Int { files.count + directories.count }

    /// The directories of which news will be heard, from the kernel or by polling.
    package var knownDirectories: Set<FileIdentity> {
        Set(directoryWatches.values.map(\.identity)).union(polled.values.map(\.identity))
    }

    // MARK: Watching

    /// Whether the kernel tells what happens to a file.
    package func watches(_ file: Int) -> Bool { fileWatches[file] != nil }

    /// Watches an open file until `forget`; if that cannot be, it is polled, and the reason is given once.
    package mutating func watch(_ file: Int, descriptor: CInt) -> Shortage? {
        guard fileWatches[file] == nil else { return nil }
        do throws(Shortage) {
            let watch = try add(descriptor, Self.fileMask)
            files[watch, default: []].insert(file)
            fileWatches[file] = watch
            polledFiles[file] = nil
            return nil
        } catch {
            return polledFiles.updateValue(error, forKey: file) == nil ? error : nil
        }
    }

    /// Watches a directory for names that come and go; if that cannot be, it is polled, and the reason is given once.
    ///
    /// What is watched is the directory that was opened, not what its path may lead to by now: one that was deleted
    /// meanwhile says so when it is let go, and then its successor is looked at.
    package mutating func watch(_ path: Path, opened directory: borrowing Directory) -> Shortage? {
        let identity = FileIdentity(device: directory.status.device, inode: directory.status.inode)
        do throws(Shortage) {
            let watch = try add(directory.descriptorNumber, Self.directoryMask)
            if let old = directoryWatches[path], old.watch != watch { release(path, old.watch) }
            directories[watch, default: []].insert(path)
            directoryWatches[path] = DirectoryWatch(watch: watch, identity: identity)
            polled[path] = nil
            return nil
        } catch {
            if let old = directoryWatches.removeValue(forKey: path) { release(path, old.watch) }
            let entry = PolledDirectory(identity: identity, shortage: error)
            return polled.updateValue(entry, forKey: path) == nil ? error : nil
        }
    }

    /// Watches what is open.
    private func add(_ descriptor: CInt, _ mask: Inotify.Mask) throws(Shortage) -> Inotify.Watch {
        if let kind = silentFileSystem(of: descriptor) { throw .silentFileSystem(kind: kind) }
        switch inotify {
        case .none: throw .instances
        case .some(let inotify):
            do throws(Errno) {
                let watch = try inotify.watch(Path("/proc/self/fd/\(descriptor)"), for: mask)
                guard watchCount < maxWatches || files[watch] != nil || directories[watch] != nil else {
                    inotify.unwatch(watch)
                    throw .noSpace
                }
                return watch
            } catch {
                throw error == .noSpace ? .watches : .refused(error)
            }
        }
    }

    // MARK: Ending watches

    /// Ends the watch on a file.
    package mutating func forget(_ file: Int) {
        polledFiles[file] = nil
        guard let watch = fileWatches.removeValue(forKey: file) else { return }
        files[watch]?.remove(file)
        guard files[watch]?.isEmpty == true else { return }
        files[watch] = nil
        end(watch)
    }

    /// Ends the watches on all directories but these.
    package mutating func keepDirectories(_ wanted: Set<Path>) {
        for path in polled.keys where !wanted.contains(path) { polled[path] = nil }
        for (path, watched) in directoryWatches where !wanted.contains(path) {
            directoryWatches[path] = nil
            release(path, watched.watch)
        }
    }

    /// Notes that a path does not lead to the watched directory any more.
    private mutating func release(_ path: Path, _ watch: Inotify.Watch) {
        directories[watch]?.remove(path)
        guard directories[watch]?.isEmpty == true else { return }
        directories[watch] = nil
        end(watch)
    }

    private func end(_ watch: Inotify.Watch) {
        switch inotify {
        case .some(let inotify): inotify.unwatch(watch)
        case .none: break
        }
    }

    // MARK: News

    /// Takes all news that the kernel has, without waiting.
    package mutating func takeNews() -> News {
        var news = News()
        news.renamed = RenameTrace(after: trace)
        var ended: [Inotify.Watch] = []
        var moved: Set<Path> = []
        switch inotify {
        case .none: break
        case .some(let inotify):
            inotify.drain { event in
                if event.mask.contains(.overflow) { news.hasOverflowed = true }
                guard let watch = event.watch else { return }
                if event.mask.contains(.ignored) { ended.append(watch) }
                if let changed = files[watch] {
                    news.files.formUnion(changed)
                    if event.mask.contains(.modified) { news.written.formUnion(changed) }
                }
                for path in directories[watch] ?? [] {
                    news.directories.insert(path)
                    news.renamed.note(event, in: path)
                    if event.mask.contains(.selfMoved) { moved.insert(path) }
                }
            }
        }
        trace = news.hasOverflowed ? RenameTrace() : news.renamed
        news.renamed.forgetPast()
        for watch in ended { drop(watch) }
        for path in moved { dropTree(path) }
        return news
    }

    /// Forgets a watch that the kernel has ended.
    private mutating func drop(_ watch: Inotify.Watch) {
        for file in files.removeValue(forKey: watch) ?? [] { fileWatches[file] = nil }
        for path in directories.removeValue(forKey: watch) ?? [] where directoryWatches[path]?.watch == watch {
            directoryWatches[path] = nil
        }
    }

    /// Ends the watches on a directory that has another name now, and on those in it: their paths are wrong.
    private mutating func dropTree(_ root: Path) {
        for (path, watched) in directoryWatches where path.isOrLies(in: root) {
            directoryWatches[path] = nil
            release(path, watched.watch)
        }
    }

    /// Blocks until there may be news, the bell rings, or the time is over.
    package func wait(for doorbell: Doorbell, atMost timeout: Duration?) {
        doorbell.wait(or: inotify, atMost: timeout)
    }
}
