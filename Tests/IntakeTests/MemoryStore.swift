import Foundation
import Intake
import Platform
import Records
import Synchronization

/// What the cache would hold, stored as the cache does it: all of a harvest or nothing of it.
final class MemoryStore: Sendable {
    /// What `append` throws after the crash.
    struct Crashed: Error {}

    struct State {
        var records: [StreamName: [[UInt8]]] = [:]
        var checkpoints: [FileKey: Checkpoint] = [:]
        var adopted: Set<Adoption> = []
        var full: Set<StreamName> = []

        /// How much may still be stored of files that are far behind.
        var leads: [StreamName: Int] = [:]

        var backpressure: Backpressure {
            var backpressure = Backpressure(full)
            backpressure.leads = leads
            return backpressure
        }

        var isBlocked = false

        /// How many harvests are stored all the same.
        var admitted = 0

        var hasCrashed = false
        var harvests = 0
        var lastStored: Duration?
        var waiting = 0
    }

    struct Adoption: Hashable {
        let stream: StreamName
        let pattern: String
    }

    struct FileKey: Hashable {
        let stream: StreamName
        let file: FileIdentity
    }

    private let state = Mutex(State())

    /// What one intake sees; the store itself outlives it.
    var recordStore: RecordStore {
        RecordStore(append: { try await self.append($0) }, backpressure: { self.now.backpressure })
    }

    var now: State { state.withLock { $0 } }

    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

    private func append(_ harvest: Harvest) async throws -> Backpressure {
        change { $0.waiting += 1 }
        defer { change { $0.waiting -= 1 } }
        while !mayPass() { try? await Task.sleep(for: .milliseconds(1)) }
        return try state.withLock { state in
            guard !state.hasCrashed else { throw Crashed() }
            Self.apply(harvest, to: &state)
            return state.backpressure
        }
    }

    private func mayPass() -> Bool {
        state.withLock { state in
            if state.hasCrashed || !state.isBlocked { return true }
            guard state.admitted > 0 else { return false }
            state.admitted -= 1
            return true
        }
    }

    private static func apply(_ harvest: Harvest, to state: inout State) {
        state.harvests += 1
        if !harvest.checkpoints.isEmpty { state.lastStored = .milliseconds(WallClock.milliseconds) }
        for (stream, batch) in harvest.records {
            if let lead = state.leads[stream] { state.leads[stream] = max(0, lead - batch.bytes.count) }
            for index in batch.lengths.indices {
                state.records[stream, default: []].append(batch.records(index..<index + 1).bytes)
            }
        }
        for checkpoint in harvest.checkpoints {
            state.checkpoints[FileKey(stream: checkpoint.stream, file: checkpoint.file)] = checkpoint
        }
        for (stream, file) in harvest.finished { state.checkpoints[FileKey(stream: stream, file: file)] = nil }
        for (stream, pattern) in harvest.adopted { state.adopted.insert(Adoption(stream: stream, pattern: pattern)) }
    }

    /// What is left for the next run.
    func memory(for flows: [IntakeFlow]) -> IntakeMemory {
        let state = now
        let adopted = flows.indices.filter { index in
            state.adopted.contains(Adoption(stream: flows[index].stream, pattern: flows[index].patternText))
        }
        return IntakeMemory(
            checkpoints: Array(state.checkpoints.values),
            adoptedFlows: Set(adopted),
            lastStored: state.lastStored
        )
    }

    func records(of stream: StreamName) -> [String] {
        (now.records[stream] ?? []).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The lines of all records, without their newlines.
    func lines(of stream: StreamName) -> [String] {
        let text = records(of: stream).joined()
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
}
