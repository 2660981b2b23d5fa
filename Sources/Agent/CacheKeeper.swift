import Cache
import Logging
import Records
import Synchronization

/// Stores harvests in the cache, waiting for room on the disk when there is none.
///
/// While it waits nothing is read: the log files are the buffer.
final class CacheKeeper: Sendable {
    private let cache: RecordCache
    private let log: Log
    private let state = Mutex(State())

    private struct State {
        var isStopping = false
        var disk = Disk.roomy

        /// The worst that was said since there was room.
        var said = Disk.roomy
    }

    /// How much the disk has room for, the worse the later.
    private enum Disk: Int {
        case roomy
        /// What is delivered soon after it was stored.
        case passage
        case nothing

        /// What that means for lines; nil if nothing.
        var consequence: String? {
            switch self {
            case .roomy: nil
            case .passage: "lines are read only as fast as they are delivered"
            case .nothing: "reading waits until there is some"
            }
        }
    }

    init(_ cache: RecordCache, log: Log) {
        self.cache = cache
        self.log = log
    }

    /// What is to be said of the disk now; nil if there is room.
    func diskTrouble() async -> String? {
        let disk = state.withLock { $0.disk }
        // As long as nothing is stored, nobody else finds out.
        if disk == .passage, await !cache.isDiskFull { note(.roomy) }
        return trouble(state.withLock { $0.disk })
    }

    private func trouble(_ disk: Disk) -> String? {
        disk.consequence.map { "no room on the disk of \(cache.path); \($0)" }
    }

    /// Ends any waiting: what cannot be stored now is read again by the next run.
    func stop() {
        state.withLock { $0.isStopping = true }
    }

    /// Gives the streams that should not be read for now.
    ///
    /// - Throws: `CancellationError` if it was told to stop and there is no room; a `CacheError` that does not pass.
    func append(_ harvest: Harvest) async throws -> Backpressure {
        while true {
            do throws(CacheError) {
                let backpressure = try await cache.append(harvest)
                note(await cache.isDiskFull ? .passage : .roomy)
                return backpressure
            } catch {
                guard case .diskFull = error else { throw error }
                note(.nothing)
            }
            if state.withLock({ $0.isStopping }) {
                log.warning("stopping without room on the disk; what could not be stored is read again by the next run")
                throw CancellationError()
            }
            try await Task.sleep(for: .seconds(1))
        }
    }

    /// Says how it is with the disk if that has become worse, or well again.
    private func note(_ disk: Disk) {
        let said = state.withLock { state in
            defer { if disk == .roomy || disk.rawValue > state.said.rawValue { state.said = disk } }
            state.disk = disk
            return state.said
        }
        if disk == .roomy, said != .roomy {
            log.info("there is room on the disk again; reading goes on", key: "room")
        } else if disk.rawValue > said.rawValue, let trouble = trouble(disk) {
            log.error("\(trouble)", key: "disk \(disk)")
        }
    }
}
