import Discovery
package import Platform
import Records
import Synchronization
import Tailing

/// Reads the files of all flows: finds and watches them, reads, frames and packs their lines, and hands over records
/// together with the checkpoints that they advance.
///
/// It owns every open file and the kernel's watches, and blocks on a thread of its own while nothing happens.
package actor Intake {
    private let executor = QueueExecutor(label: "firetail.intake")
    private let doorbell: Doorbell
    private let isStopping = Mutex(false)
    private let statistics = Mutex(IntakeStatistics(counts: IntakeCounts(), files: 0, behind: 0))

    let policy: IntakePolicy
    let report: @Sendable (IntakeEvent) -> Void
    private let store: RecordStore

    var lanes: [FlowLane]
    var watcher = FileWatcher()
    var files: [Int: FollowedFile] = [:]
    var fileIDs: [FileKey: Int] = [:]
    private var lastID = 0

    /// What an earlier run knew, less what was found again.
    var remembered: [FileKey: Checkpoint] = [:]
    var adoptedFlows: Set<Int>

    /// Files with bytes to read, in turn; those of full streams wait aside.
    private var queue: [Int] = []
    private var fullStreams: Set<StreamName> = []

    /// Files with a time at which something is to be done about them: an error to try again, an end to wait for.
    var watchedClosely: Set<Int> = []

    /// Directories that have news.
    var changedDirectories: Set<Path> = []
    var knownDirectories: Set<Path> = []
    var nextScan = ContinuousClock.now
    private var nextPoll = ContinuousClock.now

    /// What was reported once and need not be again.
    var reportedPaths: Set<Path> = []

    var harvest = Harvest()
    var checkpoints: [Int: Checkpoint] = [:]

    /// How far the harvest brings the files that are in it.
    private var positions: [Int: SegmentQueue.Position] = [:]
    private var harvestBytes = 0

    /// Bytes in all files that have not been read, as far as is known.
    var behind = 0
    private var buffer: [UInt8] = []

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.reference }

    package init(
        flows: [IntakeFlow],
        memory: IntakeMemory,
        policy: IntakePolicy = IntakePolicy(),
        store: RecordStore,
        doorbell: Doorbell,
        report: @escaping @Sendable (IntakeEvent) -> Void
    ) {
        self.policy = policy
        self.store = store
        self.doorbell = doorbell
        self.report = report
        lanes = flows.map(FlowLane.init)
        adoptedFlows = memory.adoptedFlows
        for checkpoint in memory.checkpoints {
            remembered[FileKey(stream: checkpoint.stream, file: checkpoint.file)] = checkpoint
        }
        buffer.reserveCapacity(policy.turnBytes)
    }

    /// Ends `run` once what is framed is handed over.
    package nonisolated func stop() {
        isStopping.withLock { $0 = true }
        doorbell.ring()
    }

    /// How much has been read, and how much is there to be read.
    package nonisolated var currentStatistics: IntakeStatistics { statistics.withLock { $0 } }

    /// Follows the files until `stop`.
    package func run() async throws {
        while !isStopping.withLock({ $0 }) {
            takeNews()
            lookAround()
            let read = try await readRound()
            let now = ContinuousClock.now
            try await endQuietFiles(now)
            finishRecords(now)
            publishStatistics()
            if hasReadableFiles { continue }
            try await handOver()
            await rest(after: read)
        }
        for index in lanes.indices { lanes[index].finish() }
        try await handOver()
        publishStatistics()
    }

    // MARK: Waiting

    private func takeNews() {
        let news = watcher.takeNews()
        if news.hasOverflowed {
            report(.overflowed)
            nextScan = .now
            for id in files.keys { enqueue(id) }
        }
        for id in news.files { enqueue(id) }
        changedDirectories.formUnion(news.directories)
        let now = ContinuousClock.now
        guard watcher.hasPolled, now >= nextPoll else { return }
        nextPoll = now + policy.pollInterval
        for id in watcher.polledFiles { enqueue(id) }
        changedDirectories.formUnion(watcher.polledDirectories)
    }

    /// Waits for news, room, or the next thing that is due.
    private func rest(after read: Int) async {
        if !fullStreams.isEmpty { fullStreams = await store.fullStreams() }
        guard !hasReadableFiles else { return }
        if read < policy.turnBytes { try? await Task.sleep(for: policy.breather) }
        let due = nextDeadline()
        watcher.wait(for: doorbell, atMost: max(.zero, due - .now))
    }

    private func nextDeadline() -> ContinuousClock.Instant {
        var due = nextScan
        if watcher.hasPolled { due = min(due, nextPoll) }
        for lane in lanes { due = min(due, lane.deadline ?? due) }
        for id in watchedClosely {
            guard let file = files[id] else { continue }
            if let retry = file.retryAt { due = min(due, retry) }
            if file.isEnding, file.isCaughtUp { due = min(due, file.nextStepAt(policy)) }
        }
        return due
    }

    // MARK: Reading

    func enqueue(_ id: Int) {
        guard let file = files[id], !file.isQueued else { return }
        file.isQueued = true
        queue.append(id)
    }

    private var hasReadableFiles: Bool {
        queue.contains { id in files[id].map { !fullStreams.contains($0.tail.stream) } ?? false }
    }

    /// Gives every queued file one turn.
    ///
    /// - Returns: how many bytes were read.
    private func readRound() async throws -> Int {
        let round = queue
        queue.removeAll(keepingCapacity: true)
        var total = 0
        for id in round {
            guard let file = files[id] else { continue }
            if fullStreams.contains(file.tail.stream) {
                queue.append(id)
                continue
            }
            file.isQueued = false
            let count = turn(file)
            behind += file.updateBehind()
            total += count
            harvestBytes += count
            if harvestBytes >= policy.harvestBytes { try await handOver() }
        }
        return total
    }

    /// Reads some of a file.
    ///
    /// - Returns: how many bytes were dealt with.
    private func turn(_ file: FollowedFile) -> Int {
        do throws(TailError) {
            let look = try file.tail.look()
            noteOpened(file)
            switch look {
            case .startedOver(let end):
                report(.startedOver(file.tail.path, from: end))
                lanes[file.flow].finish()
                collect()
                writeCheckpoints()
                checkpoints[file.id] = try file.tail.checkpoint(at: 0, isSkippingLine: false)
                harvest.isIrreplaceable = true
                enqueue(file.id)
                return 0
            case .unread(let unread):
                return try read(file, unread)
            }
        } catch {
            handle(error, of: file)
            return 0
        }
    }

    private func read(_ file: FollowedFile, _ unread: Int) throws(TailError) -> Int {
        let start = file.tail.offset
        var taken = (count: 0, isSkippingLine: file.tail.isSkippingLine)
        var isAtEnd = unread == 0
        buffer.removeAll(keepingCapacity: true)
        // A line that is longer than a turn takes several reads until its end, or the limit, is there.
        while taken.count == 0, !isAtEnd {
            let wanted = min(policy.turnBytes, max(1, unread - buffer.count))
            let count = try file.tail.read(into: &buffer, count: wanted)
            isAtEnd = count == 0 || buffer.count >= unread
            taken = lanes[file.flow].take(
                buffer.span,
                of: file.id,
                at: start,
                isSkippingLine: file.tail.isSkippingLine
            )
        }
        try file.tail.advance(over: buffer.span, count: taken.count, isSkippingLine: taken.isSkippingLine)
        trimBuffer()
        if taken.count > 0 { file.lastChange = .now }
        file.isCaughtUp = isAtEnd
        if isAtEnd { closeIfMany(file) } else { enqueue(file.id) }
        lanes[file.flow].note(.now)
        return taken.count
    }

    /// Gives back what an uncommonly long line took.
    private func trimBuffer() {
        guard buffer.capacity > 4 * policy.turnBytes else { return }
        buffer = []
        buffer.reserveCapacity(policy.turnBytes)
    }

    // MARK: Handing over

    /// Finishes records whose lines have lingered long enough.
    private func finishRecords(_ now: ContinuousClock.Instant) {
        for index in lanes.indices {
            guard let deadline = lanes[index].deadline, now >= deadline else { continue }
            // A chunk of plain records goes when nothing more is there to be read.
            if lanes[index].lingers || !hasReadableFiles { lanes[index].finish() }
        }
    }

    /// Takes the finished records of all flows into the harvest.
    func collect() {
        for index in lanes.indices {
            let stream = lanes[index].flow.stream
            let batches = lanes[index].collect { id, position in positions[id] = position }
            harvest.records += batches.map { (stream, $0) }
            recordLanes += batches.map { _ in index }
        }
    }

    /// Writes the checkpoints of the files that have come further; one that cannot be read now keeps its last one.
    private func writeCheckpoints() {
        for (id, position) in positions {
            let checkpoint = try? files[id]?.tail.checkpoint(
                at: position.offset,
                isSkippingLine: position.isSkippingLine
            )
            if let checkpoint { checkpoints[id] = checkpoint }
        }
        positions.removeAll(keepingCapacity: true)
    }

    /// Which lane each batch of the harvest came from, to give its memory back.
    private var recordLanes: [Int] = []

    /// Hands over what is finished, and waits until it is stored.
    func handOver() async throws {
        collect()
        writeCheckpoints()
        harvestBytes = 0
        harvest.checkpoints = Array(checkpoints.values)
        guard !harvest.isEmpty else { return }
        fullStreams = try await store.append(harvest)
        // Whoever else held a batch would make its memory be copied instead of used again.
        while let (_, batch) = harvest.records.popLast(), let lane = recordLanes.popLast() {
            lanes[lane].reuse(batch)
        }
        harvest = Harvest()
        checkpoints.removeAll(keepingCapacity: true)
    }

    func nextID() -> Int {
        lastID += 1
        return lastID
    }

    private func publishStatistics() {
        let counts = lanes.map(\.counts).reduce(IntakeCounts(), +)
        let current = IntakeStatistics(counts: counts, files: files.count, behind: behind)
        statistics.withLock { $0 = current }
    }
}

/// How the reading stands.
package struct IntakeStatistics: Sendable, Equatable {
    package var counts: IntakeCounts

    /// Files that are followed.
    package var files: Int

    /// Bytes that are in the files and have not been read, as far as is known.
    package var behind: Int
}
