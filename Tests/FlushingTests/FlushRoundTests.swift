import Cache
import Flushing
import Records
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct FlushRoundTests {
    private let slowDown = Refusal(code: "ServiceUnavailableException", isThrottle: true)
    private let offline = DeliveryFailure(.unreachable, reason: "no route to host")
    private let denied = DeliveryFailure(
        .configuration,
        reason: "AccessDeniedException",
        answer: .init(code: "AccessDeniedException", status: 400)
    )

    private func numbers(_ range: Range<Int>) -> [String] { range.map { "\($0)" } }

    // MARK: What is accepted

    @Test func `each stream gets one full request, and the rest waits for the next round`() async throws {
        let rig = try Rig(streams: ["a", "b", "c"]) { _ in .accepted }
        try await rig.record(numbers(0..<300))
        try await rig.record(numbers(300..<501))
        try await rig.record(numbers(0..<7), to: rig.streams[1])
        let round = RoundRig(rig)
        #expect(try await round.run() == FlushRoundResult(accepted: 507, unfinished: [rig.stream]))
        #expect(rig.model.requests.map(\.texts.count).sorted() == [7, 500])
        #expect(try await round.run() == FlushRoundResult(accepted: 1))
        #expect(try await round.run() == FlushRoundResult())
        #expect(rig.model.accepted[rig.stream] == numbers(0..<501))
        #expect(await rig.cache.stored == Backlog())
    }

    @Test func `an answer with fewer entries than records is none of the service`() async throws {
        let rig = try Rig { _ in .partlyAccepted([]) }
        try await rig.record(["a"])
        let round = RoundRig(rig, maxRetries: 0)
        guard case .undelivered(rig.stream, _)? = await round.failure() else {
            Issue.record("the round did not fail")
            return
        }
        #expect(await rig.cache.backlog(of: rig.stream) == Backlog(records: 1, bytes: 1))
    }

    // MARK: What is refused

    @Test func `refused records are sent first by the next round, and dropped after too many refusals`() async throws {
        let rig = try Rig { [slowDown] request in .partlyAccepted(request.texts.map { $0 == "b" ? slowDown : nil }) }
        try await rig.record(["a", "b", "c"])
        let round = RoundRig(rig, maxRetries: 2)
        #expect(try await round.run() == FlushRoundResult(accepted: 2))
        try await rig.record(["d"])
        #expect(try await round.run() == FlushRoundResult(accepted: 1))
        try await rig.record(["e"])
        #expect(try await round.run() == FlushRoundResult(accepted: 1))
        #expect(rig.model.requests.map(\.texts) == [["a", "b", "c"], ["b", "d"], ["b", "e"]])
        #expect(await rig.cache.stored == Backlog())
        #expect(try await rig.cache.deadLetters().count == 0)
        let code = "ServiceUnavailableException"
        #expect(
            round.summaries == [
                "delivered 2", "refused 1 of 3: \(code)", "delivered 1", "refused 1 of 2: \(code)", "delivered 1",
                "refused 1 of 2: \(code)", "dropped 1: \(code)",
            ]
        )
    }

    @Test func `an error of the service charges the whole request and skips the stream; the others go on`() async throws
    {
        let rig = try Rig(streams: ["a", "b"]) { [denied] request in
            request.stream.text == "a" ? .failed(denied) : .accepted
        }
        for round in 0..<2 { try await rig.record(["x\(round)"]) }
        try await rig.record(["y"], to: rig.streams[1])
        let round = RoundRig(rig, maxRetries: 1, limits: BatchLimits(records: 1))
        #expect(try await round.run() == FlushRoundResult(accepted: 1))
        #expect(await rig.cache.stored.records == 2)
        #expect(try await round.run() == FlushRoundResult())
        #expect(await rig.cache.stored.records == 1)
        #expect(
            Set(round.summaries.suffix(2)) == ["failed: AccessDeniedException", "dropped 1: AccessDeniedException"]
        )
        #expect(rig.model.requests.filter { $0.stream == rig.stream }.map(\.texts) == [["x0"], ["x0"]])
    }

    @Test func `a refusal of every record is an error of the service, too`() async throws {
        let rig = try Rig { [slowDown] request in .partlyAccepted(request.texts.map { _ in slowDown }) }
        try await rig.record(["a", "b"])
        let round = RoundRig(rig, maxRetries: 1)
        #expect(try await round.run() == FlushRoundResult())
        #expect(try await round.run() == FlushRoundResult())
        #expect(await rig.cache.stored == Backlog())
        let failed = "failed: all 2 records were refused: ServiceUnavailableException"
        #expect(round.summaries == [failed, failed, "dropped 2: ServiceUnavailableException"])
    }

    // MARK: What gets no answer

    @Test func `without a network nothing is charged, however often it is tried`() async throws {
        let rig = try Rig { [offline] request in request.number <= 10 ? .failed(offline) : .accepted }
        try await rig.record(["a", "b"])
        let round = RoundRig(rig, maxRetries: 0)
        for _ in 0..<10 { #expect(await round.failure() == .undelivered(rig.stream, offline)) }
        #expect(try await round.run() == FlushRoundResult(accepted: 2))
        #expect(round.summaries == ["delivered 2"])
    }

    @Test func `no stream is begun after such a failure, and those under way are finished`() async throws {
        let names = (10..<30).map { "s\($0)" }
        let begun = Watched(0)
        let rig = try Rig(streams: names) { [offline] request in
            begun.change { $0 += 1 }
            await begun.wait { $0 >= 8 }
            return request.stream.text == "s13" ? .failed(offline) : .accepted
        }
        for stream in rig.streams { try await rig.record(["x"], to: stream) }
        let round = RoundRig(rig)
        // On one thread tasks take turns; else the failing one could be held up until all the others are through.
        let failure = await withTaskExecutorPreference(rig.cache.executor) { await round.failure() }
        #expect(failure == .undelivered(try #require(StreamName("s13")), offline))
        let requests = rig.model.requests.count
        #expect(8...15 ~= requests)
        #expect(round.summaries == Array(repeating: "delivered 1", count: requests - 1))
        #expect(await rig.cache.stored.records == 20 - (requests - 1))
        #expect(await rig.cache.waitingStreams.count == 20 - (requests - 1))
    }

    @Test func `no more than eight requests are under way`() async throws {
        let flying = Watched((now: 0, most: 0))
        let rig = try Rig(streams: (10..<40).map { "s\($0)" }) { _ in
            flying.change { flying in
                flying.now += 1
                flying.most = max(flying.most, flying.now)
            }
            await Task.yield()
            flying.change { $0.now -= 1 }
            return .accepted
        }
        for stream in rig.streams { try await rig.record(["x"], to: stream) }
        #expect(try await RoundRig(rig).run() == FlushRoundResult(accepted: 30))
        #expect(flying.value.most <= 8)
    }

    @Test func `a cancelled round gives everything back`() async throws {
        let begun = Watched(0)
        let rig = try Rig(streams: (10..<30).map { "s\($0)" }) { [offline] _ in
            begun.change { $0 += 1 }
            try? await Task.sleep(for: .seconds(3_600))
            return .failed(offline)
        }
        for stream in rig.streams { try await rig.record(["x"], to: stream) }
        let round = RoundRig(rig, maxRetries: 0)
        let run = Task { await round.failure() }
        await begun.wait { $0 >= 8 }
        run.cancel()
        #expect(await run.value == .cancelled)
        #expect(rig.model.requests.count == 8)
        #expect(await rig.cache.waitingStreams == rig.streams)
        #expect(round.summaries == [])
    }

    // MARK: The cache

    @Test(.enabled(if: SmallDisk.isPossible, "mounting a small file system takes root"))
    func `what cannot be written down is given back and sent again`() async throws {
        let disk = try SmallDisk(megabytes: 3)
        try disk.takeMegabyte()
        let rig = try Rig(on: disk.directory) { request in
            if request.number == 1 { try? disk.fill() }
            return .accepted
        }
        try await rig.record((0..<100).map { "\($0)" + String(repeating: ".", count: 1_000) })
        let round = RoundRig(rig)
        #expect(await round.failure() == .storage(.diskFull(path: disk.directory.path("state/cache.db"))))
        #expect(await rig.cache.backlog(of: rig.stream).records == 100)
        disk.makeRoom()
        #expect(try await round.run() == FlushRoundResult(accepted: 100))
        #expect(rig.model.requests.count == 2)
    }

    @Test func `records that are cleared while they are sent stay cleared`() async throws {
        let began = Watched(false)
        let cleared = Watched(false)
        let rig = try Rig { [offline] _ in
            began.change { $0 = true }
            await cleared.wait { $0 }
            return .failed(offline)
        }
        try await rig.record(["a", "b"])
        let round = RoundRig(rig)
        let run = Task { await round.failure() }
        await began.wait { $0 }
        #expect(try await rig.cache.clear() == Backlog(records: 2, bytes: 2))
        try await rig.record(["c"])
        cleared.change { $0 = true }
        #expect(await run.value == .undelivered(rig.stream, offline))
        #expect(await rig.cache.backlog(of: rig.stream) == Backlog(records: 1, bytes: 1))
    }

    @Test func `a cache that was closed meanwhile is said to be`() async throws {
        let rig = try Rig { _ in .accepted }
        try await rig.record(["a"])
        let cache = rig.cache
        let destination = ScriptedDestination { _ in
            await cache.close()
            return .accepted
        }
        let round = FlushRound(of: cache, to: destination, maxRetries: 5) { _ in }
        await #expect(throws: FlushRoundError.storage(.closed)) { try await round.run() }
    }
}

/// Rounds over the cache of a rig, and what they report.
private struct RoundRig {
    private let round: FlushRound
    private let events = Watched<[FlushRoundEvent]>([])

    init(_ rig: Rig, maxRetries: Int = 5, limits: BatchLimits = BatchLimits()) {
        round = FlushRound(of: rig.cache, to: rig.destination, maxRetries: maxRetries, limits: limits) {
            [events] event in
            events.change { $0.append(event) }
        }
    }

    func run() async throws(FlushRoundError) -> FlushRoundResult { try await round.run() }

    /// What a run throws; nil if it does not.
    func failure() async -> FlushRoundError? {
        do throws(FlushRoundError) {
            _ = try await run()
            return nil
        } catch {
            return error
        }
    }

    var summaries: [String] {
        events.value.map { event in
            switch event {
            case .delivered(_, let records, _, _): "delivered \(records)"
            case .partlyRefused(_, let refused, let records, let code): "refused \(refused) of \(records): \(code)"
            case .failed(_, let failure): "failed: \(failure.reason)"
            case .dropped(_, let count, let code): "dropped \(count): \(code)"
            }
        }
    }
}
