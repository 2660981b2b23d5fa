import Cache
import Configuration
import Flushing
import Intake
import Logging
import Platform
import Records
import Synchronization
import Tailing

/// A stretch of an agent's work with one configuration, from the opening of the cache to its closing.
final class Shift: Sendable {
    /// Why it ended.
    enum Ending: Sendable, Equatable {
        /// The agent is to stop: what is cached was sent as far as time allowed.
        case stopped
        /// Another shift goes on; what is cached is left to it.
        case handedOver
        /// The cache turned out to be damaged, in this way.
        case damaged(reason: String)
    }

    /// What ends while it runs.
    private enum Event {
        case intake, engine, timeout, other
    }

    private struct State {
        var hasBegun = false
        var ending: Ending?
    }

    private let configuration: AgentConfiguration
    private let destination: any Destination
    private let damage: DamageHandling
    private let journal: Journal
    private let log: Log
    private let state = Mutex(State())
    private let isEnding = Signal()

    /// What the shift before had open and left to this one; in the end, what this one leaves.
    private let files: Mutex<[LeftFile]>

    init(
        _ setup: Agent.Setup,
        after former: Shift?,
        onDamage damage: DamageHandling,
        journal: Journal,
        log: Log
    ) {
        files = Mutex(former?.takeFiles() ?? [])
        configuration = setup.configuration
        destination = setup.destination
        self.damage = damage
        self.journal = journal
        self.log = log
    }

    private func takeFiles() -> [LeftFile] {
        files.withLock { files in
            defer { files = [] }
            return files
        }
    }

    /// Whether everything could be opened, so that work has begun.
    var hasBegun: Bool { state.withLock { $0.hasBegun } }

    var cachePath: String { CacheLocation.directory(configuration.stateDirectory).database }

    /// Lets `run` end; the first reason counts, but to be stopped comes before to be followed by another shift.
    func end(_ ending: Ending) {
        state.withLock { state in
            if state.ending == nil || state.ending == .handedOver { state.ending = ending }
        }
        isEnding.raise()
    }

    private var ending: Ending? { state.withLock { $0.ending } }

    /// Works until `end`.
    func run() async throws -> Ending {
        let doorbell = try Doorbell()
        let flows = try configuration.flows.map { try IntakeFlow($0) }
        guard let cache = try await openCache(for: flows, doorbell) else { return ending ?? .stopped }
        if cache.wasEmptyFile { log.warning("\(cachePath) was empty; this is a first start") }
        if let salvage = cache.salvage { journal.note(salvage, of: cachePath) }
        do {
            try await work(with: cache, flows, doorbell)
        } catch let error as CacheError {
            await cache.close()
            guard case .damaged(_, let reason) = error else { throw error }
            return .damaged(reason: reason)
        } catch {
            await cache.close()
            throw error
        }
        await cache.close()
        return ending ?? .stopped
    }

    /// Opens the cache; another agent that has it may take as long to end as this one would.
    ///
    /// - Returns: nil if this shift is to end before it has begun.
    private func openCache(for flows: [IntakeFlow], _ doorbell: Doorbell) async throws(CacheError) -> RecordCache? {
        let deadline = ContinuousClock.now + configuration.shutdownTimeout
        var isWaiting = false
        while ending == nil {
            do throws(CacheError) {
                return try RecordCache(
                    directory: configuration.stateDirectory,
                    streams: Array(Set(flows.map(\.stream))).sorted(),
                    maxBytes: configuration.cacheMaxBytes,
                    onDamage: damage,
                    deadLetterMaxBytes: configuration.deadLetterMaxBytes,
                    onRoom: { doorbell.ring() },
                    onDiscard: { [journal] in journal.note(discarded: $1, of: $0) },
                    onLoss: { [journal, cachePath] in journal.note(lossOfCacheAt: cachePath) }
                )
            } catch {
                guard case .inUse = error, .now < deadline else { throw error }
                if !isWaiting { log.info("\(error); waiting until it ends, as long as shutdownTimeoutMillis") }
                isWaiting = true
            }
            await isEnding.wait(until: min(deadline, .now + .milliseconds(200)))
        }
        return nil
    }

    private func work(with cache: RecordCache, _ flows: [IntakeFlow], _ doorbell: Doorbell) async throws {
        let keeper = CacheKeeper(cache, log: log.named("cache"))
        let intake = Intake(
            flows: flows,
            memory: try await memory(of: cache, for: flows),
            policy: policy,
            store: RecordStore(append: { try await keeper.append($0) }, backpressure: { await cache.backpressure }),
            doorbell: doorbell,
            report: { [journal] in journal.note($0) }
        )
        let engine = FlushEngine(
            draining: cache,
            to: destination,
            policies: FlushPolicy.policies(of: configuration),
            report: { event in
                self.journal.note(event)
                if case .storage(_, .damaged(_, let reason)) = event { self.end(.damaged(reason: reason)) }
            }
        )
        let progress = ProgressReport(
            intake: intake,
            cache: cache,
            journal: journal,
            log: log.named("progress"),
            patience: .seconds(300) + (configuration.flows.map(\.maxBufferAge).max() ?? .zero)
        )
        let status = StatusSource(
            configuration: configuration,
            intake: intake,
            cache: cache,
            keeper: keeper,
            journal: journal,
            doorbell: doorbell
        )
        let server = serve(status, DeadLetterDesk(cache))
        defer { withExtendedLifetime(server) {} }
        state.withLock { $0.hasBegun = true }
        log.info("started: \(Amount.count(flows.count, "flow")), state in \(configuration.stateDirectory)")
        do {
            try await run(cache, intake, engine, keeper, progress)
        } catch {
            await leaveFiles(of: intake)
            throw error
        }
        await leaveFiles(of: intake)
        await progress.write()
    }

    private func leaveFiles(of intake: Intake) async {
        let left = await intake.leaveFiles()
        files.withLock { $0 = left }
    }

    /// Tells whoever asks how the work stands; an agent that cannot do that works all the same.
    private func serve(_ status: StatusSource, _ letters: DeadLetterDesk) -> LocalServer? {
        do throws(FileError) {
            return try LocalServer(at: StatusSource.socket(in: configuration.stateDirectory)) { question in
                if let request = DeadLetterRequest(line: question) { return await letters.reply(to: request).encoded }
                switch StatusQuestion(question) {
                case .status: return Array((await status.text() + "\n").utf8)
                case nil: return nil
                }
            }
        } catch {
            log.warning("\(error); `firetail status` and `firetail dead-letters` have nobody to ask")
            return nil
        }
    }

    private func run(
        _ cache: RecordCache,
        _ intake: Intake,
        _ engine: FlushEngine,
        _ keeper: CacheKeeper,
        _ progress: ProgressReport
    ) async throws {
        try await withThrowingTaskGroup(of: Event.self) { group in
            group.addTask {
                await cache.run()
                return .other
            }
            group.addTask { [configuration] in
                await progress.run(every: configuration.statusReportingPeriod)
                return .other
            }
            group.addTask {
                // What it took to come this far, and then what it took to connect and to read for the first time.
                releaseStartupCode()
                try? await Task.sleep(for: .seconds(1))
                releaseStartupCode()
                return .other
            }
            group.addTask {
                await engine.run()
                return .engine
            }
            group.addTask { try await self.read(with: intake, engine) }
            group.addTask { await self.waitForEnd(of: intake, keeper) }
            defer { group.cancelAll() }
            while let event = try await group.next() {
                switch event {
                case .engine: return
                case .timeout: return sayWhatIsLeft()
                case .intake, .other: break
                }
            }
        }
    }

    private func read(with intake: Intake, _ engine: FlushEngine) async throws -> Event {
        do {
            try await intake.run()
        } catch is CancellationError {
            // Stopped while there was no room on the disk.
        }
        if ending == .stopped { await engine.finish() } else { await engine.pause() }
        return .intake
    }

    private func waitForEnd(of intake: Intake, _ keeper: CacheKeeper) async -> Event {
        await isEnding.wait()
        keeper.stop()
        intake.stop()
        try? await Task.sleep(for: configuration.shutdownTimeout)
        intake.stop()
        return .timeout
    }

    private func sayWhatIsLeft() {
        log.warning(
            ending == .stopped
                ? "not all was delivered within shutdownTimeoutMillis; the rest stays in the cache"
                : "a request was not answered within shutdownTimeoutMillis; it is sent again"
        )
    }

    private var policy: IntakePolicy {
        var policy = IntakePolicy()
        policy.scanInterval = configuration.scanInterval
        policy.quiet = configuration.rotatedFileQuiet
        policy.deletedFilesMaxBytes = configuration.deletedFilesMaxBytes
        policy.deletedFilesMaxAge = configuration.deletedFilesMaxAge
        policy.spoolDirectory = Path(configuration.stateDirectory)
        for status in [1, 2].compactMap({ regularFile(openAs: $0) }) {
            policy.ownFiles.insert(FileIdentity(device: status.device, inode: status.inode))
        }
        // Descriptors are left for the cache, the connections and the directories.
        policy.maxOpenFiles = min(configuration.maxOpenFiles, max(16, raiseOpenFileLimit() - 128))
        return policy
    }

    /// What an earlier run of these flows left behind.
    private func memory(of cache: RecordCache, for flows: [IntakeFlow]) async throws -> IntakeMemory {
        try await cache.settleAdoption(of: flows.map { ($0.stream, $0.patternText) })
        var memory = IntakeMemory(
            checkpoints: try await cache.checkpoints(),
            lastStored: try await cache.lastCheckpointTime(),
            leftFiles: takeFiles()
        )
        for (index, flow) in flows.enumerated() where try await cache.hasAdopted(flow.patternText, for: flow.stream) {
            memory.adoptedFlows.insert(index)
        }
        return memory
    }
}
