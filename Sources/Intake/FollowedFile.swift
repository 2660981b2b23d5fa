import Platform
import Records
import Tailing

/// A tail with what the intake knows about it.
final class FollowedFile {
    var id: Int { framed.id }

    /// What is known of its lines.
    var framed: FramedFile

    /// The index of the flow whose lines these are.
    let flow: Int
    let tail: Tail

    /// Whether a pattern matches it under the name that it has now.
    var isListed = true

    /// Whether it lost the name that it had, and the next scan will tell whether another one matches.
    var mayHaveOtherName = false

    /// Whether it waits for its turn to be read.
    var isQueued = false

    /// Whether it waits although its stream has room, since it is far behind and others are not.
    var isHeldBack = false

    /// Bytes that were read of it since its stream has used up its lead.
    var bytesOutOfTurn = 0

    /// Whether it has been read to its end, as far as is known.
    var isCaughtUp = false

    /// Whether its last bytes are NUL, and may be a hole that is to be filled.
    var endsInHole = false

    /// The size up to which what is a hole is taken to stay one, in bytes.
    var finalSize = 0

    /// When it last grew, or began to end.
    var lastChange: ContinuousClock.Instant

    /// The generation of the same log that is to be read before it; nil if there is none.
    var predecessor: Int?

    /// When it was first seen to have no name any more.
    var deletedAt: ContinuousClock.Instant?

    /// Whether it was reported that nothing more is expected of it.
    var isEndingReported = false

    /// Whether it was reported that it is mounted by itself.
    var isMountReported = false

    /// Whether it is not closed although it was rotated away, since nobody would tell when it grows, or it could not be
    /// opened again.
    var staysOpen = false

    /// Whether it has a name that nobody knows, so that it could not be opened again.
    var isOutOfSight = false

    /// When it may be tried again after an error.
    var retryAt: ContinuousClock.Instant?

    /// The error that was reported and has not passed.
    var reported: TailError?

    /// Bytes from the start of the file whose lines are stored.
    var storedOffset: Int

    init(_ framed: FramedFile, flow: Int, tail: Tail, at now: ContinuousClock.Instant) {
        self.framed = framed
        self.flow = flow
        self.tail = tail
        lastChange = now
        storedOffset = tail.offset
    }

    /// Whether nothing more is expected of it, so that its last line need not wait for a newline.
    var isEnding: Bool { !isListed || tail.isDeleted }

    /// What may be due about a file although nothing happens.
    enum Duty: Equatable {
        /// What failed is to be tried again.
        case retry
        /// It was rotated away and is quiet: its descriptor is given back, and it is opened again if it grows.
        case close
        /// Nothing more is expected of it.
        case end
        /// Its last line has waited long enough for its end.
        case partialLine
        /// An event has waited long enough for its next line.
        case event
    }

    /// What will be due next, and when; nil if nothing will.
    func nextDuty(_ policy: IntakePolicy, _ flow: IntakeFlow) -> (duty: Duty, at: ContinuousClock.Instant)? {
        if let retryAt { return (.retry, retryAt) }
        guard isCaughtUp, !isQueued else { return nil }
        let hasRest = tail.offset < tail.size
        let hole: Duration = endsInHole ? policy.holeQuiet : .zero
        var duties: [(duty: Duty, at: ContinuousClock.Instant)] = []
        if isEnding {
            let isWaiting = hasRest || tail.isDeleted || framed.deadline != nil
            if !isWaiting, tail.isOpen, !staysOpen { duties.append((.close, lastChange + policy.quiet)) }
            duties.append((.end, lastChange + (isWaiting ? max(policy.quiet, hole) : policy.letGoAfter)))
        }
        if tail.size - tail.offset >= framed.unitBytes, let timeout = flow.partialLineTimeout {
            duties.append((.partialLine, lastChange + max(timeout, hole)))
        }
        if let deadline = framed.deadline { duties.append((.event, deadline)) }
        return duties.min { $0.at < $1.at }
    }

    /// How many of its bytes count as not read yet.
    private(set) var countedBehind = Lag()

    /// Since when there are such bytes.
    private(set) var behindSince: ContinuousClock.Instant?

    /// Says by how much the bytes that are not read have become more since it was last asked.
    func updateBehind() -> Lag {
        let before = countedBehind
        let bytes = max(0, tail.size - tail.offset)
        countedBehind = Lag(bytes: bytes, due: isCaughtUp ? 0 : bytes)
        behindSince = bytes == 0 ? nil : behindSince ?? .now
        return countedBehind - before
    }

    /// How many bytes of its events count as open.
    private(set) var countedOpen = 0

    /// Says by how much the bytes of its open events have become more since it was last asked.
    func updateOpenBytes() -> Int {
        let before = countedOpen
        countedOpen = framed.openBytes
        return countedOpen - before
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

    init(_ finished: (stream: StreamName, file: FileIdentity)) {
        self.init(stream: finished.stream, file: finished.file)
    }

    init(_ checkpoint: Checkpoint) {
        self.init(stream: checkpoint.stream, file: checkpoint.file)
    }
}
