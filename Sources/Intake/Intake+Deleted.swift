import Records
package import Tailing

/// What becomes of files that are deleted and cannot be read to their end, since their stream is full.
extension Intake {
    /// Gives up the deleted files that were deleted first, until the others keep no more than is allowed, and those
    /// that were held for too long.
    func limitDeletedFiles() async throws {
        let now = ContinuousClock.now
        var held = files.all.filter { isHeld($0, at: now) }
        guard !held.isEmpty else { return }
        held.sort { ($0.deletedAt ?? now, $0.id) < ($1.deletedAt ?? now, $1.id) }
        var bytes = held.reduce(0) { $0 + $1.tail.size }
        var given: [FollowedFile] = []
        for file in held {
            let isTooLong = file.deletedAt.map { now - $0 >= policy.deletedFilesMaxAge } ?? false
            guard isTooLong || bytes > policy.deletedFilesMaxBytes else { continue }
            bytes -= file.tail.size
            given.append(file)
        }
        for file in given {
            let unread = file.tail.size - file.tail.offset
            lostBytes += unread
            report(.givenUp(file.tail.path, unread: unread))
        }
        if !given.isEmpty { try await letGo(given) }
    }

    /// Leaves to the next run the files that are open and may have no name by which that would find them.
    ///
    /// To be called when this run is over.
    package func leaveFiles() -> [LeftFile] {
        // This run may have ended before it looked for those of the one before.
        leftFiles.values
            + files.all.compactMap { file in
                try? file.tail.refresh()
                let isDone = file.tail.isDeleted && file.storedOffset >= file.tail.size
                return file.isEnding && !isDone ? file.tail.leave() : nil
            }
    }

    /// Whether a file keeps from the disk what its stream has no room for.
    private func isHeld(_ file: FollowedFile, at now: ContinuousClock.Instant) -> Bool {
        guard !file.isListed || file.tail.isDeleted, file.tail.isOpen, !file.tail.isInflated else { return false }
        // While it waits for its turn, nobody looks at it.
        try? file.tail.refresh()
        guard file.tail.isDeleted else { return false }
        file.deletedAt = file.deletedAt ?? now
        return file.tail.size > file.tail.offset
    }
}
