import Platform
import Records
import Tailing

/// What becomes of files that are rotated away, deleted, or cannot be read.
extension Intake {
    /// Notes that a file has been opened: it is watched from now on, and what was wrong with it is not any more.
    func noteOpened(_ file: FollowedFile) {
        file.reported = nil
        file.retryAt = nil
        if !file.isEnding { watchedClosely.remove(file.id) }
        if file.tail.isDeleted { noteEnding(file) }
        guard let descriptor = file.tail.descriptorNumber else { return }
        if let shortage = watcher.watch(file.id, descriptor: descriptor) { report(.polling(file.tail.path, shortage)) }
    }

    /// Notes that a file has lost its name, or the name by which a pattern matched it.
    func noteEnding(_ file: FollowedFile) {
        guard !watchedClosely.contains(file.id) else { return }
        watchedClosely.insert(file.id)
        file.lastChange = .now
        report(.rotatedAway(file.tail.path, isDeleted: file.tail.isDeleted))
        enqueue(file.id)
    }

    /// Deals with an error, which is reported once until it has passed.
    func handle(_ error: TailError, of file: FollowedFile) {
        if file.reported != error { report(.unreadable(file.tail.path, error)) }
        file.reported = error
        switch error {
        case .moved:
            // It was closed, and its name leads elsewhere now. The directory is looked through for another name;
            // if the next scan has not found one, it is gone.
            file.isListed = false
            changedDirectories.insert(file.tail.path.parent)
            file.retryAt = .now + policy.scanInterval
        case .tooManyOpenFiles:
            for other in files.values where other.isCaughtUp && !other.isEnding { other.tail.close() }
            file.retryAt = .now + policy.pollInterval
        case .denied, .failing:
            file.retryAt = .now + policy.pollInterval
        }
        watchedClosely.insert(file.id)
    }

    /// Gives a descriptor back if there are many.
    func closeIfMany(_ file: FollowedFile) {
        guard files.count > policy.maxOpenFiles, !file.isEnding else { return }
        file.tail.close()
    }

    /// Tries again what failed, sends the last lines of files that ended, and lets go of those that are done with.
    func endQuietFiles(_ now: ContinuousClock.Instant) async throws {
        for id in watchedClosely {
            guard let file = files[id] else {
                watchedClosely.remove(id)
                continue
            }
            if let retry = file.retryAt {
                if now >= retry { retryOrForget(file) }
            } else if file.isEnding, file.isCaughtUp, !file.isQueued, now >= file.nextStepAt(policy) {
                try await end(file)
            }
        }
    }

    private func retryOrForget(_ file: FollowedFile) {
        file.retryAt = nil
        if file.reported == .moved, !file.isListed {
            letGo(file)
        } else {
            enqueue(file.id)
        }
    }

    /// Sends the last line of a file that ended, whether it has a newline or not; then, or if there is none, lets go.
    private func end(_ file: FollowedFile) async throws {
        do throws(TailError) {
            guard case .unread(let unread) = try file.tail.look() else {
                enqueue(file.id)
                return
            }
            if unread > 0 { try takeLast(unread, of: file) }
            guard file.tail.isDeleted else {
                // A straggler may still come.
                if unread == 0 { letGo(file) }
                return
            }
        } catch {
            handle(error, of: file)
            return
        }
        // Nothing can be read again from a file without a name: its lines must be safe before it goes.
        lanes[file.flow].finish()
        collect()
        checkpoints[file.id] = nil
        harvest.finished.append((file.tail.stream, file.tail.file))
        harvest.isIrreplaceable = true
        try await handOver()
        letGo(file)
    }

    private func takeLast(_ unread: Int, of file: FollowedFile) throws(TailError) {
        var rest: [UInt8] = []
        _ = try file.tail.read(into: &rest, count: unread)
        lanes[file.flow].takeLast(
            rest.span,
            of: file.id,
            at: file.tail.offset,
            isSkippingLine: file.tail.isSkippingLine
        )
        try file.tail.advance(over: rest.span, count: rest.count, isSkippingLine: false)
        lanes[file.flow].note(.now)
        file.lastChange = .now
        behind += file.updateBehind()
    }

    /// Stops following a file; its checkpoint stays, unless the file is gone.
    func letGo(_ file: FollowedFile) {
        report(.letGo(file.tail.path, read: file.tail.offset))
        watcher.forget(file.id)
        watchedClosely.remove(file.id)
        files[file.id] = nil
        fileIDs[file.key] = nil
        behind -= max(0, file.tail.size - file.tail.offset)
    }
}
