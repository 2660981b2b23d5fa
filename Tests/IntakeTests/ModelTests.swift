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
        let end = ContinuousClock.now + .seconds(seconds)
        var isFirst = true
        while isFirst || ContinuousClock.now < end {
            isFirst = false
            guard try await passes(seed) else { return }
            seed += 1
        }
    }

    private func passes(_ seed: UInt64) async throws -> Bool {
        let bench = try Bench()
        let model = LogModel(bench, seed: seed)
        try await model.prepare()
        for _ in 0..<80 { try await model.step() }
        try await model.finish()
        let failure = await failure(of: model, bench)
        try await bench.stop()
        guard let failure else { return true }
        Issue.record(
            """
            seed \(seed) (\(model.setting)): \(failure)
            \(model.history.joined(separator: "\n"))
            The intakes said:
            \(bench.events.map { "\($0)" }.joined(separator: "\n"))
            """
        )
        return false
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
        var places: [String: Int] = [:]
        for (place, line) in lines.enumerated() where places.updateValue(place, forKey: line) != nil {
            return "came twice: \(line)"
        }
        let known = Set(model.generations.flatMap { $0.lines + $0.doubtful })
        if let stranger = lines.first(where: { !known.contains($0) }) { return "nobody wrote: \(stranger)" }
        for generation in model.generations {
            let order = generation.lines.compactMap { places[$0] }
            if order != order.sorted() { return "in disorder: \(generation.lines)" }
        }
        return nil
    }
}
