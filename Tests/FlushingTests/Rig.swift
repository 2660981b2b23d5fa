import Cache
import Flushing
import Records
import TestSupport

/// An engine between a real cache and a scripted destination.
struct Rig {
    let streams: [StreamName]
    let cache: RecordCache
    let destination: ScriptedDestination
    let events = Watched<[FlushEvent]>([])
    private let directory: TemporaryDirectory

    init(
        streams names: [String] = ["logs"],
        on directory: TemporaryDirectory? = nil,
        answer: @escaping @Sendable (ScriptedDestination.Request) async -> Delivery
    ) throws {
        self.directory = try directory ?? TemporaryDirectory()
        streams = names.compactMap { StreamName($0) }
        cache = try RecordCache(directory: self.directory.path("state"), streams: streams, maxBytes: 1 << 30)
        destination = ScriptedDestination(answer: answer)
    }

    var stream: StreamName { streams[0] }

    /// Impatient enough for a test.
    static var quick: FlushPolicy {
        let short = Backoff(initial: .milliseconds(1), max: .milliseconds(2))
        var policy = FlushPolicy()
        policy.maxAge = .milliseconds(1)
        policy.retryInitialBackoff = short.initial
        policy.retryMaxBackoff = short.max
        policy.throttled = short
        policy.credentials = short
        policy.configuration = short
        policy.storageRetry = .milliseconds(2)
        return policy
    }

    func engine(_ policy: FlushPolicy = quick, policies: [StreamName: FlushPolicy] = [:]) -> FlushEngine {
        FlushEngine(draining: cache, to: destination, policies: policies, otherPolicy: policy) { [events] event in
            events.change { $0.append(event) }
        }
    }

    func record(_ texts: [String], to stream: StreamName? = nil) async throws {
        let stream = stream ?? self.stream
        var harvest = Harvest()
        harvest.records = [(stream, RecordBatch(texts))]
        destination.model.change { $0.pending[stream, default: []] += texts }
        try await cache.append(harvest)
    }

    /// Waits until this many records were delivered or set aside.
    func waitUntilGone(_ records: Int) async {
        await events.wait { events in events.reduce(0) { $0 + $1.gone } >= records }
    }

    var model: ScriptedDestination.Model { destination.model.value }
}

extension FlushEvent {
    /// How many records are settled for good by it.
    var gone: Int {
        switch self {
        case .delivered(_, let records, _, _): records
        case .setAside(_, let count, _): count
        case .partlyRefused, .failed, .storage, .recovered: 0
        }
    }

    /// Its name and numbers, without those that differ from run to run.
    var summary: String {
        switch self {
        case .delivered(_, let records, let bytes, _): "delivered \(records) records, \(bytes) bytes"
        case .partlyRefused(_, let refused, let records, let code): "refused \(refused) of \(records): \(code)"
        case .failed(_, let failure, _): "failed: \(failure.reason)"
        case .setAside(_, let count, let reason): "set aside \(count): \(reason)"
        case .storage: "storage"
        case .recovered: "recovered"
        }
    }
}

/// Runs `body` beside the engine and cancels the engine after it; returns when that has ended.
func running(_ engine: FlushEngine, _ body: () async throws -> Void) async throws {
    let run = Task { await engine.run() }
    do {
        try await body()
    } catch {
        run.cancel()
        await run.value
        throw error
    }
    run.cancel()
    await run.value
}
