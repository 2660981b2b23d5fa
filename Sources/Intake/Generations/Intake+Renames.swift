import Bytes
import Discovery
import Framing
import Platform
import Records
import Tailing

/// How files are found again that have another name since they were last seen.
extension Intake {
    /// Follows files that were renamed since the last look: also those that had a name that matches only meanwhile.
    func follow(_ renamed: RenameTrace) {
        for (path, formerNames) in renamed.formerNames {
            guard let identity = identity(of: path) else { continue }
            for stream in Set(lanes.map(\.flow.stream)) {
                if let file = files[FileKey(stream: stream, file: identity)] {
                    files.move(file, to: path)
                    if file.retryAt != nil { enqueue(file) }
                } else if let flow = flow(to: stream, of: formerNames), adoptedFlows.contains(flow),
                    self.flow(to: stream, of: [path]) == nil
                {
                    unlist(add(Tail(readingAll: path, as: identity, for: stream), to: flow, .start))
                }
            }
        }
    }

    /// The first flow to a stream that one of the names matches.
    private func flow(to stream: StreamName, of names: [Path]) -> Int? {
        lanes.indices.first { index in
            let flow = lanes[index].flow
            return flow.stream == stream && names.contains { flow.pattern.matches($0) }
        }
    }

    func identity(of path: Path) -> FileIdentity? {
        guard let directory = try? Directory(opening: path.parent),
            let status = try? directory.status(of: Array(path.lastComponent), followingLinks: true),
            status.kind == .regular
        else { return nil }
        return FileIdentity(device: status.device, inode: status.inode)
    }

    /// Looks for a file that is closed in the directory in which it was.
    ///
    /// - Returns: whether it was found under another name, by which it will be read.
    func findAgain(_ file: FollowedFile) -> Bool {
        let directory = file.tail.path.parent
        let names = knownInodes[directory] ?? namesByInode(in: directory) ?? [:]
        knownInodes[directory] = names
        guard let name = names[file.tail.file.inode] else { return false }
        let path = directory.appending(name)
        guard path != file.tail.path, mayLead(path, to: file.tail.path, readTo: file.tail.offset) else { return false }
        let finding = file.tail.find(at: path)
        // A generation of the same log, or a copy; any other file that got the inode is not to be sent anywhere.
        let isNext = finding == .successor && path.mayBeGeneration(ofLogAt: file.tail.path)
        guard finding == .itself || isNext else { return false }
        files.move(file, to: path)
        // At once, so that a copy is known when it is looked for.
        if isNext, case .startedOver(let end, let unread)? = try? file.tail.look() {
            startOver(file, from: end, unread: unread)
        }
        // The scan will say whether a pattern matches this name.
        changedDirectories.insert(directory)
        enqueue(file)
        return true
    }

    /// Whether a path with the right inode may be the new name of a file.
    ///
    /// Of what was read, the content tells. Before that only the name can, which rotation may have made of the old one
    /// or of what that was made of: another file that got the inode is not to be sent anywhere.
    private func mayLead(_ path: Path, to oldPath: Path, readTo offset: Int) -> Bool {
        offset > 0 || path.lastComponent.starts(with: oldPath.lastComponent)
            || RotatedName.areOfOneLog(path.lastComponent, oldPath.lastComponent)
    }

    /// Looks for the files that an earlier run has read and no pattern finds now: next to where they were, and in all
    /// directories in which files were looked for; then for what came after them while no run was there.
    ///
    /// They are read to their end. One that is nowhere is reported once, unless its file system may not be there yet.
    func findRenamed(after sweep: Sweep) {
        defer { newcomers = [] }
        let streams = Set(lanes.map(\.flow.stream))
        let missing = remembered.values.filter { streams.contains($0.stream) && !sweep.listed.contains(FileKey($0)) }
        let rewritten = abandoned.map(\.checkpoint)
        if !missing.isEmpty { resume(missing, after: sweep) }
        leftFiles = [:]
        recoverAbandoned()
        // The clock that files are stamped by ticks some milliseconds late.
        guard let lastStored = lastStored.map({ $0 - .milliseconds(20) }) else { return }
        for (stream, checkpoints) in Dictionary(grouping: missing + rewritten, by: \.stream) {
            guard let flow = lanes.firstIndex(where: { $0.flow.stream == stream }) else { continue }
            let known = checkpoints.compactMap { files[FileKey($0)] }
            followGenerations(of: checkpoints.map(\.lastPath), in: flow, since: lastStored, after: known)
        }
        // What was made and rotated away before a log that nobody knew.
        for file in newcomers {
            followGenerations(of: [file.tail.path], in: file.flow, since: lastStored, notLike: file.tail)
        }
        readInOrder()
    }

    private func resume(_ missing: [Checkpoint], after sweep: Sweep) {
        var paths: [UInt64: [Path]] = [:]
        let parents = Set(missing.map(\.lastPath.parent))
        // Rotation may have a directory of its own for what is old, and a link may have led elsewhere.
        let others = parents.flatMap { subdirectories(of: $0) + formerPlaces(of: $0) }
        for directory in sweep.directories.union(parents).union(others) {
            for (inode, name) in namesByInode(in: directory) ?? [:] {
                paths[inode, default: []].append(directory.appending(name))
            }
        }
        for checkpoint in missing.sorted(by: { $0.path < $1.path }) {
            resume(checkpoint, at: paths[checkpoint.file.inode] ?? [])
        }
    }

    /// Where a directory may have been before a symbolic link on the way to it was turned: what a link leads to is
    /// usually replaced by something beside it, or beside the link.
    private func formerPlaces(of directory: Path) -> [Path] {
        var places: [Path] = []
        var way = Path.root
        var rest = directory.components[...]
        while let name = rest.popFirst() {
            let parent = way
            way = parent.appending(name)
            guard isLink(name, in: parent) else { continue }
            let targetParent = (try? way.withoutLinks())?.parent
            let candidates = Set([parent, targetParent ?? parent]).flatMap(subdirectories)
            places += candidates.map { rest.reduce($0) { $0.appending($1) } }
        }
        return places
    }

    private func isLink(_ name: ArraySlice<UInt8>, in directory: Path) -> Bool {
        guard let directory = try? Directory(opening: directory) else { return false }
        return (try? directory.status(of: Array(name), followingLinks: false))?.kind == .symbolicLink
    }

    /// The directories in a directory, a hundred at most.
    private func subdirectories(of directory: Path) -> [Path] {
        var found: [Path] = []
        do throws(Errno) {
            try Directory(opening: directory).names().forEach { name, _, kind in
                guard kind == .directory, found.count < 100 else { return }
                found.append(directory.appending(Array(copying: name)))
            }
        } catch {
            return []
        }
        return found
    }

    /// The names in a directory; nil if it cannot be read.
    private func namesByInode(in directory: Path) -> [UInt64: [UInt8]]? {
        var names: [UInt64: [UInt8]] = [:]
        do throws(Errno) {
            try Directory(opening: directory).names().forEach { name, inode, _ in names[inode] = Array(copying: name) }
            return names
        } catch {
            return nil
        }
    }

    /// Follows a file that no pattern matches, if one of the paths leads to the one that the checkpoint describes.
    private func resume(_ checkpoint: Checkpoint, at paths: [Path]) {
        guard let flow = lanes.firstIndex(where: { $0.flow.stream == checkpoint.stream }) else { return }
        // Under its old name, it had been rotated away before, unless the patterns have changed.
        if paths.contains(checkpoint.lastPath), !unchangedStreams.contains(checkpoint.stream) { return }
        for path in paths where mayLead(path, to: checkpoint.lastPath, readTo: checkpoint.offset) {
            do throws(TailError) {
                guard let tail = try open(checkpoint, at: path) else { continue }
                remembered[FileKey(checkpoint)] = nil
                return unlist(add(tail, to: flow, .checkpoint))
            } catch .moved {
                continue
            } catch {
                return report(.unreadable(path, error))
            }
        }
        if let tail = left(by: checkpoint, to: flow) {
            remembered[FileKey(checkpoint)] = nil
            unlist(add(tail, to: flow, .checkpoint))
        } else if followCopy(of: checkpoint, in: flow) != nil {
            forget(checkpoint)
        } else {
            giveUp(checkpoint)
        }
    }

    /// The file that a checkpoint describes, if it has no name by which it is found and was left open.
    private func left(by checkpoint: Checkpoint, to flow: Int) -> Tail? {
        guard let left = leftFiles.removeValue(forKey: FileKey(checkpoint)) else { return nil }
        let settings = lanes[flow].flow
        let resumed = try? Tail.resuming(
            checkpoint,
            left: left,
            maxLineBytes: settings.lines.maxLineBytes,
            newline: settings.newline(ofFileThatBeginsWith:)
        )
        return resumed?.1 == .resumed ? resumed?.0 : nil
    }

    /// Opens the file that a checkpoint describes at another path; nil if it is not there.
    func open(_ checkpoint: Checkpoint, at path: Path) throws(TailError) -> Tail? {
        guard RotatedName.uncompressed(path.lastComponent) != nil else {
            let (tail, continuation) = try Tail.resuming(checkpoint, at: path)
            return continuation == .resumed ? tail : nil
        }
        guard let spool = policy.spoolDirectory else { return nil }
        return try Tail.resuming(checkpoint, inflating: path, as: checkpoint.file, spool: spool)
    }

    /// Says that a file is nowhere.
    ///
    /// Should it come back while this run lasts, it goes on where it was.
    private func giveUp(_ checkpoint: Checkpoint) {
        report(.lost(path: checkpoint.path, checkpoint.stream, offset: checkpoint.offset))
        if isGone(checkpoint.file, from: checkpoint.lastPath) { finish(checkpoint) }
    }

    /// Forgets a file whose content is read elsewhere.
    private func forget(_ checkpoint: Checkpoint) {
        remembered[FileKey(checkpoint)] = nil
        finish(checkpoint)
    }

    /// Has the store forget a checkpoint, unless it is that of another file by now, which got the inode.
    private func finish(_ checkpoint: Checkpoint) {
        guard files[FileKey(checkpoint)] == nil else { return }
        harvest.finished.append((checkpoint.stream, checkpoint.file))
    }

    /// Whether a file that is not found is gone for good, as far as its surroundings tell.
    ///
    /// If the nearest directory that is there lies on another device, its file system may be mounted later.
    func isGone(_ file: FileIdentity, from path: Path) -> Bool {
        var directory = path.parent
        while true {
            do throws(Errno) {
                return try Directory(opening: directory).status.device == file.device
            } catch  where error == .noSuchFile || error == .notADirectory {
                guard directory != .root else { return false }
                directory = directory.parent
            } catch {
                return false
            }
        }
    }
}

extension Checkpoint {
    /// Where the file was last seen, as it can be opened.
    var lastPath: Path { Path(escaped: path) ?? .root }
}
