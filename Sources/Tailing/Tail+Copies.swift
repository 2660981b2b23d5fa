package import Platform
package import Records

/// What tells copies of files from files of their own.
extension Tail {
    /// A copy of a file that an earlier run or generation has read, if it holds what was read; it is read on from there.
    package static func resuming(
        _ checkpoint: Checkpoint,
        copiedTo path: Path,
        as file: FileIdentity
    ) throws(TailError) -> Tail? {
        var copied = checkpoint
        copied.file = file
        let (tail, continuation) = try resuming(copied, at: path)
        return continuation == .resumed ? tail : nil
    }

    /// Whether the file at another path begins with the same bytes as this open one, as far as both go, up to
    /// `Fingerprint.headBytes`; false if one of them is empty.
    package func beginsLike(_ other: Path) -> Bool {
        var theirs: [UInt8] = []
        guard let file = try? FileDescriptor(opening: other, for: .reading),
            (try? file.read(appendingTo: &theirs, count: Fingerprint.headBytes, at: 0)) != nil,
            let ours = try? bytes(in: 0..<Fingerprint.headBytes)
        else { return false }
        let common = min(ours.count, theirs.count)
        return common > 0 && ours.prefix(common) == theirs.prefix(common)
    }

    /// Whether this file holds what was read of another one, as its copy does, as far as it goes by now.
    ///
    /// Fewer bytes than `Fingerprint.proofBytes` may be alike by chance, and mean nothing.
    package func holds(readingOf other: Tail) throws(TailError) -> Bool {
        let common = min(size, other.offset)
        guard common >= Fingerprint.proofBytes else { return false }
        if common == other.offset {
            guard try fingerprint(of: 0..<other.head.length) == other.head else { return false }
            return try stillHolds(other.recent, before: common)
        }
        // It is being made: what it ends with is in the other one, too.
        let head = 0..<min(common, Fingerprint.headBytes)
        let end = common - Fingerprint.tailBytes..<common
        guard try bytes(in: head) == other.bytes(in: head) else { return false }
        return try bytes(in: end) == other.bytes(in: end)
    }

    /// Whether what was read is not there any more in the open file; the next look will tell.
    package var isRewritten: Bool {
        get throws(TailError) {
            guard isOpen else { return false }
            return try !stillHolds(recent, before: offset)
        }
    }

    /// Goes on where a checkpoint ends, if this file, of which nothing was read, holds what the checkpoint describes.
    package func goOn(from checkpoint: Checkpoint) throws(TailError) -> Bool {
        if isOpen { try refresh() } else { try open() }
        (offset, isSkippingLine, head) = (checkpoint.offset, checkpoint.isSkippingLine, checkpoint.head)
        if try continues(checkpoint) { return true }
        startOver()
        return false
    }
}

/// What is kept in mind of files that wait to be read, and may be copied and truncated until then.
extension Tail {
    /// Looks at a file that has to wait for its turn, and at its first bytes unless they were read.
    ///
    /// NUL bytes may be a hole that is filled later, so that nothing can be said of what is behind them.
    ///
    /// - Returns: what `look` has found.
    package func lookAhead() throws(TailError) -> Look {
        let look = try look()
        guard offset < Fingerprint.proofBytes, seen.length < Fingerprint.proofBytes else { return look }
        let beginning = try bytes(in: 0..<Fingerprint.proofBytes).prefix { $0 != 0 }
        seen = Fingerprint(of: beginning.span)
        return look
    }

    /// Whether what was seen before it was read is still there.
    func beginsAsSeen() throws(TailError) -> Bool {
        guard offset < seen.length else { return true }
        return try fingerprint(of: 0..<seen.length) == seen
    }
}
