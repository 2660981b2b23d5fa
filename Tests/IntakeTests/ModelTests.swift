import Foundation
import Intake
import TestSupport
import Testing

/// Random steps of writers, logrotate and crashes against what must come of them.
///
/// `FIRETAIL_MODEL_SECONDS` has it go on longer, `FIRETAIL_MODEL_SEED` begins with the sequence that failed.
@Suite struct ModelTests {
    @Test func `every line that can be read comes once, whole and in order`() async throws {
        let environment = ProcessInfo.processInfo.environment
        let seconds = environment["FIRETAIL_MODEL_SECONDS"].flatMap { Int($0) } ?? 10
        var seed = environment["FIRETAIL_MODEL_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0..<1_000_000_000)
        let first = seed
        let end = ContinuousClock.now + .seconds(seconds)
        repeat {
            if let failure = try await run(seed, Array(0..<80)) {
                Issue.record("\(try await shrunk(failure, seed))")
                return
            }
            seed += 1
        } while ContinuousClock.now < end
        print("The model and the intake agreed from seed \(first) to \(seed - 1).")
    }

    /// A sequence of steps that went wrong.
    private struct Failure: CustomStringConvertible {
        let steps: [Int]
        let description: String
    }

    /// Does some of the steps of a seed.
    ///
    /// - Returns: what went wrong.
    private func run(_ seed: UInt64, _ steps: [Int]) async throws -> Failure? {
        let bench = try Bench()
        let model = LogModel(bench, seed: seed)
        try await model.prepare()
        for step in steps { try await model.step(step) }
        try await model.finish()
        let failure = await failure(of: model, bench)
        try await bench.stop()
        // Other tests or processes may have taken all inotify instances: polling sees less.
        let hasEvents = bench.count { if case .polling = $0 { true } else { false } } == 0
        guard let failure, hasEvents else { return nil }
        let description = """
            seed \(seed), \(steps.count) steps (\(model.setting)): \(failure)
            \(model.history.joined(separator: "\n"))
            The intakes said:
            \(bench.events.map { "\($0)" }.joined(separator: "\n"))
            """
        return Failure(steps: steps, description: description)
    }

    /// The same failure with fewer steps, as few as can be found in a minute.
    private func shrunk(_ failure: Failure, _ seed: UInt64) async throws -> Failure {
        let end = ContinuousClock.now + .seconds(60)
        var smallest = failure
        var size = failure.steps.count / 2
        while size > 0 {
            var start = 0
            while start < smallest.steps.count, ContinuousClock.now < end {
                var steps = smallest.steps
                steps.removeSubrange(start..<min(start + size, steps.count))
                if let smaller = try await run(seed, steps) { smallest = smaller } else { start += size }
            }
            size /= 2
        }
        return smallest
    }

    private func failure(of model: LogModel, _ bench: Bench) async -> String? {
        let must = Set(model.generations.flatMap { Set($0.lines).subtracting($0.doubtful) })
        do {
            try await waitUntil("all lines have come", timeout: .seconds(5)) {
                must.isSubset(of: bench.store.lines(of: .logs))
            }
            try await waitUntil("no checkpoint is left of a file that is gone", timeout: .seconds(5)) {
                try bench.store.now.checkpoints.count <= bench.directory.fileCount()
            }
        } catch {
            let missing = must.subtracting(bench.store.lines(of: .logs)).sorted()
            return "\(error); missing: \(missing), checkpoints: \(bench.store.now.checkpoints.values.map(\.path))"
        }
        let lines = bench.store.lines(of: .logs)
        let repeatable = Set(model.generations.filter(\.mayRepeat).flatMap { $0.lines + $0.doubtful })
        var places: [String: Int] = [:]
        for (place, line) in lines.enumerated() where places.updateValue(place, forKey: line) != nil {
            if !repeatable.contains(line) { return "came twice: \(line)" }
        }
        let known = Set(model.generations.flatMap { $0.lines + $0.doubtful })
        if let stranger = lines.first(where: { !known.contains($0) }) { return "nobody wrote: \(stranger)" }
        let disordered = model.generations.first { generation in
            if generation.mayRepeat { return false }
            let order = generation.lines.compactMap { places[$0] }
            return order != order.sorted()
        }
        return disordered.map { "in disorder: \($0.lines)" }
    }
}
