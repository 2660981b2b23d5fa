import Platform
import Records
import Tailing

/// What becomes of files that are rotated away, deleted, or cannot be read.
extension Intake {
    /// Notes that a file is open: it is watched from now on, and if it has no name any more, it is ending.
    func noteOpened(_ file: FollowedFile) {
        file.retryAt = nil
        noteOpen(file)
        if file.tail.isDeleted { noteEnding(file) }
        if file.tail.isMountPoint, !file.isMountReported {
            file.isMountReported = true
            report(.mountedAlone(file.tail.path))
        }
        guard !watcher.watches(file.id), let descriptor = file.tail.descriptorNumber else { return }
        if let shortage = watcher.watch(file.id, descriptor: descriptor) { reportPolling(file.tail.path, shortage) }
        // What was written after the look and before the watch is told by nobody: it is looked at once more.
        if watcher.watches(file.id) { enqueue(file) }
    }

    func reportPolling(_ path: Path, _ shortage: FileWatcher.Shortage) {
        if reportedShortages.insert(shortage).inserted { report(.polling(path, shortage)) }
    }

    /// Notes that no pattern matches the name that a file has now.
    func unlist(_ file: FollowedFile) {
        guard file.isListed else { return }
        file.isListed = false
        file.mayHaveOtherName = false
        departed.append(file)
        noteEnding(file)
        enqueue(file)
    }

    /// Notes that nothing more is expected of a file.
    private func noteEnding(_ file: FollowedFile) {
        guard !file.isEndingReported else { return }
        file.isEndingReported = true
        file.lastChange = .now
        report(.rotatedAway(file.tail.path, isDeleted: file.tail.isDeleted))
    }

    /// Notes that a pattern matches the name of a file.
    func list(_ file: FollowedFile) {
        file.isListed = true
        file.isOutOfSight = false
        file.mayHaveOtherName = false
        if !file.tail.isDeleted { file.isEndingReported = false }
    }

    /// Does what is to be done when a file has been read to its end.
    func settle(_ file: FollowedFile) {
        guard file.tail.isDeleted else { return }
        // Its lines cannot be read again: they do not wait for others.
        lanes[file.flow].finish()
        harvest.isIrreplaceable = true
    }

    /// Remembers a file about which something will be due.
    func plan(_ file: FollowedFile) {
        guard let next = file.nextDuty(policy, lanes[file.flow].flow) else {
            attended.remove(file.id)
            return
        }
        attended.insert(file.id)
        attentionAt = min(attentionAt ?? next.at, next.at)
    }

    /// Deals with an error, which is reported once until it has passed.
    func handle(_ error: TailError, of file: FollowedFile) {
        if error == .moved, findAgain(file) { return }
        if error != .moved, file.reported != error { report(.unreadable(file.tail.path, error)) }
        file.reported = error
        switch error {
        case .moved:
            // Another directory may have it; if a scan does not find it, it is gone.
            file.isListed = false
            nextScan = min(nextScan, .now + policy.pollInterval)
            file.retryAt = nextScan + policy.quiet
        case .tooManyOpenFiles:
            giveBackDescriptors()
            file.retryAt = .now + policy.pollInterval
        case .denied:
            // A change of the permissions tells sooner.
            file.retryAt = .now + policy.scanInterval
        case .failing:
            // A handle may have become stale, but without a name it is all there is.
            if !file.isEnding { file.tail.close() }
            file.retryAt = .now + policy.pollInterval
        }
    }

    /// Does what is due: tries again what failed, sends the last lines of files that ended, and lets go of those that
    /// are done with.
    func attend(_ now: ContinuousClock.Instant) async throws {
        guard let attentionAt, now >= attentionAt else { return }
        self.attentionAt = nil
        knownInodes.removeAll()
        var done: [FollowedFile] = []
        for id in attended {
            guard let file = files[id] else {
                attended.remove(id)
                continue
            }
            if let next = file.nextDuty(policy, lanes[file.flow].flow), now >= next.at, isDone(file, next.duty) {
                done.append(file)
            } else {
                plan(file)
            }
            openEventBytes += file.updateOpenBytes()
            limitOpenFiles()
        }
        if !done.isEmpty { try await letGo(done) }
    }

    /// Does what is due about a file.
    ///
    /// - Returns: whether that was the last thing.
    private func isDone(_ file: FollowedFile, _ duty: FollowedFile.Duty) -> Bool {
        switch duty {
        case .retry:
            file.retryAt = nil
            if file.reported == .moved, !file.isListed, !file.tail.canBeOpened { return !findAgain(file) }
            enqueue(file)
            return false
        case .close:
            file.staysOpen = !watcher.watches(file.id) || !close(file)
            return false
        case .end, .partialLine, .event: return isOver(file, duty)
        }
    }

    private func isOver(_ file: FollowedFile, _ duty: FollowedFile.Duty) -> Bool {
        let size = file.tail.size
        limitOpenFiles(with: file)
        noteOpen(file)
        do throws(TailError) {
            switch try file.tail.look() {
            case .startedOver(let end, let unread):
                startOver(file, from: end, unread: unread)
                return false
            case .unread where file.tail.size != size:
                enqueue(file)
                return false
            case .unread(let unread):
                return try finish(file, duty, unread)
            }
        } catch {
            handle(error, of: file)
            return false
        }
    }

    /// Ends what has waited long enough in a file that did not grow.
    ///
    /// - Returns: whether the file is done with.
    private func finish(_ file: FollowedFile, _ duty: FollowedFile.Duty, _ unread: Int) throws(TailError) -> Bool {
        let isWaiting = unread > 0 || file.framed.deadline != nil
        if unread > 0, duty != .event {
            guard try takeLast(unread, of: file, isEnd: duty == .end) else { return false }
        }
        // An event ends with its file.
        lanes[file.flow].endEvents(of: &file.framed, at: duty == .end ? nil : .now)
        reportEvents(of: file)
        lanes[file.flow].note(.now)
        return duty == .end && (!isWaiting || file.tail.isDeleted)
    }

    /// Sends the last line of a file that ended, or waited long enough, with the newline that it lacks.
    ///
    /// Where each character takes several bytes, a part of one waits as long as its file lives.
    ///
    /// - Returns: whether that was the last that there was.
    private func takeLast(_ unread: Int, of file: FollowedFile, isEnd: Bool) throws(TailError) -> Bool {
        if file.endsInHole, unread > policy.turnBytes {
            // It may be larger than memory: it is read as any other content.
            file.finalSize = file.tail.size
            enqueue(file)
            return false
        }
        buffer.removeAll(keepingCapacity: true)
        defer { trimBuffer() }
        guard try file.tail.read(into: &buffer, count: unread) == unread, try knowsForm(of: file, isWhole: true),
            try take(file, isAtEnd: false).count == 0
        else {
            enqueue(file)
            return false
        }
        let count = isEnd ? unread : unread - unread % file.framed.unitBytes
        let rest = buffer.span.extracting(first: count)
        lanes[file.flow].takeLast(rest, of: &file.framed, from: file.tail.position, at: .now)
        file.tail.advance(over: buffer.span, count: count, isSkippingLine: false)
        file.lastChange = .now
        behind += file.updateBehind()
        return true
    }

    /// Stops following files once their lines are stored.
    ///
    /// Their checkpoints go with them, except that of a file whose file system is not there: it may come back.
    func letGo(_ done: [FollowedFile]) async throws {
        for file in done {
            lanes[file.flow].endEvents(of: &file.framed)
            reportEvents(of: file)
            lanes[file.flow].finish()
        }
        collect()
        for file in done {
            let isLost = file.reported == .moved && (file.tail.offset < file.tail.size || !file.isCaughtUp)
            if isLost, isCopied(file) {
                report(.letGo(file.tail.path, read: file.tail.offset))
            } else if isLost {
                lostBytes += max(0, file.tail.size - file.tail.offset)
                report(.lost(path: file.tail.path.description, file.tail.stream, offset: file.tail.offset))
            } else {
                report(.letGo(file.tail.path, read: file.tail.offset))
            }
            if file.reported == .moved, !isGone(file.tail.file, from: file.tail.path) {
                let checkpoint = file.tail.checkpoint(
                    at: file.tail.offset,
                    isSkippingLine: file.tail.isSkippingLine
                )
                remembered[file.key] = checkpoint
                continue
            }
            safePositions[file.id] = nil
            harvest.finished.append((file.tail.stream, file.tail.file))
            if file.tail.isDeleted { harvest.isIrreplaceable = true }
        }
        try await handOver()
        for file in done { forget(file) }
    }

    /// Follows a copy of a file that is nowhere, if there is one.
    private func isCopied(_ file: FollowedFile) -> Bool {
        let checkpoint = file.tail.checkpoint(at: file.tail.offset, isSkippingLine: file.tail.isSkippingLine)
        return followCopy(of: checkpoint, in: file.flow) != nil
    }

    private func forget(_ file: FollowedFile) {
        behind -= file.countedBehind
        openEventBytes -= file.countedOpen
        watcher.forget(file.id)
        attended.remove(file.id)
        openFiles.remove(file.id)
        possibleCopies.remove(file.id)
        files.remove(file)
    }
}
