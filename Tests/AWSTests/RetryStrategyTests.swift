import AWS
import Testing

@Suite struct RetryStrategyTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var attempt = 1
        var cause = RetryStrategy.Cause.transient
        var wish: Duration?
        var random = 1.0
        var delay: Duration?
    }

    @Test(arguments: [
        Case(testDescription: "the first fault", delay: .milliseconds(50)),
        Case(testDescription: "the second", attempt: 2, delay: .milliseconds(100)),
        Case(testDescription: "the ninth", attempt: 9, delay: .milliseconds(12_800)),
        Case(testDescription: "the tenth is at the cap", attempt: 10, delay: .seconds(20)),
        Case(testDescription: "very late", attempt: 99, delay: .seconds(20)),
        Case(testDescription: "the attempts are used up", attempt: 100),
        Case(testDescription: "chance shortens it", random: 0.5, delay: .milliseconds(25)),
        Case(testDescription: "chance may be nothing", random: 0, delay: .zero),
        Case(testDescription: "throttled", cause: .throttling, delay: .seconds(1)),
        Case(testDescription: "throttled again", attempt: 3, cause: .throttling, delay: .seconds(4)),
        Case(testDescription: "the service's wish is heard", wish: .milliseconds(700), delay: .milliseconds(700)),
        Case(testDescription: "up to five seconds more", wish: .seconds(60), delay: .milliseconds(5_050)),
        Case(testDescription: "a wish never shortens", cause: .throttling, wish: .zero, delay: .seconds(1)),
    ])
    func `waits as the SDKs do`(example: Case) {
        var strategy = RetryStrategy(maxAttempts: 100)
        let delay = strategy.delay(
            after: example.attempt,
            example.cause,
            wish: example.wish,
            random: example.random
        )
        #expect(delay == example.delay)
    }

    @Test func `three attempts unless told otherwise, and never less than one`() {
        var strategy = RetryStrategy()
        #expect(strategy.delay(after: 2, .transient, random: 1) != nil)
        #expect(strategy.delay(after: 3, .transient, random: 1) == nil)
        #expect(RetryStrategy(maxAttempts: -1).maxAttempts == 1)
    }

    @Test(arguments: [(RetryStrategy.Cause.transient, 14), (.throttling, 5)])
    func `retries cost tokens until there are too few`(cause: RetryStrategy.Cause, cost: Int) {
        var strategy = RetryStrategy()
        for used in 1...(500 / cost) {
            #expect(strategy.delay(after: 1, cause, random: 0) == .zero)
            #expect(strategy.tokens == 500 - used * cost)
        }
        #expect(strategy.delay(after: 1, cause, random: 0) == nil)
        #expect((0..<cost).contains(strategy.tokens))
    }

    @Test func `success gives back what its last retry cost, or one`() {
        var strategy = RetryStrategy()
        _ = strategy.delay(after: 1, .transient, random: 0)
        _ = strategy.delay(after: 2, .throttling, random: 0)
        #expect(strategy.tokens == 481)
        strategy.succeeded(afterRetryFor: .throttling)
        #expect(strategy.tokens == 486)
        strategy.succeeded(afterRetryFor: nil)
        #expect(strategy.tokens == 487)
        strategy.succeeded(afterRetryFor: .transient)
        #expect(strategy.tokens == 500)
    }
}
