package import Platform

/// Knows which files and directories have news, from the kernel where it tells, else by being asked to look again.
///
/// Files are named by the caller's own numbers.
package struct FileWatcher: ~Copyable {
    /// What happened since the last time.
    package struct News: Sendable {
        package var files: Set<Int> = []
        package var directories: Set<Path> = []

        /// Whether events were lost, so that everything must be looked at.
        package var hasOverflowed = false
    }

    /// Why something has to be polled.
    package enum Shortage: Error, Hashable, Sendable {
        /// No inotify instance could be had (fs.inotify.max_user_instances).
        case instances
        /// No more watches can be had (fs.inotify.max_user_watches).
        case watches
        /// The file system does not report what other hosts write.
        case silentFileSystem
        /// The kernel refused for another reason.
        case refused(Errno)
    }

    private let inotify: Inotify?
    private var files: [Inotify.Watch: Set<Int>] = [:]
    private var fileWatches: [Int: Inotify.Watch] = [:]
    private var directories: [Inotify.Watch: Path] = [:]
    private var directoryWatches: [Path: Inotify.Watch] = [:]

    /// What has no watch and must be polled.
    package private(set) var polledFiles: Set<Int> = []
    package private(set) var polledDirectories: Set<Path> = []

    private static let fileMask: Inotify.Mask = [.modified, .attributes, .selfMoved, .selfDeleted]
    private static let directoryMask: Inotify.Mask = [
        .created, .deleted, .movedFrom, .movedTo, .selfDeleted, .selfMoved, .attributes, .onlyDirectory,
    ]

    package init() {
        inotify = try? Inotify()
    }

    /// Whether anything must be polled.
    package var hasPolled: Bool { !polledFiles.isEmpty || !polledDirectories.isEmpty }

    /// How many watches are held.
    package var watchCount: Int { files.count + directories.count }

    /// Watches an open file until `forget`; if that cannot be, it is polled, and the reason is given.
    package mutating func watch(_ file: Int, descriptor: CInt) -> Shortage? {
        guard fileWatches[file] == nil else { return nil }
        do throws(Shortage) {
            if isSilentFileSystem(descriptor) { throw .silentFileSystem }
            let watch = try add(Path("/proc/self/fd/\(descriptor)"), Self.fileMask)
            files[watch, default: []].insert(file)
            fileWatches[file] = watch
            polledFiles.remove(file)
            return nil
        } catch {
            return polledFiles.insert(file).inserted ? error : nil
        }
    }

    /// Watches a directory for names that come and go; if that cannot be, it is polled, and the reason is given.
    ///
    /// A directory that is not there is nobody's news: the one that it would be in is watched, too.
    package mutating func watch(_ directory: Path) -> Shortage? {
        do throws(Shortage) {
            let watch = try add(directory, Self.directoryMask)
            if let old = directoryWatches[directory], old != watch { release(old) }
            directories[watch] = directory
            directoryWatches[directory] = watch
            polledDirectories.remove(directory)
            return nil
        } catch {
            return polledDirectories.insert(directory).inserted ? error : nil
        }
    }

    private func add(_ path: Path, _ mask: Inotify.Mask) throws(Shortage) -> Inotify.Watch {
        switch inotify {
        case .none: throw .instances
        case .some(let inotify):
            do throws(Errno) {
                return try inotify.watch(path, for: mask)
            } catch {
                throw error == .noSpace ? .watches : .refused(error)
            }
        }
    }

    /// Ends the watch on a file.
    package mutating func forget(_ file: Int) {
        polledFiles.remove(file)
        guard let watch = fileWatches.removeValue(forKey: file) else { return }
        files[watch]?.remove(file)
        guard files[watch]?.isEmpty == true else { return }
        files[watch] = nil
        end(watch)
    }

    /// Ends the watches on all directories but these.
    package mutating func keepDirectories(_ wanted: Set<Path>) {
        polledDirectories.formIntersection(wanted)
        for (path, watch) in directoryWatches where !wanted.contains(path) {
            directoryWatches[path] = nil
            release(watch)
        }
    }

    private mutating func release(_ directory: Inotify.Watch) {
        directories[directory] = nil
        end(directory)
    }

    private func end(_ watch: Inotify.Watch) {
        switch inotify {
        case .some(let inotify): inotify.unwatch(watch)
        case .none: break
        }
    }

    /// Takes all news that the kernel has, without waiting.
    package mutating func takeNews() -> News {
        var news = News()
        var ended: [Inotify.Watch] = []
        switch inotify {
        case .none: break
        case .some(let inotify):
            inotify.drain { event in
                if event.mask.contains(.overflow) { news.hasOverflowed = true }
                guard let watch = event.watch else { return }
                if event.mask.contains(.ignored) { ended.append(watch) }
                if let changed = files[watch] { news.files.formUnion(changed) }
                if let directory = directories[watch] { news.directories.insert(directory) }
            }
        }
        for watch in ended { drop(watch) }
        return news
    }

    /// Forgets a watch that the kernel has ended.
    private mutating func drop(_ watch: Inotify.Watch) {
        for file in files.removeValue(forKey: watch) ?? [] { fileWatches[file] = nil }
        if let directory = directories.removeValue(forKey: watch), directoryWatches[directory] == watch {
            directoryWatches[directory] = nil
        }
    }

    /// Blocks until there may be news, the bell rings, or the time is over.
    package func wait(for doorbell: Doorbell, atMost timeout: Duration?) {
        doorbell.wait(or: inotify, atMost: timeout)
    }
}
