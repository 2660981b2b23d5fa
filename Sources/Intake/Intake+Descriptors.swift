import Tailing

/// How many files share few descriptors: those that grew last keep theirs.
extension Intake {
    /// Closes files if more are open than may be, or would be with `file`; they are opened again when they are to be
    /// read.
    func limitOpenFiles(with file: FollowedFile? = nil) {
        let isNext = file.map { !$0.tail.isOpen } ?? false
        let limit = max(0, policy.maxOpenFiles - (isNext ? 1 : 0))
        if openFiles.count > limit { closeFiles(until: limit) }
    }

    /// Gives back descriptors because the system has no more.
    func giveBackDescriptors() {
        closeFiles(until: openFiles.count / 2)
    }

    /// Notes that a file is open, or about to be.
    func noteOpen(_ file: FollowedFile) {
        if file.canBeClosed { openFiles.insert(file.id) }
    }

    /// Closes the files that grew longest ago, first those that are read to their end, until only so many are open.
    ///
    /// A few more are closed, so that this need not be done again for the next one. Those that could not be opened
    /// again stay open, and are not looked at again.
    private func closeFiles(until count: Int) {
        var open = openFiles.compactMap { files[$0] }.filter { $0.tail.isOpen && $0.canBeClosed }
        if open.count > count {
            let kept = count - count / 8
            open.sort { ($0.isCaughtUp ? 1 : 0, $1.lastChange) < ($1.isCaughtUp ? 1 : 0, $0.lastChange) }
            while open.count > kept, let file = open.popLast() { _ = close(file) }
        }
        openFiles = openFiles.filter { id in files[id].map { $0.tail.isOpen && $0.canBeClosed } ?? false }
    }

    /// Closes a file, unless it could not be opened again.
    ///
    /// - Returns: whether it is closed.
    func close(_ file: FollowedFile) -> Bool {
        // It may have been deleted, or moved, since it was looked at.
        try? file.tail.refresh()
        if !file.isListed { file.isOutOfSight = identity(of: file.tail.path) != file.tail.file }
        guard file.canBeClosed else { return false }
        file.tail.close()
        return true
    }
}

extension FollowedFile {
    /// Whether it could be opened again, as far as is known.
    fileprivate var canBeClosed: Bool { !tail.isDeleted && !isOutOfSight }
}
