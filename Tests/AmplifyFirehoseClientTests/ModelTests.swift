import AmplifyFirehoseClient
import Foundation
import Synchronization
import TestSupport
import Testing

/// Random sequences of everything that can happen to a client, against a model of what must be where.
///
/// A sequence that fails is named by its seed. `FIRETAIL_MODEL_SECONDS` has it go on longer than 5 s,
/// `FIRETAIL_MODEL_SEED` begins with the sequence that failed.
struct ModelTests {
    @Test func `every accepted record is delivered once, in order, unless an answer was lost`() async throws {
        let environment = ProcessInfo.processInfo.environment
        let seconds = environment["FIRETAIL_MODEL_SECONDS"].flatMap { Int($0) } ?? 5
        var seed = environment["FIRETAIL_MODEL_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0..<1_000_000_000)
        let end = ContinuousClock.now + .seconds(seconds)
        repeat {
            do {
                var model = try ClientModel(seed: seed)
                try await model.run(steps: 60)
            } catch {
                Issue.record("seed \(seed): \(error)")
                return
            }
            seed += 1
        } while ContinuousClock.now < end
    }
}

/// One client, the service, and what is known of every record.
private struct ClientModel {
    private let scene: ClientScene
    private var client: AmplifyFirehoseClient
    private var random: SeededGenerator
    private let maxRetries: Int
    private var isEnabled = true
    private var cachePath: String
    private var crashes = 0
    private var nextRecord = 0

    /// What must be cached, oldest first, for each stream.
    private var cached: [String: [Record]] = [:]

    /// Records whose request was not answered: they may have arrived any number of times.
    private var uncertain: Set<String> = []

    /// What must have been accepted, in order, for each stream.
    private var accepted: [String: [String]] = [:]
    private var droppedCount = 0

    private struct Record {
        let text: String
        var refusals = 0
    }

    /// What the service does with the requests of one flush.
    private enum Weather: CaseIterable {
        case fair, partial, throttled, refused, cut, lostAnswer, page
    }

    private struct Difference: Error, CustomStringConvertible {
        let description: String
    }

    private static let streams = ["one", "two", "three"]

    init(seed: UInt64) throws {
        scene = try ClientScene()
        random = SeededGenerator(seed: seed)
        maxRetries = Int.random(in: 0...3, using: &random)
        cachePath = scene.cachePath
        client = try Self.client(scene, cachePath, maxRetries)
    }

    mutating func run(steps: Int) async throws {
        for _ in 0..<steps { try await step() }
        scene.service.answerByDefault { _ in .accept }
        while try await flush(.fair) > 0 {}
        try await compare()
        await client.close()
    }

    private mutating func step() async throws {
        switch Int.random(in: 0..<100, using: &random) {
        case ..<45: try await record(Int.random(in: 1...8, using: &random))
        case ..<50: try await record(Int.random(in: 400...700, using: &random))
        case ..<85: _ = try await flush(Weather.allCases.randomElement(using: &random) ?? .fair)
        case ..<91: try await restart()
        case ..<97:
            isEnabled.toggle()
            if isEnabled { await client.enable() } else { await client.disable() }
        default:
            let count = cached.values.reduce(0) { $0 + $1.count }
            let cleared = try await client.clearCache().recordsCleared
            guard cleared == count else { throw Difference(description: "cleared \(cleared) records of \(count)") }
            cached = [:]
        }
        try await compare()
    }

    /// Records some texts at once, all of one stream.
    private mutating func record(_ count: Int) async throws {
        let stream = Self.streams.randomElement(using: &random) ?? ""
        let texts = (nextRecord..<nextRecord + count).map { "\($0)" }
        nextRecord += count
        let isSequential = count <= 8
        if isSequential {
            for text in texts { try await client.record(text, to: stream) }
        } else {
            try await withThrowingTaskGroup { [client] group in
                for text in texts { group.addTask { try await client.record(text, to: stream) } }
                try await group.waitForAll()
            }
        }
        guard isEnabled else { return }
        // What came at once may lie in any order; the service will tell which.
        cached[stream, default: []] += texts.map { Record(text: $0) }
        if !isSequential { unordered.formUnion(texts) }
    }

    /// Records that were stored at once with others.
    private var unordered: Set<String> = []

    /// Closes the client, or has it crash, and makes another.
    private mutating func restart() async throws {
        let isCrash = Bool.random(using: &random)
        let path = isCrash ? try scene.copyOfCache(at: cachePath, named: "crash \(crashes).db") : cachePath
        if isCrash { crashes += 1 }
        await client.close()
        cachePath = path
        client = try Self.client(scene, path, maxRetries)
        isEnabled = true
    }

    private static func client(_ scene: ClientScene, _ path: String, _ maxRetries: Int) throws -> AmplifyFirehoseClient
    {
        try scene.client {
            $0.maxRetries = maxRetries
            $0.cachePath = path
        }
    }

    // MARK: Flushing

    /// Flushes in some weather, and works out from the requests what must be cached then.
    ///
    /// - Returns: how many records were accepted.
    private mutating func flush(_ weather: Weather) async throws -> Int {
        let salt = random.next()
        scene.service.answerByDefault { Self.answer(weather, to: $0, salt) }
        let before = scene.service.requests.count
        var flushed = 0
        var hasThrown = false
        do {
            flushed = try await client.flush().recordsFlushed
        } catch FirehoseError.unknown {
            hasThrown = true
        }
        let isUnanswered = weather == .cut || weather == .lostAnswer || weather == .page
        let requests = Array(scene.service.requests[before...])
        guard hasThrown == (isUnanswered && !requests.isEmpty) else {
            throw Difference(description: "in \(weather), \(requests.count) requests: thrown is \(hasThrown)")
        }
        var expected = 0
        for request in requests { expected += try settle(request, weather, salt) }
        guard flushed == (hasThrown ? 0 : expected) else {
            throw Difference(description: "flushed \(flushed) records instead of \(expected) in \(weather)")
        }
        return flushed
    }

    private static func answer(_ weather: Weather, to request: FirehoseStandIn.Request, _ salt: UInt64) -> StandInAnswer
    {
        switch weather {
        case .fair: .accept
        case .partial:
            .refuse(refusals(of: request, salt))
        case .throttled: .throttleAll
        case .refused: .fail(status: 400, code: "ResourceNotFoundException")
        case .cut: .resetAfterReading
        case .lostAnswer: .resetAfterAccepting
        case .page: .html(status: 502)
        }
    }

    /// Which records of a request are refused in part: always the same ones for the same request.
    private static func refusals(of request: FirehoseStandIn.Request, _ salt: UInt64) -> [Int: String] {
        var generator = SeededGenerator(seed: salt &+ UInt64(request.records.count))
        let refused = request.records.indices.filter { _ in Int.random(in: 0..<3, using: &generator) == 0 }
        return Dictionary(uniqueKeysWithValues: refused.map { ($0, "ServiceUnavailableException") })
    }

    /// Checks one request against what is cached, and does to that what the answer means.
    private mutating func settle(
        _ request: FirehoseStandIn.Request,
        _ weather: Weather,
        _ salt: UInt64
    ) throws -> Int {
        let stream = request.stream
        let texts = request.records.map(text)
        let queue = cached[stream] ?? []
        guard texts.count == min(500, queue.count) else {
            throw Difference(description: "a request of \(texts.count) records while \(queue.count) are cached")
        }
        var known = Dictionary(uniqueKeysWithValues: queue.map { ($0.text, $0) })
        let sent = texts.compactMap { known.removeValue(forKey: $0) }
        guard sent.count == texts.count else {
            throw Difference(description: "a request of \(stream) has a record that is not cached, or has it twice")
        }
        try checkOrder(texts, queue.map(\.text))
        let refused: Set<Int>
        switch weather {
        case .fair: refused = []
        case .partial: refused = Set(Self.refusals(of: request, salt).keys)
        case .throttled, .refused: refused = Set(texts.indices)
        case .cut, .lostAnswer, .page:
            if weather == .lostAnswer { uncertain.formUnion(texts) }
            return 0
        }
        var rest: [Record] = []
        for (index, record) in sent.enumerated() where refused.contains(index) {
            if record.refusals + 1 > maxRetries {
                droppedCount += 1
            } else {
                rest.append(Record(text: record.text, refusals: record.refusals + 1))
            }
        }
        let delivered = sent.indices.filter { !refused.contains($0) }.map { sent[$0].text }
        accepted[stream, default: []] += delivered
        cached[stream] = rest + queue.filter { known[$0.text] != nil }
        return delivered.count
    }

    /// Records that were stored one after the other are sent in that order.
    private func checkOrder(_ sent: [String], _ queue: [String]) throws {
        let wanted = Set(sent)
        guard
            sent.filter({ !unordered.contains($0) }) == queue.filter({ wanted.contains($0) && !unordered.contains($0) })
        else { throw Difference(description: "sent out of order") }
    }

    // MARK: Comparing

    private func compare() async throws {
        let records = cached.values.joined()
        let bytes = records.reduce(0) { $0 + $1.text.utf8.count }
        let size = try await client.cacheSize
        guard size == CacheSize(bytes: bytes, records: records.count) else {
            throw Difference(description: "\(size) cached instead of \(records.count) records of \(bytes) bytes")
        }
        guard scene.drops.reduce(0, { $0 + $1.count }) == droppedCount else {
            throw Difference(description: "\(scene.drops) told instead of \(droppedCount) records")
        }
        for stream in Self.streams {
            let delivered = scene.delivered(stream).filter { !uncertain.contains($0) }
            let expected = (accepted[stream] ?? []).filter { !uncertain.contains($0) }
            guard delivered == expected else { throw Difference(description: "stream \(stream) has other records") }
        }
    }
}
