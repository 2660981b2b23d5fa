import AWS
import CredentialSources
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct CredentialsCacheTests {
    private let world = World()
    private let cache: CredentialsCache

    init() {
        let world = world
        cache = CredentialsCache(now: { world.time }, of: { () throws(CredentialsError) in try await world.answer() })
    }

    /// The source of the credentials, and the clock on the wall.
    private final class World: Sendable {
        private struct State {
            var time = Duration.seconds(1_000_000)
            var life: Duration? = .seconds(3600)
            var error: CredentialsError?
            var askedCount = 0
            var isHeld = false
        }

        private let state = Mutex(State())

        var time: Duration { state.withLock { $0.time } }
        var askedCount: Int { state.withLock { $0.askedCount } }

        func pass(_ duration: Duration) { state.withLock { $0.time += duration } }
        func give(life: Duration?) { state.withLock { $0.life = life } }
        func fail(_ error: CredentialsError?) { state.withLock { $0.error = error } }
        func hold(_ isHeld: Bool) { state.withLock { $0.isHeld = isHeld } }

        func answer() async throws(CredentialsError) -> Credentials {
            let number = state.withLock { state in
                state.askedCount += 1
                return state.askedCount
            }
            while state.withLock({ $0.isHeld }) { await Task.yield() }
            let (error, expiration) = state.withLock { state in (state.error, state.life.map { state.time + $0 }) }
            if let error { throw error }
            return Credentials(
                accessKeyID: "\(number)",
                secretAccessKey: "s",
                sessionToken: "t",
                expiration: expiration,
                source: "a test"
            )
        }
    }

    private static let broken = CredentialsError.broken(place: "a test", reason: "out of order")

    /// Which answer of the source the credentials are, counted from 1; nil for its error.
    private func number() async -> Int? {
        Int((try? await cache.credentials())?.accessKeyID ?? "")
    }

    /// Waits until a renewal that nobody waits for is there.
    private func renewed(to expected: Int) async throws {
        try await waitUntil("the credentials are number \(expected)") { await number() == expected }
    }

    @Test func `temporary credentials are kept, and renewed beside their use before they expire`() async throws {
        #expect(await number() == 1)
        world.pass(.seconds(2699))
        #expect(await number() == 1)
        #expect(world.askedCount == 1)
        world.pass(.seconds(1))
        world.hold(true)
        #expect(await number() == 1)
        try await waitUntil("the source is asked") { world.askedCount == 2 }
        #expect(await number() == 1)
        #expect(world.askedCount == 2)
        world.hold(false)
        try await renewed(to: 2)
        #expect(world.askedCount == 2)
    }

    @Test(arguments: [(Duration.seconds(900), Duration.seconds(675)), (.seconds(40), .seconds(30))])
    func `a short life is renewed in its last quarter`(life: Duration, due: Duration) async throws {
        world.give(life: life)
        #expect(await number() == 1)
        world.pass(due - .seconds(1))
        #expect(await number() == 1)
        #expect(world.askedCount == 1)
        world.pass(.seconds(1))
        #expect(await number() == 1)
        try await renewed(to: 2)
    }

    @Test func `credentials without an expiry are asked for each time`() async {
        world.give(life: nil)
        for expected in 1...3 { #expect(await number() == expected) }
        await cache.invalidate()
        #expect(await number() == 4)
    }

    @Test func `credentials without an expiry are kept as long as is wished, or until they are refused`() async throws {
        let kept = CredentialsCache(now: { [world] in world.time }, keepingUndatedFor: .seconds(900)) {
            [world] () throws(CredentialsError) in try await world.answer()
        }
        world.give(life: nil)
        for _ in 1...3 { #expect(try await kept.credentials().accessKeyID == "1") }
        world.pass(.seconds(900))
        #expect(try await kept.credentials().accessKeyID == "2")
        await kept.invalidate()
        #expect(try await kept.credentials().accessKeyID == "3")
    }

    @Test func `however many ask, the source is asked once`() async throws {
        world.hold(true)
        async let all = withTaskGroup { group in
            for _ in 0..<50 { group.addTask { await number() } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        try await waitUntil("the source is asked") { world.askedCount == 1 }
        world.hold(false)
        #expect(await all == Array(repeating: 1, count: 50))
        #expect(world.askedCount == 1)
    }

    @Test func `a renewal that fails is tried again now and then, and the old ones used until they are refused`()
        async throws
    {
        #expect(await number() == 1)
        let end = world.time + .seconds(3600)
        world.fail(Self.broken)
        world.pass(.seconds(2700))
        try await waitUntil("the source is asked again and again") {
            world.pass(.seconds(1))
            #expect(await number() == 1)
            return world.askedCount == 5
        }
        #expect(world.time >= end - .seconds(885), "five seconds lie between")
        world.pass(end - world.time + .seconds(3600))
        // The fifth failure may be noted only now.
        try await waitUntil("the source is asked also when they have expired") {
            world.pass(.seconds(1))
            #expect(await number() == 1)
            return world.askedCount == 6
        }
        for _ in 0..<3 { #expect(await number() == 1) }
        #expect(world.askedCount == 6)
        await cache.invalidate()
        await #expect(throws: Self.broken) { try await cache.credentials() }
        let asked = world.askedCount
        await #expect(throws: Self.broken) { try await cache.credentials() }
        #expect(world.askedCount == asked)
        world.fail(nil)
        world.pass(.seconds(5))
        #expect(await number() == asked + 1)
    }

    @Test func `a refusal of the service is one reason to ask, once a minute`() async {
        #expect(await number() == 1)
        for _ in 0..<8 { await cache.invalidate() }
        #expect(await number() == 2)
        for _ in 0..<8 { await cache.invalidate() }
        #expect(await number() == 2)
        world.pass(.seconds(60))
        await cache.invalidate()
        #expect(await number() == 3)
        #expect(world.askedCount == 3)
    }

    @Test func `after a refusal the source's own error is told, without pressing it`() async {
        #expect(await number() == 1)
        await cache.invalidate()
        world.fail(Self.broken)
        for _ in 0..<3 { await #expect(throws: Self.broken) { try await cache.credentials() } }
        #expect(world.askedCount == 2)
        world.fail(nil)
        world.pass(.seconds(5))
        #expect(await number() == 3)
    }

    @Test func `a source that fails from the start is asked each time`() async {
        world.fail(Self.broken)
        for _ in 0..<2 { await #expect(throws: Self.broken) { try await cache.credentials() } }
        world.fail(nil)
        #expect(await number() == 3)
    }

    /// The clock of this machine may be hours ahead: each answer seems to be over then.
    @Test(arguments: [Duration.seconds(4), .zero, .seconds(-7200), .seconds(-400 * 86_400)])
    func `what seems to have expired is left to the service to judge, and its source is not pressed`(
        life: Duration
    ) async throws {
        world.give(life: life)
        var used: Set<Int?> = []
        for _ in 0..<440 {
            used.insert(await number())
            world.pass(.seconds(1))
        }
        #expect(used == [1])
        #expect(world.askedCount == 1)
        world.pass(.seconds(460))
        try await renewed(to: 2)
        #expect(world.askedCount == 2)
    }

    @Test func `what seemed to have expired and is refused is soon asked for again`() async {
        world.give(life: .seconds(-7200))
        #expect(await number() == 1)
        for expected in 2...4 {
            for _ in 0..<3 { await cache.invalidate() }
            #expect(await number() == expected)
            await cache.invalidate()
            #expect(await number() == expected)
            world.pass(.seconds(5))
        }
    }

    @Test func `a clock that is set back neither loses credentials nor delays a retry`() async {
        #expect(await number() == 1)
        world.pass(.seconds(-86_400))
        #expect(await number() == 1)
        await cache.invalidate()
        world.fail(Self.broken)
        #expect(await number() == nil)
        world.fail(nil)
        world.pass(.seconds(-86_400))
        #expect(await number() == 3)
    }

    @Test func `a cancelled task does not wait, and does not take the answer from the others`() async throws {
        world.hold(true)
        async let other = number()
        let cancelled = Task { try await cache.credentials() }
        try await waitUntil("the source is asked") { world.askedCount == 1 }
        cancelled.cancel()
        await #expect(throws: CredentialsError.self) { try await cancelled.value }
        world.hold(false)
        #expect(await other == 1)
    }
}
