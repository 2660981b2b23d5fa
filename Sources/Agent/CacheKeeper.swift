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
    private let isStopping = Mutex(false)

    init(_ cache: RecordCache, log: Log) {
        self.cache = cache
        self.log = log
    }

    /// Ends any waiting: what cannot be stored now is read again by the next run.
    func stop() {
        isStopping.withLock { $0 = true }
    }

    /// Gives the streams that should not be read for now.
    ///
    /// - Throws: `CancellationError` if it was told to stop and there is no room; a `CacheError` that does not pass.
    func append(_ harvest: Harvest) async throws -> Backpressure {
        var isWaiting = false
        while true {
            do throws(CacheError) {
                let backpressure = try await cache.append(harvest)
                if isWaiting { log.info("there is room on the disk again; reading goes on", key: "room") }
                return backpressure
            } catch {
                guard case .diskFull(let path) = error else { throw error }
                if !isWaiting {
                    log.error("no room on the disk of \(path); reading waits until there is some", key: "disk full")
                }
                isWaiting = true
            }
            if isStopping.withLock({ $0 }) {
                log.warning("stopping without room on the disk; what could not be stored is read again by the next run")
                throw CancellationError()
            }
            try await Task.sleep(for: .seconds(1))
        }
    }
}
