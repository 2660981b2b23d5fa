import Platform
import Records
import Tailing

/// How the copies are found and told that `copytruncate` makes of a log.
extension Intake {
    /// Deals with content that was thrown away: what was not read of it may be in a copy.
    func recoverAbandoned() {
        defer { listings = [:] }
        while let (checkpoint, flow, unread) = abandoned.popLast() {
            guard let copy = followCopy(of: checkpoint, in: flow), let modified = copy.tail.modified else {
                lostBytes += unread
                continue
            }
            // The youngest copy may be one of what is read now, which is not yet truncated.
            let current = files[FileKey(checkpoint)]?.tail
            followGenerations(of: [copy.tail.path, checkpoint.lastPath], in: flow, since: modified, notLike: current)
        }
    }

    /// Follows a copy of a file, plain or compressed, that continues what a checkpoint says about it.
    ///
    /// It has a name that rotation may have made of the file's, and its content proves it.
    func followCopy(of checkpoint: Checkpoint, in flow: Int) -> FollowedFile? {
        guard checkpoint.head.length >= Fingerprint.proofBytes, checkpoint.tail.length > 0 || checkpoint.offset == 0
        else { return nil }
        let path = checkpoint.lastPath
        if let file = heldCopy(of: checkpoint) { return file }
        let siblings = path.namesBeforeRotation.flatMap { listing(of: path.parent).siblings(of: $0.lastComponent) }
        for sibling in siblings.sorted(by: { $0.status.modified > $1.status.modified }) {
            let key = FileKey(stream: checkpoint.stream, file: sibling.file)
            guard sibling.file != checkpoint.file else { continue }
            if let known = files[key] {
                guard isSucceeded(known, by: sibling), let file = heldCopy(of: checkpoint) else { continue }
                return file
            }
            do throws(TailError) {
                guard let tail = try copy(sibling, of: checkpoint) else { continue }
                let file = add(tail, to: flow, .copy)
                unlist(file)
                return file
            } catch {
                if isNews(sibling.path) { report(.unreadable(sibling.path, error)) }
            }
        }
        return nil
    }

    // MARK: Copies that match a pattern

    /// Notes that a file may be a copy of its log, if nothing was read of it and its name says so.
    func suspectCopy(_ file: FollowedFile) {
        guard file.tail.offset == 0, !RotatedName.origins(of: file.tail.path.lastComponent).isEmpty else { return }
        possibleCopies.insert(file.id)
    }

    /// Whether a file is not to be read yet: it holds what was read of its log, which may be about to be truncated.
    ///
    /// Once that is so, it is known to be a copy, and is read from where the log was read to. If it stays away, it is a
    /// file like any other.
    func isHeldAsCopy(_ file: FollowedFile) throws(TailError) -> Bool {
        guard possibleCopies.contains(file.id), file.tail.size > 0 else { return false }
        guard abandoned.isEmpty else {
            // It may be the copy of what is about to be looked for.
            enqueue(file)
            return true
        }
        guard let log = log(of: file), try file.tail.holds(readingOf: log.tail),
            try log.tail.isRewritten || ContinuousClock.now < file.lastChange + policy.quiet
        else {
            possibleCopies.remove(file.id)
            return false
        }
        enqueue(log)
        file.retryAt = .now + policy.quiet
        return true
    }

    /// The file that has the name which a rotated one had, as far as that can be told.
    private func log(of file: FollowedFile) -> FollowedFile? {
        for path in file.tail.path.namesBeforeRotation {
            guard let identity = identity(of: path), identity != file.tail.file,
                let log = files[FileKey(stream: file.tail.stream, file: identity)]
            else { continue }
            return log
        }
        return nil
    }

    /// Reads on from where a checkpoint ends in that file which may be a copy of what it describes and is one.
    private func heldCopy(of checkpoint: Checkpoint) -> FollowedFile? {
        let copy = possibleCopies.lazy.compactMap { self.files[$0] }.first { file in
            file.tail.stream == checkpoint.stream && file.tail.path.mayBeGeneration(ofLogAt: checkpoint.lastPath)
                && (try? file.tail.goOn(from: checkpoint)) == true
        }
        guard let copy else { return nil }
        possibleCopies.remove(copy.id)
        copy.retryAt = nil
        safePositions[copy.id] = copy.tail.position
        report(.following(copy.tail.path, copy.tail.stream, offset: copy.tail.offset, .copy))
        enqueue(copy)
        return copy
    }

    /// Whether a file that is followed has another content by now: it was gone and has left its inode to another file,
    /// or it was written over, and it is not yet its turn to be looked at.
    private func isSucceeded(_ file: FollowedFile, by sibling: LogDirectory.Sibling) -> Bool {
        if file.reported == .moved {
            files.move(file, to: sibling.path)
        } else if sibling.status.modified == file.tail.modified {
            return false
        }
        guard case .startedOver(let end, let unread)? = try? file.tail.look() else { return false }
        noteOpened(file)
        file.reported = nil
        startOver(file, from: end, unread: unread)
        return true
    }

    private func copy(_ sibling: LogDirectory.Sibling, of checkpoint: Checkpoint) throws(TailError) -> Tail? {
        if !sibling.isCompressed {
            return try Tail.resuming(checkpoint, copiedTo: sibling.path, as: sibling.file)
        }
        guard let spool = policy.spoolDirectory else { return nil }
        return try Tail.resuming(checkpoint, inflating: sibling.path, as: sibling.file, spool: spool)
    }
}
