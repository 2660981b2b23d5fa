import Discovery
import Platform
import Records
import Tailing

/// How the generations of a log are found of which no event told.
extension Intake {
    func listing(of directory: Path) -> LogDirectory {
        if let listing = listings[directory] { return listing }
        let listing = LogDirectory(directory)
        listings[directory] = listing
        return listing
    }

    /// Follows the generations of some logs that were made and rotated away while nobody looked: those that were
    /// written to at a time, since 1970, or after it, or after the youngest that is known.
    ///
    /// What a pattern matches is found without this; what is older was there when somebody looked, and was read. What
    /// begins like `current` is a copy of it. A run may have stored what it read of one file before it looked at the
    /// generations of another: those are younger than the one that it knew.
    func followGenerations(
        of paths: [Path],
        in flow: Int,
        since time: Duration,
        after known: [FollowedFile] = [],
        notLike current: Tail? = nil
    ) {
        let stream = lanes[flow].flow.stream
        let patterns = lanes.map(\.flow).filter { $0.stream == stream }.map(\.pattern)
        var latest: [Path: Duration] = [:]
        for file in known {
            guard let modified = file.tail.modified else { continue }
            for log in file.tail.path.namesBeforeRotation { latest[log] = max(latest[log] ?? modified, modified) }
        }
        let logs = Set(paths.flatMap(\.namesBeforeRotation).filter { log in patterns.contains { $0.matches(log) } })
        var found: [FileIdentity: LogDirectory.Sibling] = [:]
        for log in logs {
            let start = min(time, latest[log] ?? time)
            for sibling in listing(of: log.parent).siblings(of: log.lastComponent) {
                guard sibling.status.modified >= start, !patterns.contains(where: { $0.matches(sibling.path) })
                else { continue }
                found[sibling.file] = sibling
            }
        }
        for sibling in found.values.sorted(by: { $0.status.modified < $1.status.modified }) {
            let key = FileKey(stream: stream, file: sibling.file)
            guard files[key] == nil, !policy.ownFiles.contains(sibling.file) else { continue }
            guard !sibling.isCompressed else {
                if isNews(sibling.path) { report(.compressedUnread(sibling.path, bytes: sibling.status.size)) }
                continue
            }
            if let current, current.beginsLike(sibling.path) { continue }
            // What is remembered may be of another file that had this inode.
            let known = remembered[key].flatMap { try? open($0, at: sibling.path) }
            let tail = known ?? Tail(readingAll: sibling.path, as: sibling.file, for: stream)
            tail.modified = sibling.status.modified
            unlist(add(tail, to: flow, known == nil ? .start : .checkpoint))
        }
    }

    /// Follows what came after files that lost their names where no event told of it.
    func followSuccessors() {
        defer { listings = [:] }
        for file in departed where hasMissedEvents || !watcher.watches(file.tail.path.parent) {
            try? file.tail.refresh()
            guard let modified = file.tail.modified else { continue }
            followGenerations(of: [file.tail.path], in: file.flow, since: modified)
        }
        departed = []
    }

    // MARK: Order

    /// Has what is oldest read first, and no generation of a log before an older one is read to its end.
    func readInOrder() {
        queue.arrange { files[$0]?.tail.modified ?? .zero }
        var latest: [FileKey: Int] = [:]
        let listed = Dictionary(files.all.filter(\.isListed).map { ($0.tail.path, $0) }) { first, _ in first }
        let ended = files.all.filter { !$0.isListed }.sorted {
            ($0.tail.modified ?? .zero) < ($1.tail.modified ?? .zero)
        }
        for file in ended {
            let path = file.tail.path
            let name = RotatedName.uncompressed(path.lastComponent) ?? Array(path.lastComponent)
            let logs = ([name] + RotatedName.origins(of: name)).compactMap { listed[path.parent.appending($0)] }
            guard let log = logs.first(where: { $0.tail.stream == file.tail.stream }) else { continue }
            file.predecessor = latest[log.key]
            latest[log.key] = file.id
            log.predecessor = file.id
        }
    }

    /// Whether an older generation of the same log is to be read before a file.
    func waitsForPredecessor(_ file: FollowedFile) -> Bool {
        guard let id = file.predecessor else { return false }
        // One that cannot be read now holds up nobody.
        if let older = files[id], older.isQueued, !older.isCaughtUp { return true }
        file.predecessor = nil
        return false
    }
}

extension Path {
    /// The path itself, and those that its file may have had before rotation gave it this one.
    var namesBeforeRotation: [Path] {
        [self] + RotatedName.origins(of: lastComponent).map { parent.appending($0) }
    }

    /// Whether rotation may have made the names of both from that of one log.
    func mayBeGeneration(ofLogAt other: Path) -> Bool {
        parent == other.parent && RotatedName.areOfOneLog(lastComponent, other.lastComponent)
    }
}
