import Cache
import Flushing
import Records
import TestSupport
import Testing

/// Whatever a destination answers: nothing is lost, nothing accepted is sent again, the order is kept.
@Suite(.timeLimit(.minutes(1))) struct RandomOutcomesTests {
    /// Answers at random, but never accepts an invalid record, which is one whose text begins with an x.
    private final class Chance: Sendable {
        private let generator: Watched<SeededGenerator>

        init(seed: UInt64) {
            generator = Watched(SeededGenerator(seed: seed))
        }

        func answer(_ request: ScriptedDestination.Request) -> Delivery {
            generator.change { generator in
                let kinds: [DeliveryFailure.Kind] = [.throttled, .unreachable, .credentials, .configuration, .tooLarge]
                let kind = kinds.randomElement(using: &generator) ?? .throttled
                let isInvalid = request.texts.contains { $0.hasPrefix("x") }
                switch Int.random(in: 0..<10, using: &generator) {
                case 0 where request.texts.count > 1 || kind != .tooLarge:
                    return .failed(DeliveryFailure(kind, reason: "\(kind)"))
                case _ where isInvalid:
                    return .failed(DeliveryFailure(.invalid, reason: "invalid"))
                case 1...3:
                    return .partlyAccepted(request.texts.map { _ in Self.refusal(using: &generator) })
                case 4:
                    return .failed(DeliveryFailure(.unreachable, reason: "the answer was lost"))
                default:
                    return .accepted
                }
            }
        }

        private static func refusal(using generator: inout SeededGenerator) -> Refusal? {
            guard Bool.random(using: &generator) else { return nil }
            let isThrottle = Bool.random(using: &generator)
            return Refusal(code: isThrottle ? "ServiceUnavailableException" : "InternalFailure", isThrottle: isThrottle)
        }
    }

    @Test(arguments: UInt64(1)...24)
    func `every record is accepted once or set aside, in order`(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed ^ 0xff)
        let chance = Chance(seed: seed)
        let rig = try Rig(streams: ["a", "b", "c"]) { chance.answer($0) }
        var policy = Rig.quick
        policy.limits = BatchLimits(records: [7, 50, 500].randomElement(using: &generator) ?? 7, bytes: 2_000)
        policy.requestsInFlight = seed % 3 == 0 ? 3 : 1
        var recorded: [StreamName: [String]] = [:]

        // A first engine is cancelled in the middle of its work; a second one goes on.
        try await running(rig.engine(policy)) {
            for round in 0..<6 {
                for stream in rig.streams {
                    let texts = texts(of: round, using: &generator)
                    recorded[stream, default: []] += texts
                    try await rig.record(texts, to: stream)
                }
            }
            await rig.destination.model.wait { $0.requests.count >= 3 }
        }
        let total = recorded.values.reduce(0) { $0 + $1.count }
        try await running(rig.engine(policy)) { await rig.waitUntilGone(total) }

        #expect(await rig.cache.stored == Backlog())
        let isInvalid = { (text: String) in text.hasPrefix("x") }
        for stream in rig.streams {
            let accepted = rig.model.accepted[stream] ?? []
            let expected = (recorded[stream] ?? []).filter { !isInvalid($0) }
            #expect(accepted.count == expected.count)
            #expect(Set(accepted) == Set(expected))
        }
        let poisons = recorded.values.reduce(0) { $0 + $1.count(where: isInvalid) }
        #expect(try await rig.cache.deadLetters().count == poisons)
        if policy.requestsInFlight == 1 { #expect(rig.model.disorders.isEmpty) }
        let isSentOnce = rig.model.requests.flatMap(\.texts).count == total
        #expect(!isSentOnce, "the outcomes were not random enough to prove anything")
    }

    private func texts(of round: Int, using generator: inout SeededGenerator) -> [String] {
        (0..<Int.random(in: 1...60, using: &generator)).map { index in
            let isInvalid = Int.random(in: 0..<50, using: &generator) == 0
            let padding = String(repeating: ".", count: Int.random(in: 0..<40, using: &generator))
            return "\(isInvalid ? "x" : "")\(round)-\(index)\(padding)"
        }
    }
}
