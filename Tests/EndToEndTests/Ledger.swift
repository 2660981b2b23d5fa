import Foundation
import Synchronization
import TestSupport

/// What a service was sent by one agent after the other, and what it did with it; it misbehaves at random.
final class Ledger: Sendable {
    /// One request that was read to its end.
    struct Entry {
        /// Which run of the agent sent it.
        var run: Int
        var stream: String
        var sent: [String]
        var kept: [String]

        /// Whether the agent could not learn that the records were kept.
        var losesAnswer: Bool
    }

    private struct State {
        var entries: [Entry] = []
        var kept: Set<String> = []
        var random: SeededGenerator
        var isWellBehaved = false
    }

    private let state: Mutex<State>

    init(seed: UInt64) {
        state = Mutex(State(random: SeededGenerator(seed: seed)))
    }

    /// From now on everything is accepted.
    func behave() { state.withLock { $0.isWellBehaved = true } }

    var entries: [Entry] { state.withLock { $0.entries } }

    /// How many different lines have been kept.
    var keptCount: Int { state.withLock { $0.kept.count } }

    func requestCount(of run: Int) -> Int { state.withLock { $0.entries.count { $0.run == run } } }

    /// The service for one run of the agent.
    func standIn(for run: Int) throws -> FirehoseStandIn {
        let standIn = try FirehoseStandIn()
        standIn.answerByDefault { [self] request in
            let (answer, delay) = answer(to: request, in: run)
            // Some time in flight, so that a kill hits requests as well.
            usleep(delay)
            return answer
        }
        return standIn
    }

    private func answer(to request: FirehoseStandIn.Request, in run: Int) -> (StandInAnswer, UInt32) {
        let records = request.records.map { record in
            String(decoding: record, as: UTF8.self).split(separator: "\n").map(String.init)
        }
        return state.withLock { state in
            let delay = UInt32.random(in: 0...20_000, using: &state.random)
            let chance = state.isWellBehaved ? 100 : Int.random(in: 0..<100, using: &state.random)
            let (answer, kept, losesAnswer) = Self.misbehaviour(chance, records)
            let entry = Entry(
                run: run,
                stream: request.stream,
                sent: records.flatMap(\.self),
                kept: kept,
                losesAnswer: losesAnswer
            )
            state.entries.append(entry)
            state.kept.formUnion(kept)
            return (answer, delay)
        }
    }

    /// What is answered, which lines are kept, and whether the agent cannot know that.
    private static func misbehaviour(_ chance: Int, _ records: [[String]]) -> (StandInAnswer, [String], Bool) {
        let all = records.flatMap(\.self)
        return switch chance {
        case 0..<2: (.fail(status: 503, code: "ServiceUnavailableException"), [], false)
        case 2..<4: (.html(status: 502), [], false)
        case 4..<6: (.resetAfterReading, [], false)
        case 6..<8: (.throttleAll, [], false)
        case 8..<12: (.refuse([0: "InternalFailure"]), records.dropFirst().flatMap(\.self), false)
        case 12..<15: (.resetAfterAccepting, all, true)
        case 15..<18: (.truncated, all, true)
        case 18..<20: (.shortList, all, true)
        default: (.accept, all, false)
        }
    }
}

// MARK: The promises

extension Ledger {
    /// Lines that were never kept.
    func missing(of lines: [String]) -> Set<String> { state.withLock { Set(lines).subtracting($0.kept) } }

    /// Lines that were kept but never written.
    func invented(besides lines: [String]) -> Set<String> { state.withLock { $0.kept.subtracting(lines) } }

    /// Lines that were first sent after a later line of the same generation of their file.
    func outOfOrder() -> [String] {
        var seen: Set<String> = []
        var last: [Substring: Int] = [:]
        return entries.flatMap(\.sent).filter { line in
            guard seen.insert(line).inserted else { return false }
            let parts = line.split(separator: " ")
            let number = Int(parts[1]) ?? 0
            defer { last[parts[0]] = max(number, last[parts[0]] ?? 0) }
            return number < last[parts[0]] ?? 0
        }
    }

    /// Lines that were kept again although the agent knew, or could have known, that they had been.
    ///
    /// It cannot know if the answer was lost, or if the request was the last of its stream before a kill.
    func needlesslyRepeated() -> [String] {
        let entries = entries
        var lastOfRun: [String: Int] = [:]
        for (index, entry) in entries.enumerated() { lastOfRun["\(entry.run) \(entry.stream)"] = index }
        var known: Set<String> = []
        var repeated: [String] = []
        for (index, entry) in entries.enumerated() {
            repeated += entry.kept.filter(known.contains)
            if !entry.losesAnswer, lastOfRun["\(entry.run) \(entry.stream)"] != index { known.formUnion(entry.kept) }
        }
        return repeated
    }
}
