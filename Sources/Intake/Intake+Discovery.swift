import Bytes
import Discovery
import Framing
import Platform
import Records
import Tailing

/// How files come to be followed.
extension Intake {
    /// Looks for files: everywhere when that is due, else where there is news.
    func lookAround() {
        guard ContinuousClock.now >= nextScan else {
            for directory in changedDirectories { rescan(directory) }
            changedDirectories.removeAll(keepingCapacity: true)
            return
        }
        changedDirectories.removeAll(keepingCapacity: true)
        scanEverything()
        nextScan = .now + policy.scanInterval
    }

    // MARK: Walking

    private func scanEverything() {
        var directories: Set<Path> = []
        var listed: Set<FileKey> = []
        for index in lanes.indices {
            let findings = lanes[index].walk.scan { directory in
                directories.insert(directory.path)
                watch(directory.path)
            }
            reportOddities(of: findings)
            follow(findings.files, in: index, listing: &listed)
            adopt(index)
        }
        for file in files.values where !listed.contains(file.key) { unlist(file) }
        knownDirectories = directories
        watcher.keepDirectories(directories)
        if !remembered.isEmpty { findRenamedFiles() }
    }

    private func rescan(_ directory: Path) {
        var listed: Set<FileKey> = []
        for index in lanes.indices {
            let findings = lanes[index].walk.rescan(directory, known: []) { directory in
                knownDirectories.insert(directory.path)
                watch(directory.path)
            }
            reportOddities(of: findings)
            follow(findings.files, in: index, listing: &listed)
        }
        for file in files.values where file.tail.path.parent == directory && !listed.contains(file.key) { unlist(file) }
    }

    private func watch(_ directory: Path) {
        if let shortage = watcher.watch(directory) { report(.polling(directory, shortage)) }
    }

    private func reportOddities(of findings: Findings) {
        for entry in findings.skipped where reportedPaths.insert(entry.path).inserted {
            report(.skipped(entry.path, entry.kind))
        }
        for entry in findings.unreadable where reportedPaths.insert(entry.path).inserted {
            report(.closedDirectory(entry.path, entry.error))
        }
    }

    // MARK: Following

    /// Follows the files that a walk of a flow has found, oldest first.
    private func follow(_ found: [FoundFile], in flow: Int, listing listed: inout Set<FileKey>) {
        let stream = lanes[flow].flow.stream
        for candidate in found.sorted(by: { $0.modified < $1.modified }) {
            let key = FileKey(stream: stream, file: candidate.identity)
            listed.insert(key)
            if let id = fileIDs[key], let file = files[id] {
                update(file, with: candidate, in: flow)
            } else {
                begin(candidate, in: flow, as: key)
            }
        }
    }

    private func update(_ file: FollowedFile, with found: FoundFile, in flow: Int) {
        if file.flow != flow, reportedPaths.insert(found.path).inserted {
            report(.shared(found.path, file.tail.stream))
        }
        file.tail.path = found.path
        if !file.isListed {
            file.isListed = true
            if !file.tail.isDeleted { watchedClosely.remove(file.id) }
        }
        if found.size != file.tail.size || file.retryAt != nil { enqueue(file.id) }
    }

    /// Begins to follow a file where its checkpoint says, or where files begin that have none.
    private func begin(_ found: FoundFile, in flow: Int, as key: FileKey) {
        let settings = lanes[flow].flow
        do throws(TailError) {
            let tail: Tail
            let beginning: IntakeEvent.Beginning
            if let checkpoint = remembered[key] {
                let (resumed, continuation) = try Tail.resuming(checkpoint, at: found.path)
                remembered[key] = nil
                tail = resumed
                beginning = continuation == .resumed ? .checkpoint : .changed(continuation)
            } else if adoptedFlows.contains(flow) || settings.readsFromStart {
                tail = Tail(readingAll: found.path, as: key.file, for: key.stream)
                beginning = .start
            } else {
                tail = try Tail(
                    fromEndOf: found.path,
                    as: key.file,
                    for: key.stream,
                    maxLineBytes: settings.lines.maxLineBytes
                )
                beginning = .end
            }
            try add(tail, to: flow, beginning)
            reportedPaths.remove(found.path)
        } catch {
            // It is looked at again at the next scan.
            if reportedPaths.insert(found.path).inserted { report(.unreadable(found.path, error)) }
        }
    }

    private func add(_ tail: Tail, to flow: Int, _ beginning: IntakeEvent.Beginning) throws(TailError) {
        let file = FollowedFile(id: nextID(), flow: flow, tail: tail, at: .now)
        checkpoints[file.id] = try tail.checkpoint(at: tail.offset, isSkippingLine: tail.isSkippingLine)
        files[file.id] = file
        fileIDs[file.key] = file.id
        report(.following(tail.path, tail.stream, offset: tail.offset, beginning))
        enqueue(file.id)
    }

    /// From now on, files of the flow that nobody has seen are new ones, to be read from their beginning.
    private func adopt(_ flow: Int) {
        guard adoptedFlows.insert(flow).inserted else { return }
        harvest.adopted.append((lanes[flow].flow.stream, lanes[flow].flow.patternText))
    }

    private func unlist(_ file: FollowedFile) {
        guard file.isListed else { return }
        file.isListed = false
        noteEnding(file)
    }

    // MARK: Files that were renamed while nobody looked

    /// Looks for files that an earlier run has read and no pattern finds now, next to where they were.
    ///
    /// They are read to their end; one that is nowhere is reported, once.
    private func findRenamedFiles() {
        let lost = remembered
        remembered = [:]
        let directories = Dictionary(grouping: lost.values) { Path(escaped: $0.path)?.parent ?? .root }
        for (directory, checkpoints) in directories {
            let names = namesByInode(in: directory)
            for checkpoint in checkpoints {
                if let name = names[checkpoint.file.inode], resume(checkpoint, at: directory.appending(name)) {
                    continue
                }
                report(.lost(path: checkpoint.path, checkpoint.stream, offset: checkpoint.offset))
            }
        }
    }

    private func namesByInode(in directory: Path) -> [UInt64: [UInt8]] {
        var names: [UInt64: [UInt8]] = [:]
        try? Directory(opening: directory).names().forEach { name, inode, _ in names[inode] = Array(copying: name) }
        return names
    }

    /// Follows a file that no pattern matches, if it is the one that the checkpoint describes.
    private func resume(_ checkpoint: Checkpoint, at path: Path) -> Bool {
        guard let flow = lanes.firstIndex(where: { $0.flow.stream == checkpoint.stream }),
            let (tail, continuation) = try? Tail.resuming(checkpoint, at: path), continuation == .resumed
        else { return false }
        do throws(TailError) {
            try add(tail, to: flow, .checkpoint)
        } catch {
            return false
        }
        if let file = files[fileIDs[FileKey(stream: checkpoint.stream, file: checkpoint.file)] ?? 0] { unlist(file) }
        return true
    }
}
