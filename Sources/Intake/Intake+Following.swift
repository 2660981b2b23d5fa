import Discovery
import Framing
import Platform
import Records
import Tailing

/// How files come to be followed.
extension Intake {
    /// Follows the files that a walk of a flow has found, oldest first.
    func follow(_ found: [FoundFile], in flow: Int, _ sweep: inout Sweep) {
        let stream = lanes[flow].flow.stream
        for candidate in found.sorted(by: { $0.modified < $1.modified }) {
            if policy.ownFiles.contains(candidate.identity) {
                if isNews(candidate.path, &sweep) { report(.ownLog(candidate.path)) }
                continue
            }
            let key = FileKey(stream: stream, file: candidate.identity)
            sweep.listed.insert(key)
            if let file = files[key] {
                update(file, with: candidate, in: flow, &sweep)
            } else {
                begin(candidate, in: flow, as: key, &sweep)
            }
        }
    }

    private func update(_ file: FollowedFile, with found: FoundFile, in flow: Int, _ sweep: inout Sweep) {
        if file.flow != flow, isNews(found.path, &sweep) { report(.shared(found.path, file.tail.stream)) }
        files.move(file, to: found.path)
        list(file)
        guard found.size != file.tail.size || found.modified != file.tail.modified || file.retryAt != nil else {
            return
        }
        file.tail.reopenIfOutgrown(by: found.size)
        enqueue(file)
    }

    /// Begins to follow a file where its checkpoint says, or where files begin that have none.
    private func begin(_ found: FoundFile, in flow: Int, as key: FileKey, _ sweep: inout Sweep) {
        do throws(TailError) {
            let (tail, beginning) = try open(found, of: flow, as: key)
            reportedPaths.remove(found.path)
            unreadable[found.path] = nil
            tail.modified = found.modified
            let file = add(tail, to: flow, beginning)
            if beginning == .start, adoptedFlows.contains(flow), !hasLookedForRenamed { newcomers.append(file) }
        } catch {
            // It is looked at again at the next scan.
            if error != .moved { unreadable[found.path] = error }
            let isPassedOver = !adoptedFlows.contains(flow) || isTooOld(found, for: lanes[flow].flow)
            if isPassedOver, remembered[key] == nil { pin(found, as: key) }
            if error == .tooManyOpenFiles { giveBackDescriptors() }
            if isNews(found.path, &sweep) { report(.unreadable(found.path, error)) }
        }
    }

    private func open(
        _ found: FoundFile,
        of flow: Int,
        as key: FileKey
    ) throws(TailError) -> (Tail, IntakeEvent.Beginning) {
        let settings = lanes[flow].flow
        let maxLineBytes = settings.lines.maxLineBytes
        let newline = settings.newline(ofFileThatBeginsWith:)
        if let checkpoint = remembered[key] {
            let (tail, how) = try Tail.resuming(
                checkpoint,
                at: found.path,
                maxLineBytes: maxLineBytes,
                newline: newline
            )
            if how != .resumed { abandoned.append((checkpoint, flow, 0)) }
            return (tail, how == .resumed ? .checkpoint : .changed(how))
        }
        if !isTooOld(found, for: settings), adoptedFlows.contains(flow) || settings.readsFromStart {
            return (Tail(readingAll: found.path, as: key.file, for: key.stream), .start)
        }
        let tail = try Tail(
            fromEndOf: found.path,
            as: key.file,
            for: key.stream,
            maxLineBytes: maxLineBytes,
            newline: newline
        )
        return (tail, .end)
    }

    private func isTooOld(_ found: FoundFile, for flow: IntakeFlow) -> Bool {
        guard let limit = flow.ignoreOlder else { return false }
        return .milliseconds(WallClock.milliseconds) - found.modified > limit
    }

    /// Writes down where a file ends of which only what comes later is wanted, but which cannot be read yet.
    private func pin(_ found: FoundFile, as key: FileKey) {
        let checkpoint = Checkpoint(
            stream: key.stream,
            file: key.file,
            offset: found.size,
            path: found.path.description
        )
        remembered[key] = checkpoint
        harvest.checkpoints.append(checkpoint)
    }

    /// Follows a file, whose first offset is written down at once.
    func add(_ tail: Tail, to flow: Int, _ beginning: IntakeEvent.Beginning) -> FollowedFile {
        let key = FileKey(stream: tail.stream, file: tail.file)
        remembered[key] = nil
        // What had its inode before may be done with, and is not to take the offset of this one with it.
        harvest.finished.removeAll { FileKey($0) == key }
        let file = files.add(tail, of: flow, at: .now) { FramedFile(id: $0) }
        safePositions[file.id] = tail.position
        report(.following(tail.path, tail.stream, offset: tail.offset, beginning))
        enqueue(file)
        suspectCopy(file)
        if openFiles.count >= policy.maxOpenFiles, identity(of: tail.path) == tail.file {
            tail.close()
        } else if tail.isOpen || tail.canBeOpened {
            // It may be deleted before it is its turn, above all where its stream is full.
            noteOpened(file)
            lookAhead(file)
        }
        return file
    }
}
