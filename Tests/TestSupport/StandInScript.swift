import Foundation
import Synchronization

/// What a `FirehoseStandIn` is to do and what it has seen, shared by its connections' threads.
final class StandInScript: Sendable {
    private struct State {
        var queue: [StandInAnswer] = []
        var rule: @Sendable (FirehoseStandIn.Request) -> StandInAnswer = { _ in .accept }
        var requests: [FirehoseStandIn.Request] = []
        var kept: [String: [[UInt8]]] = [:]
        var hangingCount = 0
    }

    private let state = Mutex(State())
    private let gate = Gate()

    func enqueue(_ answers: [StandInAnswer]) { state.withLock { $0.queue += answers } }

    func setRule(_ rule: @escaping @Sendable (FirehoseStandIn.Request) -> StandInAnswer) {
        state.withLock { $0.rule = rule }
    }

    func next() -> StandInAnswer? { state.withLock { $0.queue.isEmpty ? nil : $0.queue.removeFirst() } }

    func rule(_ request: FirehoseStandIn.Request) -> StandInAnswer { state.withLock { $0.rule }(request) }

    func add(_ request: FirehoseStandIn.Request) { state.withLock { $0.requests.append(request) } }

    func keep(_ records: [[UInt8]], of stream: String) {
        state.withLock { $0.kept[stream, default: []] += records }
    }

    var requests: [FirehoseStandIn.Request] { state.withLock { $0.requests } }

    func records(of stream: String) -> [[UInt8]] { state.withLock { $0.kept[stream] ?? [] } }

    /// The names of the streams that it keeps records of, sorted.
    var streams: [String] { state.withLock { $0.kept.keys.sorted() } }

    var hangingCount: Int { state.withLock { $0.hangingCount } }

    /// Blocks the calling thread until `release`.
    func hang() {
        state.withLock { $0.hangingCount += 1 }
        gate.wait()
        state.withLock { $0.hangingCount -= 1 }
    }

    func release() { gate.open() }
}

/// Keeps threads waiting until it is opened, once and for good.
private final class Gate: Sendable {
    private let condition = NSCondition()
    private let isOpen = Mutex(false)

    func wait() {
        condition.lock()
        while !isOpen.withLock({ $0 }) { condition.wait() }
        condition.unlock()
    }

    func open() {
        condition.lock()
        isOpen.withLock { $0 = true }
        condition.broadcast()
        condition.unlock()
    }
}
