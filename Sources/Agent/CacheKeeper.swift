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

    /// What to say of the disk; nil as long as there is room.
    var diskTrouble: String? { Self.trouble(state.withLock { $0.disk }, at: cache.path) }

    private static func trouble(_ disk: Disk, at path: String) -> String? {
        disk.consequence.map { "no room on the disk of \(path); \($0)" }
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
                note(backpressure.isDiskFull ? .passage : .roomy, at: cache.path)
                return backpressure
            } catch {
                guard case .diskFull(let path) = error else { throw error }
                note(.nothing, at: path)
            }
            if state.withLock({ $0.isStopping }) {
                log.warning("stopping without room on the disk; what could not be stored is read again by the next run")
                throw CancellationError()
            }
            try await Task.sleep(for: .seconds(1))
        }
    }

    /// Says how it is with the disk if that has become worse, or well again.
    private func note(_ disk: Disk, at path: String) {
        let before = state.withLock { state in
            defer { if disk == .roomy || disk.rawValue > state.disk.rawValue { state.disk = disk } }
            return state.disk
        }
        if disk == .roomy, before != .roomy {
            log.info("there is room on the disk again; reading goes on", key: "room")
        } else if disk.rawValue > before.rawValue, let trouble = Self.trouble(disk, at: path) {
            log.error("\(trouble)", key: "disk \(disk)")
        }
    }
}
