import Cache
import Records
import TestSupport
import Testing

/// Whatever is done to a cache in whatever order, it holds what a simple model holds.
@Suite struct RandomCacheTests {
    @Test(arguments: UInt64(1)...20)
    func `it agrees with a model of itself`(seed: UInt64) async throws {
        var run = try RandomRun(seed: seed)
        for _ in 0..<200 {
            try await run.step()
            try await run.compare()
        }
    }
}

/// A cache and its model, to which the same is done.
private struct RandomRun {
    private let fixture: Fixture
    private var cache: RecordCache
    private var model: CacheModel
    private var random: SeededGenerator
    private var leases: [(number: Int, lease: Lease)] = []
    private var numbers = 0

    /// Leases from before the cache was cleared.
    private var stale: [Lease] = []

    private static let streams = ["a", "b", "c"].compactMap { StreamName($0) }

    init(seed: UInt64) throws {
        fixture = try Fixture()
        random = SeededGenerator(seed: seed)
        model = CacheModel(maxBytes: seed % 4 == 0 ? 2_000 : 100_000)
        cache = try fixture.open(maxBytes: model.maxBytes)
    }

    mutating func step() async throws {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<30: try await record()
        case 30..<36: try await append()
        case 36..<65: try await lease()
        case 65..<94: try await settle()
        case 94..<96: try await clear()
        case 96..<98: try await settleStale()
        default: try await reopen()
        }
    }

    func compare() async throws {
        #expect(await cache.stored == model.stored)
        for stream in Self.streams {
            #expect(await cache.backlog(of: stream) == CacheModel.backlog(model.waiting(stream)))
        }
        #expect(await cache.waitingStreams == Self.streams.filter { !model.waiting($0).isEmpty })
        #expect(try await (cache.oldestCreated == nil) == model.stored.isEmpty)
        let standings = await cache.standings.values
        #expect(standings.allSatisfy { $0.records.missing == 0 && $0.lines.missing == 0 })
    }

    // MARK: What is done

    private mutating func text() -> String {
        numbers += 1
        return "\(numbers)" + String(repeating: ".", count: Int.random(in: 0..<60, using: &random))
    }

    private mutating func stream() -> StreamName { Self.streams.randomElement(using: &random) ?? Self.streams[0] }

    private mutating func record() async throws {
        let records = (0..<Int.random(in: 0...40, using: &random)).map { _ in (stream(), text()) }
        let stored = model.record(records)
        #expect(try await cache.record(RecordGroup(records)) == (stored.allSatisfy(\.self) ? nil : stored))
    }

    private mutating func append() async throws {
        let stream = stream()
        guard model.entries[stream] != nil else { return }
        let most = Int.random(in: 1...3, using: &random)
        var batch = RecordBatch()
        for _ in 0..<Int.random(in: 1...30, using: &random) {
            let entry = CacheModel.Entry(text: text(), lines: Int.random(in: min(most, 2) - 1...most, using: &random))
            batch.append(Array(entry.text.utf8).span, lines: entry.lines)
            model.entries[stream]?.append(entry)
        }
        var harvest = Harvest()
        harvest.records = [(stream, batch)]
        try await cache.append(harvest)
    }

    private mutating func lease() async throws {
        let stream = stream()
        let limits = BatchLimits(
            records: Int.random(in: 1...60, using: &random),
            bytes: Int.random(in: 1...2_000, using: &random)
        )
        let isFilling = Bool.random(using: &random)
        let fitting = model.fitting(stream, limits)
        guard let lease = try await cache.lease(stream, atMost: limits, filling: isFilling) else {
            #expect(fitting == 0)
            return
        }
        numbers += 1
        #expect(isFilling ? lease.batch.count == fitting : 1...fitting ~= lease.batch.count)
        #expect(lease.batch.texts == model.waiting(stream).prefix(lease.batch.count).map(\.text))
        let lent = model.waiting(stream).prefix(lease.batch.count)
        #expect(lease.batch.linesOfEach == lent.map(\.lines))
        #expect(lease.attempts == model.lend(lease.batch.count, of: stream, to: numbers))
        #expect(lease.waiting == CacheModel.backlog(model.waiting(stream)))
        leases.append((numbers, lease))
    }

    private mutating func settlement(of lease: Lease) -> Settlement {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4: .accepted
        case 4..<7: .partlyRefused(lease.batch.lengths.map { _ in Int.random(in: 0..<3, using: &random) == 0 })
        case 7: .returned(charged: true)
        case 8: .returned(charged: false)
        default: lease.batch.count == 1 ? .setAside(reason: "invalid") : .accepted
        }
    }

    private mutating func settle() async throws {
        guard let index = leases.indices.randomElement(using: &random) else { return }
        let (number, lease) = leases.remove(at: index)
        let settlement = settlement(of: lease)
        let maxRetries = [nil, 0, 1, 2].randomElement(using: &random) ?? nil
        let givingUp = Bool.random(using: &random) ? GivingUp.dropped : .deadLetters
        let settled = try await cache.settle(lease, as: settlement, maxRetries: maxRetries, givingUp: givingUp)
        let givenUp = model.settle(number, of: lease.stream, settlement, maxRetries: maxRetries, givingUp)
        #expect(settled.givenUp == givenUp)
        #expect(settled.waiting == CacheModel.backlog(model.waiting(lease.stream)))
        #expect(try await cache.deadLetters().count == model.deadLetters)
    }

    private mutating func clear() async throws {
        #expect(try await cache.clear() == model.stored)
        model.entries = model.entries.mapValues { _ in [] }
        stale += leases.map(\.lease)
        leases = []
    }

    private mutating func settleStale() async throws {
        guard let lease = stale.popLast() else { return }
        #expect(try await cache.settle(lease, as: settlement(of: lease), maxRetries: 0).givenUp == 0)
    }

    /// Ends with or without closing, and begins again with what is in the file.
    private mutating func reopen() async throws {
        await cache.close()
        cache = try fixture.open(maxBytes: model.maxBytes)
        leases = []
        stale = []
        model.restart()
    }
}
