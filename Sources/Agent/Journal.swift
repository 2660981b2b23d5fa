import Cache
import Flushing
import Framing
import Intake
import Logging
import Platform
import Records
import Synchronization
import Tailing

/// Says in the log what happens to files and streams, and keeps count of what was delivered.
final class Journal: Sendable {
    /// What the destinations have taken since the start.
    struct Delivered: Equatable {
        var records = 0
        var bytes = 0
        var requests = 0
        var deadLetters = 0

        /// Dead letters that were deleted because there were too many.
        var discardedLetters = 0
    }

    /// The last trouble of a stream.
    struct StreamError {
        var text: String

        /// When it came, since 1970.
        var milliseconds: Int

        /// Whether nothing was delivered since.
        var isPresent: Bool
    }

    private let errors = Mutex([StreamName: StreamError]())
    private let cache: Log
    private let files: Log
    private let streams: Log
    private let totals = Mutex(Delivered())

    init(_ log: Log) {
        cache = log.named("cache")
        files = log.named("files")
        streams = log.named("delivery")
    }

    var delivered: Delivered { totals.withLock { $0 } }

    /// What went wrong with a stream last; nil if nothing ever did.
    func lastError(of stream: StreamName) -> StreamError? { errors.withLock { $0[stream] } }

    private func remember(_ text: String, of stream: StreamName) {
        let error = StreamError(text: text, milliseconds: WallClock.milliseconds, isPresent: true)
        errors.withLock { $0[stream] = error }
    }

    private func noteProgress(of stream: StreamName) {
        errors.withLock { $0[stream]?.isPresent = false }
    }

    // MARK: Streams

    func note(_ event: FlushEvent) {
        switch event {
        case .delivered(let stream, let records, let bytes, let took):
            totals.withLock { totals in
                totals.records += records
                totals.bytes += bytes
                totals.requests += 1
            }
            noteProgress(of: stream)
            streams.debug(
                "\(stream): \(records) records (\(Amount.bytes(bytes))) accepted after \(took.inMilliseconds)"
            )
        case .partlyRefused(let stream, let refused, let total, let code):
            streams.warning(
                "\(stream): \(refused) of \(total) records were refused (\(code)); they are sent again",
                key: "refused \(stream)"
            )
        case .failed(let stream, let failure, let wait):
            remember(failure.reason, of: stream)
            note(failure, of: stream, wait)
        case .setAside(let stream, let count, let reason):
            totals.withLock { $0.deadLetters += count }
            streams.error(
                "\(stream): \(Amount.count(count, "record")) set aside as dead letters: \(reason)",
                key: "dead \(stream)"
            )
        case .storage(let stream, let error):
            remember("\(error)", of: stream)
            streams.error("\(stream): waiting for the cache: \(error)", key: "storage \(stream)")
        case .recovered(let stream):
            streams.info("\(stream): sending again", key: "recovered \(stream)")
        }
    }

    private func note(_ failure: DeliveryFailure, of stream: StreamName, _ wait: Duration) {
        let text = "\(stream): nothing delivered: \(failure.reason); trying again in \(wait.inMilliseconds)"
        switch failure.kind {
        case .credentials, .configuration:
            // Said for as long as it lasts, since only an operator can mend it.
            // What is wrong may change meanwhile.
            let cause = failure.answer.map { " \($0.code)" } ?? ""
            streams.error(text, limit: .once(per: .seconds(60)), key: "\(failure.kind) \(stream)\(cause)")
        case .throttled, .unreachable, .tooLarge, .invalid:
            streams.warning(text, key: "\(failure.kind) \(stream)")
        }
    }

    // MARK: The cache

    /// Says what became of a damaged cache, and what that means for records.
    func note(_ salvage: Salvage, of path: String) {
        cache.error("\(path) was damaged (\(salvage.reason)) and is kept as \(salvage.keptAs); what it held is saved")
        let saved = "\(Amount.count(salvage.saved.records, "record")) (\(Amount.bytes(salvage.saved.bytes)))"
        let files = "the positions of \(Amount.count(salvage.checkpoints, "file"))"
        cache.warning("saved: \(saved), \(files), \(Amount.count(salvage.deadLetters, "dead letter"))")
        for (stream, lost) in salvage.lost.sorted(by: { $0.key < $1.key }) {
            cache.error(
                """
                \(stream): \(Amount.count(lost, "cached record")) could not be read; \
                what their files still have of them is read again
                """,
                key: "lost \(stream)"
            )
        }
        for file in salvage.rewound {
            cache.warning(
                """
                \(file.path): is read again from byte \(file.offset) instead of \(file.from), \
                so that lines may come to \(file.stream) twice
                """,
                key: "rewound"
            )
        }
        if salvage.stray > 0 {
            let records = Amount.count(salvage.stray, "cached record")
            cache.error("\(records) belong to streams whose names could not be read")
        }
        for table in salvage.incompleteTables { note(incompleteTable: table) }
    }

    private func note(incompleteTable table: String) {
        switch table {
        case "dead_letter": cache.error("some dead letters could not be read", key: table)
        case "checkpoint", "stream":
            cache.warning(
                "the positions of some files could not be read: they are read from their beginning, and lines come twice",
                key: table
            )
        default:
            cache.error(
                "nothing could be read: all files are read from their beginning; what waited and is not there is lost",
                key: table
            )
        }
    }

    /// Says that the cache which is being worked on cannot be found by anyone who comes after.
    func note(lossOfCacheAt path: String) {
        cache.error(
            """
            \(path) was removed or replaced while it is in use: what is cached, and how far files were read, is lost \
            when this agent ends; restart it once all is delivered
            """
        )
    }

    /// Says that the oldest dead letters were deleted to make room for newer ones.
    func note(discarded letters: Int, of stream: StreamName?) {
        totals.withLock { $0.discardedLetters += letters }
        let name = stream.map { "\($0)" } ?? "an unknown stream"
        cache.error(
            """
            \(name): \(Amount.count(letters, "dead letter")) deleted, the oldest first, since all together take more \
            than deadLetterMaxBytes; see `firetail dead-letters`
            """,
            key: "discarded \(name)"
        )
    }

    // MARK: Files

    func note(_ event: IntakeEvent) {
        switch event {
        case .following(let path, let stream, let offset, let beginning):
            note(path, stream, offset, beginning)
        case .startedOver(let path, let end, let unread):
            let loss = unread == 0 ? "" : "; at least \(Amount.bytes(unread)) were gone before they were read"
            files.warning("\(path): was truncated or rewritten after byte \(end)\(loss); reading it from its beginning")
        case .rotatedAway(let path, let isDeleted):
            files.info("\(path): \(isDeleted ? "deleted" : "rotated away"); reading it to its end")
        case .letGo(let path, let read):
            files.info("\(path): done after \(Amount.bytes(read))")
        case .compressedUnread(let path, let bytes):
            files.warning(
                """
                \(path): was compressed, to \(Amount.bytes(bytes)), before it was read, and is not sent; keep the \
                youngest rotated file uncompressed (logrotate: delaycompress)
                """
            )
        case .givenUp(let path, let unread):
            files.error(
                """
                \(path): given up with \(Amount.bytes(unread)) unread, which are lost: deleted files are held up to \
                deletedFilesMaxBytes and deletedFilesMaxAgeMillis
                """
            )
        case .lost(let path, let stream, let offset):
            files.warning(
                "\(path): not found any more; what was written to it behind byte \(offset) is not sent to \(stream)"
            )
        case .unreadable(let path, let error):
            files.warning("\(path): \(error.explanation)")
        case .skipped(let path, let kind):
            files.warning("\(path): matches but is a \(kind), which is not tailed")
        case .mountedAlone(let path):
            files.warning("\(path): \(Self.mountedAlone)")
        case .ownLog(let path):
            files.warning("\(path): matches, but the agent's own log goes there; it is not tailed")
        case .closedDirectory(let path, let error):
            files.warning("\(path): \(error.ofClosedDirectory)")
        case .polling(let path, let shortage):
            files.warning("\(path) and others like it: polled every second, \(shortage.explanation)")
        case .ready(let count):
            files.info("ready: \(Amount.count(count, "file")) found, and whatever comes is seen")
        case .overflowed:
            files.warning("the kernel's queue of file events overflowed; looking at everything")
        case .cut(let path, let lines, let limits):
            let what = "\(Amount.count(lines, "line")) longer than \(limits.maxLineBytes) bytes"
            files.warning("\(path): \(what) \(limits.oversized.explanation)")
        case .events(let path, let counts):
            for (count, what) in counts.explanations { files.warning("\(path): \(count) \(what)", key: what) }
        case .startPattern(let path, let trouble):
            files.warning("\(path): \(trouble.explanation)")
        case .shared(let path, let stream):
            files.warning("\(path): matches two flows to \(stream); it is sent once, as the first flow says")
        }
    }

    private static let mountedAlone = """
        this one file is mounted here (bind mount, subPath): when it is rotated where it comes from, the new file is \
        not seen here, and its lines are not sent; mount the directory that it lies in instead
        """

    private func note(_ path: Path, _ stream: StreamName, _ offset: Int, _ beginning: IntakeEvent.Beginning) {
        switch beginning {
        case .copy:
            files.info("\(path): continues a file that is gone; reading it to \(stream) from byte \(offset)")
        case .start, .end, .checkpoint:
            files.info("\(path): following it to \(stream) from byte \(offset)")
        case .changed(.truncated):
            files.warning("\(path): is shorter than what was read of it; reading it from its beginning to \(stream)")
        case .changed:
            files.warning(
                "\(path): is another file than the one read before; reading it from its beginning to \(stream)"
            )
        }
    }
}
