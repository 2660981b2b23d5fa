import Cache
import FoundationEssentials
import Records
import Synchronization

/// Stores the records of many tasks with few transactions: while one group is written, the next one gathers.
///
/// The first task of a group writes it for all of them; the others wait. So there is no task or thread that would have to
/// be ended, and a single task pays for nothing but its own transaction.
final class GroupCommit: Sendable {
    private let cache: RecordCache
    private let state = Mutex(State())

    private struct State {
        /// What gathers, and for each record who waits for it; nil is the one that has the turn to write.
        var group = RecordGroup()
        var waiters: [CheckedContinuation<Turn, Never>?] = []

        /// Whether some task has the turn to write.
        var isWriting = false

        /// Memory of groups that were written.
        var spare = RecordGroup()
    }

    /// Bytes of the largest group whose memory serves again.
    private static let recycledBytes = 1 << 20

    /// What a task is told when its waiting is over.
    private enum Turn {
        /// Write the group, of which its record is the first.
        case write
        case done(Outcome)
    }

    /// What became of one record.
    enum Outcome: Sendable {
        case stored
        /// It would have taken the cache past its limit.
        case refused
        case failed(CacheError)
    }

    init(into cache: RecordCache) {
        self.cache = cache
    }

    /// Stores a record; when this returns `.stored`, it is on the disk.
    ///
    /// Goes on to its end even if the task is cancelled, which takes no longer than a transaction or two.
    func store(_ record: Data, for stream: StreamName) async -> Outcome {
        let turn = await withCheckedContinuation { waiter in
            let hasTurn = state.withLock { state in
                let hasTurn = !state.isWriting
                state.isWriting = true
                state.group.append(record.span, to: stream)
                state.waiters.append(hasTurn ? nil : waiter)
                return hasTurn
            }
            if hasTurn { waiter.resume(returning: .write) }
        }
        switch turn {
        case .write: return await write()
        case .done(let outcome): return outcome
        }
    }

    /// Writes the group that has gathered, tells everybody, and passes the turn on.
    ///
    /// - Returns: what became of its first record.
    private func write() async -> Outcome {
        // Tasks that are ready to run have their records in this group rather than wait for the next.
        await Task.yield()
        let (group, waiters) = takeGroup()
        let outcomes = await outcomes(of: group)
        for (index, waiter) in waiters.enumerated() { waiter?.resume(returning: .done(outcomes(index))) }
        passTurn(recycling: group)
        return outcomes(0)
    }

    private func takeGroup() -> (RecordGroup, [CheckedContinuation<Turn, Never>?]) {
        state.withLock { state in
            let taken = (state.group, state.waiters)
            state.group = state.spare
            state.spare = RecordGroup()
            state.waiters = []
            return taken
        }
    }

    private func outcomes(of group: RecordGroup) async -> (Int) -> Outcome {
        do throws(CacheError) {
            let isStored = try await cache.record(group)
            return { isStored?[$0] ?? true ? .stored : .refused }
        } catch {
            return { _ in .failed(error) }
        }
    }

    private func passTurn(recycling group: consuming RecordGroup) {
        // The memory of an unusually large group is given back.
        if group.batch.bytes.count > Self.recycledBytes { group = RecordGroup() }
        group.removeAll()
        let recycled = group
        let next = state.withLock { state in
            state.spare = recycled
            guard !state.waiters.isEmpty else {
                state.isWriting = false
                return CheckedContinuation<Turn, Never>?.none
            }
            defer { state.waiters[0] = nil }
            return state.waiters[0]
        }
        next?.resume(returning: .write)
    }
}
