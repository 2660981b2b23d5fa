package import Platform
import Records
import Synchronization
package import Tailing

/// Reads the files of all flows: finds and watches them, reads, frames and packs their lines, and hands over records
/// together with the checkpoints that they advance.
///
/// It owns every open file and the kernel's watches, and blocks on a thread of its own while nothing happens.
package actor Intake {
    private let executor = QueueExecutor(label: "firetail.intake")
    private let doorbell: Doorbell
    private let stopping = Mutex(false)
    let statistics = Mutex(IntakeStatistics())

    let policy: IntakePolicy
    let report: @Sendable (IntakeEvent) -> Void
    let store: RecordStore

    var lanes: [FlowLane]
    var watcher: FileWatcher
    var files = FollowedFiles()

    /// Files that are open and could be opened again, and some that were.
    var openFiles: Set<Int> = []

    /// Files with bytes to read.
    var queue = TurnQueue()

    /// Files about which something is to be done at some time: an error to try again, an end to wait for.
    var attended: Set<Int> = []

    /// No file of `attended` is due before this; nil if none is due at all.
    var attentionAt: ContinuousClock.Instant?

    /// What an earlier run knew, less what was found again.
    var remembered: [FileKey: Checkpoint] = [:]
    var adoptedFlows: Set<Int>

    /// What the run before had open, less what was found again.
    var leftFiles: [FileKey: LeftFile] = [:]

    /// When the earlier run stored something last, since 1970; nil if there was none.
    let lastStored: Duration?

    /// Content that was thrown away after some of it was read, for which a copy is looked for.
    ///
    /// `unread` is how many bytes are known to have been behind what was read.
    var abandoned: [(checkpoint: Checkpoint, flow: Int, unread: Int)] = []

    /// Files of which nothing was read yet, and that may be copies of their logs.
    var possibleCopies: Set<Int> = []

    /// Files that no pattern matches any more since the last look.
    var departed: [FollowedFile] = []

    /// Directories that were read in search of generations just now.
    var listings: [Path: LogDirectory] = [:]

    /// Names by inode in directories that were read in this round in search of files that have moved.
    var knownInodes: [Path: [UInt64: [UInt8]]] = [:]

    /// Whether the kernel lost events since everything was looked at.
    var hasMissedEvents = false

    /// Bytes that are known to have been lost before they were read.
    var lostBytes = 0

    /// The streams whose flows have all run before as they are now.
    let unchangedStreams: Set<StreamName>

    /// Files that were made since the earlier run stored something last, until its generations have been looked for.
    var newcomers: [FollowedFile] = []

    /// Whether those files were looked for that have another name since the earlier run.
    var hasLookedForRenamed = false

    /// Directories that have news.
    var changedDirectories: Set<Path> = []
    var nextScan = ContinuousClock.now
    private var nextPoll = ContinuousClock.now

    /// What matches and could not be opened when it was last tried, and directories that could not be looked through.
    var unreadable: [Path: TailError] = [:]
    var closedDirectories: [Path: Errno] = [:]

    /// What was reported once and need not be again.
    var reportedPaths: Set<Path> = []
    var reportedShortages: Set<FileWatcher.Shortage> = []

    /// What will be handed over next; its checkpoints are those of `safePositions` and these.
    var harvest = Harvest()

    /// How far files have been read whose checkpoints are to be written, once the records of the harvest are stored.
    var safePositions: [Int: SegmentQueue.Position] = [:]

    /// Which lane each batch of the harvest came from, to give its memory back.
    var recordLanes: [Int] = []
    var harvestBytes = 0

    /// Bytes in all files that have not been read, as far as is known.
    var behind = Lag()

    /// Bytes of open events in memory, of all files.
    var openEventBytes = 0
    var buffer: [UInt8] = []

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.reference }

    package init(
        flows: [IntakeFlow],
        memory: IntakeMemory,
        policy: IntakePolicy = IntakePolicy(),
        store: RecordStore,
        doorbell: Doorbell,
        watcher: consuming FileWatcher = FileWatcher(),
        report: @escaping @Sendable (IntakeEvent) -> Void
    ) {
        self.policy = policy
        self.store = store
        self.doorbell = doorbell
        self.watcher = watcher
        self.report = report
        lanes = flows.map(FlowLane.init)
        adoptedFlows = memory.adoptedFlows
        lastStored = memory.lastStored
        let changed = flows.indices.filter { !memory.adoptedFlows.contains($0) }.map { flows[$0].stream }
        unchangedStreams = Set(flows.map(\.stream)).subtracting(changed)
        for checkpoint in memory.checkpoints { remembered[FileKey(checkpoint)] = checkpoint }
        for left in memory.leftFiles { leftFiles[FileKey(stream: left.stream, file: left.file)] = left }
        buffer.reserveCapacity(policy.turnBytes)
    }

    /// Ends `run` once what is framed is handed over.
    package nonisolated func stop() {
        stopping.withLock { $0 = true }
        doorbell.ring()
    }

    /// Whether the first look around is over.
    private var isReady = false

    nonisolated var isStopping: Bool { stopping.withLock { $0 } }

    /// How much has been read, and how much is there to be read.
    package nonisolated var currentStatistics: IntakeStatistics { statistics.withLock { $0 } }

    /// Follows the files until `stop`.
    package func run() async throws {
        queue.apply(await store.backpressure())
        while !isStopping {
            takeNews()
            try await lookAround()
            sayReady()
            recoverAbandoned()
            let read = try await readRound()
            let now = ContinuousClock.now
            try await attend(now)
            finishRecords(now)
            publishStatistics()
            // As long as there is more to read, only whole harvests are handed over.
            if queue.hasReady { continue }
            try await handOver()
            if !queue.hasReady { await rest(after: read) }
        }
        try await takeLastNews()
        for index in lanes.indices { lanes[index].finish() }
        try await handOver()
        publishStatistics()
    }

    private func sayReady() {
        guard !isReady else { return }
        isReady = true
        report(.ready(files: files.count))
    }

    /// Notes what came together with the end: a file that was made and rotated away meanwhile is known by its events only.
    private func takeLastNews() async throws {
        guard isReady else { return }
        takeNews()
        try await lookAround()
    }

    private func takeNews() {
        let news = watcher.takeNews()
        if news.hasOverflowed {
            report(.overflowed)
            hasMissedEvents = true
            nextScan = .now
            for file in files.all { enqueue(file) }
        }
        for id in news.written { files[id]?.isCaughtUp = false }
        for id in news.files { files[id].map(noteNews) }
        changedDirectories.formUnion(news.directories)
        follow(news.renamed)
        let now = ContinuousClock.now
        guard watcher.hasPolled, now >= nextPoll else { return }
        nextPoll = now + policy.pollInterval
        for id in watcher.polledFiles.keys { files[id].map(enqueue) }
        changedDirectories.formUnion(watcher.polledDirectories.keys)
    }

    /// Waits for news, room, or the next thing that is due.
    private func rest(after read: Int) async {
        if queue.hasParked { queue.apply(await store.backpressure()) }
        guard !queue.hasReady else { return }
        if read < policy.turnBytes { try? await Task.sleep(for: policy.breather) }
        let due = nextDeadline()
        statistics.withLock { $0.rests += 1 }
        watcher.wait(for: doorbell, atMost: max(.zero, due - .now))
    }

    private func nextDeadline() -> ContinuousClock.Instant {
        var due = min(nextScan, attentionAt ?? nextScan)
        if watcher.hasPolled { due = min(due, nextPoll) }
        if queue.hasParked { due = min(due, queue.backpressure.easesAt ?? due) }
        for lane in lanes { due = min(due, lane.deadline ?? due) }
        return due
    }

    private func publishStatistics() {
        let flows = lanes.map(\.counts)
        let (followed, unread, lost) = (files.count, behind, lostBytes)
        statistics.withLock { statistics in
            statistics.counts = flows.reduce(IntakeCounts(), +)
            statistics.flows = flows
            statistics.files = followed
            statistics.behind = unread
            statistics.lostBytes = lost
        }
    }
}
