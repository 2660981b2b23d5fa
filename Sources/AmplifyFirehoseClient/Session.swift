import Cache
import Flushing
import FoundationEssentials
import Records
import Synchronization

/// What a client works with from its start until it is closed: the cache, the connection and the flush under way.
///
/// The timer holds it too, and not the client, so that a client that nobody holds any more goes at once.
final class Session: Sendable {
    let cache: RecordCache
    private let commit: GroupCommit
    private let client: FirehoseClient
    private let round: FlushRound
    private let state = Mutex(State())

    private typealias Flush = Task<Result<FlushRoundResult, FlushRoundError>, Never>

    private struct State {
        var isClosed = false
        var isCollecting = true
        var flush: Flush?
    }

    init(
        cache: RecordCache,
        client: FirehoseClient,
        maxRetries: Int,
        report: @escaping @Sendable (FlushRoundEvent) -> Void
    ) {
        self.cache = cache
        self.client = client
        commit = GroupCommit(into: cache)
        round = FlushRound(of: cache, to: client.destination, maxRetries: maxRetries, report: report)
    }

    // MARK: Collecting

    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Whether records are taken; turned on and off by the user.
    var isCollecting: Bool {
        get { state.withLock { $0.isCollecting } }
        set { state.withLock { $0.isCollecting = newValue } }
    }

    func store(_ data: Data, for stream: StreamName) async -> GroupCommit.Outcome {
        await commit.store(data, for: stream)
    }

    // MARK: Flushing

    /// Sends at most one batch a stream.
    ///
    /// - Returns: nil if another flush is under way.
    func flush() async throws(FlushRoundError) -> FlushRoundResult? {
        guard let task = beginFlush({ [round] () throws(FlushRoundError) in try await round.run() }) else { return nil }
        return try await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }.get()
    }

    /// Sends all that waits, whatever becomes of the task that asks; a stream that refuses has one batch sent.
    func flushOnTimer() async throws(FlushRoundError) {
        let task = beginFlush { [round, weak self] () throws(FlushRoundError) in
            var total = try await round.run()
            while !total.unfinished.isEmpty, !Task.isCancelled, self?.isCollecting ?? false {
                total = try await round.run(only: total.unfinished)
            }
            return total
        }
        _ = try await task?.value.get()
    }

    /// Begins a flush in a task of its own, which `close` can end.
    private func beginFlush(
        _ flush: @escaping @Sendable () async throws(FlushRoundError) -> FlushRoundResult
    ) -> Flush? {
        state.withLock { state in
            guard state.flush == nil, !state.isClosed else { return nil }
            let task = Flush { [weak self] in
                defer { self?.state.withLock { $0.flush = nil } }
                do throws(FlushRoundError) {
                    return .success(try await flush())
                } catch {
                    return .failure(error)
                }
            }
            state.flush = task
            return task
        }
    }

    // MARK: The end

    /// Lets go of everything: a flush under way is given up, and its records stay in the cache.
    func close() async {
        let flush = state.withLock { state in
            state.isClosed = true
            return state.flush
        }
        flush?.cancel()
        _ = await flush?.value
        client.close()
        await cache.close()
    }

    /// Gives up a flush under way.
    func cancelFlush() {
        state.withLock { $0.flush }?.cancel()
    }
}
