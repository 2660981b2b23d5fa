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

    /// Whether it is in the queue of files to be read.
    var isQueued = false

    /// Whether it has been read to its end, as far as is known.
    var isCaughtUp = false

    /// When it last grew, or ceased to be listed.
    var lastChange: ContinuousClock.Instant

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

    /// When the next thing is to be done about a file that is ending and has been read to its end.
    func nextStepAt(_ policy: IntakePolicy) -> ContinuousClock.Instant {
        lastChange + (tail.offset < tail.size || tail.isDeleted ? policy.quiet : policy.letGoAfter)
    }

    private var countedBehind = 0

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
}
