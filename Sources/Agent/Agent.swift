import Cache
package import Configuration
package import Logging
import Platform
package import Records
import Synchronization

/// One agent at work: it reads the files of its flows into the cache, and drains the cache to the destination.
///
/// It works in shifts, each with one configuration from its start to its end. A new shift begins when there is a new
/// configuration, and when the cache turns out to be damaged; between two of them nothing is open and nothing in flight.
package final class Agent: Sendable {
    package static let version = "0.1.0"

    /// What an agent works with.
    package struct Setup: Sendable {
        package var configuration: AgentConfiguration
        package var destination: any Destination

        package init(_ configuration: AgentConfiguration, deliveringTo destination: any Destination) {
            self.configuration = configuration
            self.destination = destination
        }
    }

    private struct State {
        var isStopping = false
        var shift: Shift?
        /// What the next shift works with, once the present one has ended.
        var next: Setup?
    }

    private let setup: Setup
    private let reconfigure: @Sendable () -> Setup?
    private let log: Log
    private let reloading = Signal()
    private let state = Mutex(State())

    /// How often in a row a cache may turn out to be damaged: a disk that goes on failing is not worked on for ever.
    private static let mostSalvages = 5

    /// - Parameters:
    ///   - setup: what to begin with.
    ///   - log: where to say what happens.
    ///   - reconfigure: gives what to go on with after `reload`; nil is what is in force, and has been explained.
    package init(_ setup: Setup, log: Log, reconfigure: @escaping @Sendable () -> Setup? = { nil }) {
        self.setup = setup
        self.log = log
        self.reconfigure = reconfigure
    }

    /// Lets `run` end: reading stops, what is read is stored, and one last flush may take the configured time.
    package func stop() {
        let shift = state.withLock { state in
            state.isStopping = true
            return state.shift
        }
        shift?.end(.stopped)
    }

    /// Has the configuration read again; several wishes while one is being fulfilled are one.
    ///
    /// All or nothing: if the new one is wrong, or nothing can be begun with it, the old one stays in force.
    package func reload() {
        reloading.raise()
    }

    /// Works until `stop`.
    package func run() async throws {
        defer { log.flush() }
        let journal = Journal(log)
        var (current, former) = (setup, Setup?.none)
        var (damage, salvages) = (DamageHandling.salvage, 0)
        while let shift = begin(current, damage, journal) {
            do {
                switch try await work(shift) {
                case .stopped: break
                case .handedOver: (current, former) = (takeNext() ?? current, current)
                case .damaged(let reason):
                    salvages += 1
                    guard salvages < Self.mostSalvages else {
                        throw CacheError.damaged(path: shift.cachePath, reason: reason)
                    }
                    damage = .salvageAtOnce(reason: reason)
                    continue
                }
                damage = .salvage
            } catch {
                guard !shift.hasBegun, let working = former else { throw error }
                log.error("nothing can be begun with the new configuration: \(error); the old one stays in force")
                (current, former) = (working, nil)
            }
        }
        log.info("stopped")
    }

    /// Whether `run` has thrown this because another agent has the state directory.
    package static func isInUse(_ error: any Error) -> Bool {
        if case .inUse = error as? CacheError { true } else { false }
    }

    private func begin(_ setup: Setup, _ damage: DamageHandling, _ journal: Journal) -> Shift? {
        state.withLock { state in
            guard !state.isStopping else { return nil }
            let shift = Shift(setup, after: state.shift, onDamage: damage, journal: journal, log: log)
            state.shift = shift
            return shift
        }
    }

    private func takeNext() -> Setup? {
        state.withLock { state in
            defer { state.next = nil }
            return state.next
        }
    }

    /// Works one shift, and looks out for a new configuration meanwhile.
    private func work(_ shift: Shift) async throws -> Shift.Ending {
        try await withThrowingTaskGroup(of: Shift.Ending?.self) { group in
            group.addTask { try await shift.run() }
            group.addTask {
                while !Task.isCancelled {
                    await self.reloading.wait()
                    guard !Task.isCancelled, let setup = self.reconfigure() else { continue }
                    self.state.withLock { $0.next = setup }
                    shift.end(.handedOver)
                    return nil
                }
                return nil
            }
            defer { group.cancelAll() }
            while let ending = try await group.next() {
                if let ending { return ending }
            }
            return .stopped
        }
    }
}
