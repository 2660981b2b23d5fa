import Cache
import Flushing
import Records
import Testing

@Suite(.timeLimit(.minutes(1))) struct FlushEngineTests {
    private func numbers(_ range: Range<Int>) -> [String] { range.map { "\($0)" } }

    private let slowDown = Refusal(code: "ServiceUnavailableException", isThrottle: true)

    private var hour: FlushPolicy {
        var policy = Rig.quick
        policy.maxAge = .seconds(3_600)
        return policy
    }

    // MARK: Delivering

    @Test func `records arrive in order and leave the cache`() async throws {
        let rig = try Rig { _ in .accepted }
        try await rig.record(numbers(0..<700))
        try await running(rig.engine()) {
            try await rig.record(numbers(700..<2_000))
            await rig.waitUntilGone(2_000)
        }
        #expect(rig.model.accepted[rig.stream] == numbers(0..<2_000))
        #expect(rig.model.disorders.isEmpty)
        #expect(await rig.cache.stored == Backlog())
    }

    @Test func `a full batch does not wait for its age, the rest does until asked`() async throws {
        let rig = try Rig { _ in .accepted }
        let engine = rig.engine(hour)
        try await running(engine) {
            // What is there at the start goes at once; the stream must have started before the rest comes.
            try await rig.record(numbers(0..<1))
            await engine.flush(rig.stream)
            await rig.waitUntilGone(1)
            // The wish is over when the cache is empty: what comes now waits.
            while await rig.cache.stored != Backlog() { await Task.yield() }
            try await rig.record(numbers(1..<502))
            await rig.waitUntilGone(501)
            #expect(rig.model.requests.map(\.texts.count) == [1, 500])
            await engine.flush(rig.stream)
            await rig.waitUntilGone(502)
        }
        #expect(rig.model.requests.map(\.texts.count) == [1, 500, 1])
    }

    @Test func `a stream that is only in the cache is served too`() async throws {
        let rig = try Rig(streams: ["logs", "earlier"]) { _ in .accepted }
        try await rig.record(["a"], to: rig.streams[1])
        let engine = rig.engine(hour, policies: [rig.stream: hour])
        try await running(engine) { await rig.waitUntilGone(1) }
        #expect(rig.model.accepted[rig.streams[1]] == ["a"])
    }

    @Test func `as many requests are in flight as allowed`() async throws {
        let inFlight = Watched(0)
        let rig = try Rig { _ in
            inFlight.change { $0 += 1 }
            await inFlight.wait { $0 >= 3 }
            return .accepted
        }
        var policy = Rig.quick
        policy.requestsInFlight = 3
        try await rig.record(numbers(0..<1_500))
        try await running(rig.engine(policy)) { await rig.waitUntilGone(1_500) }
        #expect(Set(rig.model.accepted[rig.stream] ?? []) == Set(numbers(0..<1_500)))
        #expect(inFlight.value == 3)
    }

    // MARK: Refusals

    @Test func `refused records are sent again alone or before newer ones`() async throws {
        let rig = try Rig { [slowDown] request in
            guard request.number == 1 else { return .accepted }
            return .partlyAccepted(request.texts.indices.map { $0 % 100 == 7 ? slowDown : nil })
        }
        try await rig.record(numbers(0..<1_000))
        try await running(rig.engine()) { await rig.waitUntilGone(1_000) }
        #expect(rig.model.requests[1].texts.prefix(5) == ["7", "107", "207", "307", "407"])
        #expect(rig.model.accepted[rig.stream]?.count == 1_000)
        #expect(rig.model.disorders.isEmpty)
        let summaries = rig.events.value.map(\.summary)
        #expect(
            summaries.prefix(2) == [
                "delivered 495 records, 1377 bytes", "refused 5 of 500: ServiceUnavailableException",
            ]
        )
    }

    @Test func `an answer that refuses every record is a throttled request`() async throws {
        let rig = try Rig { [slowDown] request in
            request.number == 1 ? .partlyAccepted(request.texts.map { _ in slowDown }) : .accepted
        }
        try await rig.record(["a", "b"])
        try await running(rig.engine()) {
            await rig.events.wait { $0.last?.summary == "recovered" }
        }
        #expect(
            rig.events.value.map(\.summary) == [
                "refused 2 of 2: ServiceUnavailableException",
                "failed: all 2 records were refused: ServiceUnavailableException",
                "delivered 2 records, 2 bytes",
                "recovered",
            ]
        )
    }

    @Test func `an answer for another number of records accepts none`() async throws {
        let rig = try Rig { request in request.number == 1 ? .partlyAccepted([]) : .accepted }
        try await rig.record(["a", "b"])
        try await running(rig.engine()) { await rig.waitUntilGone(2) }
        #expect(rig.model.requests.map(\.texts) == [["a", "b"], ["a", "b"]])
    }

    @Test(arguments: [DeliveryFailure.Kind.throttled, .unreachable, .credentials, .configuration, .tooLarge])
    func `a failed batch is sent again and the recovery is told`(kind: DeliveryFailure.Kind) async throws {
        let rig = try Rig { request in
            request.number == 1 ? .failed(DeliveryFailure(kind, reason: "no")) : .accepted
        }
        try await rig.record(["a", "b"])
        try await running(rig.engine()) {
            await rig.waitUntilGone(2)
            await rig.events.wait { $0.contains { $0.summary == "recovered" } }
        }
        #expect(rig.events.value.first?.summary == "failed: no")
        #expect(rig.model.accepted[rig.stream] == ["a", "b"])
    }

    @Test func `a record refused more often than allowed is set aside, and only answers count`() async throws {
        let rig = try Rig { [slowDown] request in
            switch request.number {
            case 1...5: .failed(DeliveryFailure(.unreachable, reason: "gone"))
            case 6: .failed(DeliveryFailure(.throttled, reason: "slow"))
            default: .partlyAccepted(request.texts.map { $0 == "b" ? slowDown : nil })
            }
        }
        var policy = Rig.quick
        policy.maxRetries = 2
        try await rig.record(["a", "b", "c"])
        try await running(rig.engine(policy)) { await rig.waitUntilGone(3) }
        #expect(rig.model.requests.map(\.texts.count) == [3, 3, 3, 3, 3, 3, 3, 1])
        #expect(rig.model.accepted[rig.stream] == ["a", "c"])
        #expect(try await rig.cache.deadLetters().count == 1)
        #expect(rig.events.value.last?.summary == "set aside 1: refused more often than maxRetries allows")
    }

    @Test(arguments: [0, 1, 249, 250, 499])
    func `the one invalid record of a batch is set aside and everything else arrives`(poison: Int) async throws {
        let rig = try Rig { request in
            request.texts.contains("\(poison)") ? .failed(DeliveryFailure(.invalid, reason: "bad")) : .accepted
        }
        try await rig.record(numbers(0..<500))
        try await running(rig.engine()) { await rig.waitUntilGone(500) }
        #expect(rig.model.accepted[rig.stream] == numbers(0..<500).filter { $0 != "\(poison)" })
        #expect(rig.events.value.map(\.summary).filter { $0.hasPrefix("set aside") } == ["set aside 1: bad"])
        let deadLetters = try await rig.cache.deadLetters()
        #expect(deadLetters.count == 1)
        #expect(deadLetters.lastReason == "bad")
        #expect(await rig.cache.stored == Backlog())
    }

    // MARK: Trouble

    @Test(arguments: [DeliveryFailure.Kind.throttled, .unreachable, .credentials, .configuration])
    func `a stream in trouble does not delay another`(kind: DeliveryFailure.Kind) async throws {
        let rig = try Rig(streams: ["good", "bad"]) { request in
            request.stream.text == "good"
                ? .accepted : .failed(DeliveryFailure(kind, reason: "no", retryAfter: .seconds(600)))
        }
        try await rig.record(["x"], to: rig.streams[1])
        try await running(rig.engine()) {
            await rig.events.wait { $0.contains { $0.summary == "failed: no" } }
            for number in 0..<20 {
                try await rig.record(["more \(number)"], to: rig.streams[1])
                try await rig.record(["\(number)"])
                await rig.waitUntilGone(number + 1)
            }
            #expect(await rig.cache.backlog(of: rig.streams[1]).records == 21, "what rests is not lent")
        }
        #expect(rig.model.requests.count { $0.stream == rig.streams[1] } == 1)
    }

    @Test func `a flush ends a rest`() async throws {
        let rig = try Rig { request in
            request.number == 1 ? .failed(DeliveryFailure(.configuration, reason: "no")) : .accepted
        }
        var policy = Rig.quick
        policy.configuration = Backoff(initial: .seconds(3_600), max: .seconds(3_600))
        let engine = rig.engine(policy)
        try await rig.record(["a"])
        try await running(engine) {
            await rig.events.wait { !$0.isEmpty }
            await engine.flush()
            await rig.waitUntilGone(1)
        }
        #expect(rig.model.requests.map(\.texts) == [["a"], ["a"]])
    }

    // MARK: Ending

    @Test func `cancelling gives up a request that hangs, and its records stay`() async throws {
        let rig = try Rig(streams: ["good", "hanging"]) { request in
            guard request.stream.text == "hanging" else { return .accepted }
            try? await Task.sleep(for: .seconds(3_600))
            return .failed(DeliveryFailure(.unreachable, reason: "cancelled"))
        }
        try await rig.record(["a"], to: rig.streams[1])
        try await running(rig.engine()) {
            await rig.destination.model.wait { !$0.requests.isEmpty }
            try await rig.record(["b"])
            await rig.waitUntilGone(1)
        }
        #expect(await rig.cache.backlog(of: rig.streams[1]) == Backlog(records: 1, bytes: 1))
        #expect(await rig.cache.stored == Backlog(records: 1, bytes: 1))
        #expect(rig.events.value.map(\.summary) == ["delivered 1 records, 1 bytes"], "giving up is no failure")
    }

    @Test func `what is accepted while the engine is cancelled is not sent again`() async throws {
        let rig = try Rig { _ in
            try? await Task.sleep(for: .seconds(3_600))
            return .accepted
        }
        try await rig.record(["a"])
        try await running(rig.engine()) { await rig.destination.model.wait { !$0.requests.isEmpty } }
        #expect(await rig.cache.stored == Backlog())
    }

    @Test func `finishing sends everything that is left and returns`() async throws {
        let rig = try Rig(streams: ["one", "two"]) { _ in .accepted }
        let engine = rig.engine(hour)
        let run = Task { await engine.run() }
        try await rig.record(numbers(0..<1_203))
        try await rig.record(["x"], to: rig.streams[1])
        await engine.finish()
        await run.value
        #expect(rig.model.accepted == [rig.streams[0]: numbers(0..<1_203), rig.streams[1]: ["x"]])
        #expect(await rig.cache.stored == Backlog())
    }

    @Test func `finishing gives up where a stream fails, not where one is refused in part`() async throws {
        let rig = try Rig(streams: ["partly", "never"]) { [slowDown] request in
            if request.stream.text == "never" { return .failed(DeliveryFailure(.unreachable, reason: "no")) }
            return .partlyAccepted(request.texts.indices.map { $0 > 0 ? slowDown : nil })
        }
        let engine = rig.engine()
        for stream in rig.streams { try await rig.record(numbers(0..<5), to: stream) }
        await engine.finish()
        await engine.run()
        #expect(rig.model.accepted[rig.streams[0]] == numbers(0..<5))
        #expect(rig.model.requests.count { $0.stream == rig.streams[1] } == 1)
        #expect(await rig.cache.stored == Backlog(records: 5, bytes: 5))
    }
}
