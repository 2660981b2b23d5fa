import Cache
package import Configuration
import Flushing
import Intake
package import Logging
import Platform
package import Records

/// One agent at work: it reads the files of its flows into the cache, and drains the cache to the destination.
package struct Agent: Sendable {
    package static let version = "0.1.0"

    private let configuration: AgentConfiguration
    private let destination: any Destination
    private let log: Log
    private let timing: Timing
    private let stopping = Signal()

    /// How the agent's clocks run; tests run them faster.
    package struct Timing: Sendable {
        /// How often everything is looked at, in case no event told.
        package var scanInterval: Duration = .seconds(10)

        package init() {}
    }

    package init(
        _ configuration: AgentConfiguration,
        deliveringTo destination: any Destination,
        log: Log,
        timing: Timing = Timing()
    ) {
        self.configuration = configuration
        self.destination = destination
        self.log = log
        self.timing = timing
    }

    /// Lets `run` end: reading stops, what is read is stored, and one last flush may take the configured time.
    package func stop() {
        stopping.raise()
    }

    /// What ends while the agent runs.
    private enum Ending {
        case intake, engine, shutdownTimeout, other
    }

    /// Works until `stop`.
    package func run() async throws {
        let doorbell = try Doorbell()
        let flows = try configuration.flows.map { try IntakeFlow($0) }
        let cache = try RecordCache(
            directory: configuration.stateDirectory,
            streams: Array(Set(flows.map(\.stream))).sorted(),
            maxBytes: configuration.cacheMaxBytes,
            onRoom: { doorbell.ring() }
        )
        let journal = Journal(log)
        let keeper = CacheKeeper(cache, log: log.named("cache"))
        let intake = Intake(
            flows: flows,
            memory: try await memory(of: cache, for: flows),
            policy: policy,
            store: RecordStore(append: { try await keeper.append($0) }, backpressure: { await cache.backpressure }),
            doorbell: doorbell,
            report: { journal.note($0) }
        )
        let engine = FlushEngine(
            draining: cache,
            to: destination,
            policies: FlushPolicy.policies(of: configuration),
            report: { journal.note($0) }
        )
        let progress = ProgressReport(intake: intake, cache: cache, journal: journal, log: log.named("progress"))
        log.info("started: \(Amount.count(flows.count, "flow")), state in \(configuration.stateDirectory)")
        defer { log.flush() }
        try await work(cache, intake, engine, keeper, progress)
        await progress.write()
        await cache.close()
        log.info("stopped")
    }

    private func work(
        _ cache: RecordCache,
        _ intake: Intake,
        _ engine: FlushEngine,
        _ keeper: CacheKeeper,
        _ progress: ProgressReport
    ) async throws {
        try await withThrowingTaskGroup(of: Ending.self) { group in
            group.addTask {
                await cache.run()
                return .other
            }
            group.addTask {
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
            group.addTask {
                do {
                    try await intake.run()
                } catch is CancellationError {
                    // Stopped while there was no room on the disk.
                }
                await engine.finish()
                return .intake
            }
            group.addTask {
                await stopping.wait()
                keeper.stop()
                intake.stop()
                try? await Task.sleep(for: configuration.shutdownTimeout)
                return .shutdownTimeout
            }
            defer { group.cancelAll() }
            while let ending = try await group.next() {
                switch ending {
                case .engine: return
                case .shutdownTimeout:
                    log.warning("not all was delivered within shutdownTimeoutMillis; the rest stays in the cache")
                    intake.stop()
                    return
                case .intake, .other: break
                }
            }
        }
    }

    private var policy: IntakePolicy {
        var policy = IntakePolicy()
        policy.scanInterval = timing.scanInterval
        policy.quiet = configuration.rotatedFileQuiet
        // Descriptors are left for the cache, the connections and the directories.
        policy.maxOpenFiles = min(configuration.maxOpenFiles, max(16, raiseOpenFileLimit() - 128))
        return policy
    }

    /// What an earlier run of these flows left behind.
    private func memory(of cache: RecordCache, for flows: [IntakeFlow]) async throws -> IntakeMemory {
        var memory = IntakeMemory(checkpoints: try await cache.checkpoints())
        for (index, flow) in flows.enumerated() where try await cache.hasAdopted(flow.patternText, for: flow.stream) {
            memory.adoptedFlows.insert(index)
        }
        return memory
    }
}
