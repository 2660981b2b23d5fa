package import Containers
package import Discovery
import Encodings
package import Framing
package import Packing
package import Platform
package import Records
package import Tailing

/// What one flow reads, and what it makes of the lines.
package struct IntakeFlow: Sendable {
    package var stream: StreamName

    /// The patterns as they are written, by which the flow is known again after a restart.
    package var patternText: String
    package var pattern: FilePattern

    /// Where files begin that are there when the flow runs for the first time; those that come later begin at 0.
    package var readsFromStart: Bool

    /// How long a file must not have changed, at first sight, to be read only from its end on; nil: no file is too old.
    package var ignoreOlder: Duration?
    package var lines: LineLimits

    package var encoding: FileEncoding

    /// How many lines at the beginning of a file are no records.
    package var headerLines: Int

    /// Which lines belong together.
    package var events: EventRules

    /// Whose logs the files are, if they are containers'.
    package var containers: ContainerLogs?

    /// How long a line waits for its end while its file lives; nil: for ever.
    package var partialLineTimeout: Duration?
    package var packing: PackingSettings

    /// How long lines may wait for others to share their record.
    package var linger: Duration

    package init(
        stream: StreamName,
        patternText: String,
        pattern: FilePattern,
        readsFromStart: Bool = false,
        ignoreOlder: Duration? = nil,
        lines: LineLimits = LineLimits(),
        encoding: FileEncoding = .marked,
        headerLines: Int = 0,
        events: EventRules = EventRules(),
        containers: ContainerLogs? = nil,
        partialLineTimeout: Duration? = nil,
        packing: PackingSettings = PackingSettings(),
        linger: Duration = .seconds(30)
    ) {
        self.stream = stream
        self.patternText = patternText
        self.pattern = pattern
        self.readsFromStart = readsFromStart
        self.ignoreOlder = ignoreOlder
        self.lines = lines
        self.encoding = encoding
        self.headerLines = headerLines
        self.events = events
        self.containers = containers
        self.partialLineTimeout = partialLineTimeout
        self.packing = packing
        self.linger = linger
    }
}

/// What is known of logs of containers.
package struct ContainerLogs: Sendable {
    /// Nil: the first line of each file tells; if it tells nothing, the file is as any other.
    package var format: ContainerFormat?

    /// Whether records are JSON objects, with what the path tells, and not the messages alone.
    package var makesObjects: Bool

    package init(format: ContainerFormat?, makesObjects: Bool = false) {
        self.format = format
        self.makesObjects = makesObjects
    }
}

extension IntakeFlow {
    /// What a newline is in a file with these first bytes.
    package func newline(ofFileThatBeginsWith beginning: [UInt8]) -> [UInt8] {
        encoding.form(ofFileThatBeginsWith: beginning.span, isWhole: true)?.encoding?.newline ?? [UInt8(ascii: "\n")]
    }
}

/// How the intake goes about it.
package struct IntakePolicy: Sendable {
    /// How often everything is looked at, in case no event told.
    package var scanInterval: Duration = .seconds(10)

    /// How often files and directories are looked at for which there are no events.
    package var pollInterval: Duration = .seconds(1)

    /// How long a file that was rotated away or deleted must be quiet before its last line is sent as it is.
    package var quiet: Duration = .seconds(2)

    /// How long a file that ends in a hole must be quiet before the hole is taken for text that is there to stay.
    package var holeQuiet: Duration = .seconds(10)

    /// How long a file that was rotated away is kept open, quiet, for stragglers.
    package var letGoAfter: Duration = .seconds(3_600)

    /// Files that this program writes itself, and which are never followed: each line of them would make another one.
    package var ownFiles: Set<FileIdentity> = []

    /// How many files may be open; beyond that, those that are read to their end are closed until they grow.
    package var maxOpenFiles = 4_096

    /// How many bytes deleted files may keep from the disk because they are not read; beyond, the oldest are given up.
    package var deletedFilesMaxBytes = 1 << 30

    /// How long a deleted file is held that cannot be read to its end.
    package var deletedFilesMaxAge: Duration = .seconds(3_600)

    /// Where compressed files are inflated that were not read to their end; nil: they are not read.
    package var spoolDirectory: Path?

    /// How many bytes of open events may wait in memory, over all files; beyond, those that have waited longest are
    /// ended as they are.
    package var openEventsMaxBytes = 32 << 20

    /// Bytes read from one file before it is the next one's turn.
    package var turnBytes = 262_144

    /// Bytes of records that are handed over at once.
    package var harvestBytes = 1 << 20

    /// The least time between two looks at quiet files, so that a trickle of writes is not a trickle of wake-ups.
    package var breather: Duration = .milliseconds(10)

    package init() {}
}

/// Where the intake puts what it has.
package struct RecordStore: Sendable {
    /// Stores a harvest, waiting as long as that takes; gives what should not be read for now.
    package var append: @Sendable (Harvest) async throws -> Backpressure

    /// What should not be read now; the doorbell tells when that eases.
    package var backpressure: @Sendable () async -> Backpressure

    package init(
        append: @escaping @Sendable (Harvest) async throws -> Backpressure,
        backpressure: @escaping @Sendable () async -> Backpressure
    ) {
        self.append = append
        self.backpressure = backpressure
    }
}

/// What an earlier run left behind.
package struct IntakeMemory: Sendable {
    package var checkpoints: [Checkpoint]

    /// The flows, by index, that have run before.
    package var adoptedFlows: Set<Int>

    /// When it stored something last, since 1970; nil if there was no earlier run.
    package var lastStored: Duration?

    /// What the run before, in the same process, had open and the names may not lead to.
    package var leftFiles: [LeftFile]

    package init(
        checkpoints: [Checkpoint] = [],
        adoptedFlows: Set<Int> = [],
        lastStored: Duration? = nil,
        leftFiles: [LeftFile] = []
    ) {
        self.checkpoints = checkpoints
        self.adoptedFlows = adoptedFlows
        self.lastStored = lastStored
        self.leftFiles = leftFiles
    }
}
