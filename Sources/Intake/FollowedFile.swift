import Platform
import Records
import Tailing

/// A tail with what the intake knows about it.
final class FollowedFile {
    let id: Int

    /// The index of the flow whose lines these are.
    let flow: Int
    let tail: Tail

    /// Whether a pattern matches it under the name that it has now.
    var isListed = true

    /// Whether it lost the name that it had, and the next scan will tell whether another one matches.
    var mayHaveOtherName = false

    /// Whether it waits for its turn to be read.
    var isQueued = false

    /// Whether it has been read to its end, as far as is known.
    var isCaughtUp = false

    /// When it last grew, or began to end.
    var lastChange: ContinuousClock.Instant

    /// Whether it was reported that nothing more is expected of it.
    var isEndingReported = false

    /// When it may be tried again after an error.
    var retryAt: ContinuousClock.Instant?

    /// The error that was reported and has not passed.
    var reported: TailError?

    init(id: Int, flow: Int, tail: Tail, at now: ContinuousClock.Instant) {
        self.id = id
        self.flow = flow
        self.tail = tail
        lastChange = now
    }

    /// Whether nothing more is expected of it, so that its last line need not wait for a newline.
    var isEnding: Bool { !isListed || tail.isDeleted }

    /// When something is to be done about it although nothing happens; nil if nothing is.
    func dueAt(_ policy: IntakePolicy) -> ContinuousClock.Instant? {
        if let retryAt { return retryAt }
        guard isEnding, isCaughtUp, !isQueued else { return nil }
        return lastChange + (tail.offset < tail.size || tail.isDeleted ? policy.quiet : policy.letGoAfter)
    }

    /// How many of its bytes count as not read yet.
    private(set) var countedBehind = 0

    /// Says by how much the bytes that are not read have become more since it was last asked.
    func updateBehind() -> Int {
        let before = countedBehind
        countedBehind = max(0, tail.size - tail.offset)
        return countedBehind - before
    }

    var key: FileKey { FileKey(stream: tail.stream, file: tail.file) }
}

/// A file is read once for each stream.
struct FileKey: Hashable {
    var stream: StreamName
    var file: FileIdentity

    init(stream: StreamName, file: FileIdentity) {
        self.stream = stream
        self.file = file
    }

    init(_ checkpoint: Checkpoint) {
        self.init(stream: checkpoint.stream, file: checkpoint.file)
    }
}
