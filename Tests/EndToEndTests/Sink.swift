import Foundation
import Synchronization
import TestSupport

/// A service that does what a story says, and keeps the lines that it accepted.
final class Sink: Sendable {
    /// How it behaves.
    enum Mode {
        case ok
        /// Answers 503.
        case serviceUnavailable
        /// Takes requests and never answers.
        case hang
        /// Lets nobody connect, as far as a client can tell.
        case refuse
        /// Answers after so many milliseconds.
        case delay(milliseconds: UInt32)
        /// Accepts so many bytes a second, and throttles what is more.
        case throttle(bytesPerSecond: Int)
        /// Accepts four of five records at random.
        case partial
    }

    private struct State {
        var mode = Mode.ok
        var lines: [String] = []
        var streams: [String: Int] = [:]
        var random = SeededGenerator(seed: 42)
        var budget = 0.0
        var filledAt = ContinuousClock.now
    }

    private let state = Mutex(State())

    /// Makes a stand-in answer as this says from now on.
    func serve(_ standIn: FirehoseStandIn) {
        standIn.answerByDefault { [self] in answer(to: $0) }
    }

    /// Behaves like this from now on; requests that hang are dropped when it is another way.
    func become(_ mode: Mode) { state.withLock { $0.mode = mode } }

    /// The lines that it has accepted, in order, of all streams.
    var lines: [String] { state.withLock { $0.lines } }

    /// Those lines without the first ones, of which there are so many.
    func lines(after count: Int) -> [String] { state.withLock { Array($0.lines.dropFirst(count)) } }

    /// How many lines it has accepted.
    var count: Int { state.withLock { $0.lines.count } }

    /// How many lines it has accepted of one stream.
    func count(of stream: String) -> Int { state.withLock { $0.streams[stream] ?? 0 } }

    private var isHanging: Bool {
        state.withLock { if case .hang = $0.mode { true } else { false } }
    }

    private func answer(to request: FirehoseStandIn.Request) -> StandInAnswer {
        let mode = state.withLock { $0.mode }
        switch mode {
        case .serviceUnavailable: return .fail(status: 503, code: "ServiceUnavailableException")
        case .refuse: return .resetAfterReading
        case .hang:
            while isHanging { usleep(5_000) }
            return .resetAfterReading
        case .delay(let milliseconds): usleep(milliseconds * 1_000)
        case .throttle(let rate): if !admits(request, at: rate) { return .throttleAll }
        case .partial: return acceptSome(of: request)
        case .ok: break
        }
        keep(request.records, of: request.stream)
        return .accept
    }

    private func admits(_ request: FirehoseStandIn.Request, at rate: Int) -> Bool {
        state.withLock { state in
            let now = ContinuousClock.now
            let passed = (now - state.filledAt) / .seconds(1)
            state.budget = min(Double(rate), state.budget + passed * Double(rate))
            state.filledAt = now
            guard state.budget > 0 else { return false }
            state.budget -= Double(request.records.reduce(0) { $0 + $1.count })
            return true
        }
    }

    private func acceptSome(of request: FirehoseStandIn.Request) -> StandInAnswer {
        let refused = state.withLock { state in
            request.records.indices.filter { _ in Int.random(in: 0..<5, using: &state.random) == 0 }
        }
        let kept = request.records.indices.filter { !refused.contains($0) }.map { request.records[$0] }
        keep(kept, of: request.stream)
        return .refuse(Dictionary(uniqueKeysWithValues: refused.map { ($0, "ServiceUnavailableException") }))
    }

    private func keep(_ records: [[UInt8]], of stream: String) {
        let lines = records.flatMap { record in
            record.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
                .map { String(decoding: $0, as: UTF8.self) }
        }
        state.withLock { state in
            state.lines += lines
            state.streams[stream, default: 0] += lines.count
        }
    }
}
