/// When a failed call is made again: the standard mode of AWS's SDKs, in its form of 2026.
///
/// All calls of a client share one, and with it the tokens that retries cost, so that a service in trouble is not pressed.
/// It has no clock and no chance of its own.
package struct RetryStrategy: Sendable, Equatable {
    /// Why a call is worth another attempt.
    package enum Cause: Sendable, Equatable {
        /// A fault that is gone in a moment: retried from 50 ms up.
        case transient
        /// The service takes no more for now: retried from 1 s up.
        case throttling

        fileprivate var firstDelay: Duration { self == .transient ? .milliseconds(50) : .seconds(1) }

        /// Tokens of one retry.
        fileprivate var cost: Int { self == .transient ? 14 : 5 }
    }

    /// Attempts of one call, the first included: at least 1.
    package let maxAttempts: Int

    /// What is left for retries: 0 to 500.
    package private(set) var tokens = Self.capacity

    /// Tokens at the start, and at most.
    private static let capacity = 500

    /// No delay is longer by itself.
    private static let longestDelay = Duration.seconds(20)

    /// What the service may ask for in addition.
    private static let longestExtension = Duration.seconds(5)

    package init(maxAttempts: Int = 3) {
        self.maxAttempts = max(1, maxAttempts)
    }

    /// Decides about the next attempt, and takes the tokens that it costs.
    ///
    /// - Parameters:
    ///   - attempt: the one that failed, counted from 1.
    ///   - cause: why it failed.
    ///   - wish: how long the service asks to be left alone.
    ///   - random: between 0 and 1, anew for each call.
    /// - Returns: how long to wait before it; nil to give up.
    package mutating func delay(
        after attempt: Int,
        _ cause: Cause,
        wish: Duration? = nil,
        random: Double
    ) -> Duration? {
        guard attempt < maxAttempts, tokens >= cause.cost else { return nil }
        tokens -= cause.cost
        // Twenty doublings are beyond the longest delay from any start.
        let full = min(cause.firstDelay * (1 << min(attempt - 1, 20)), Self.longestDelay)
        let delay = full * random
        guard let wish else { return delay }
        return max(delay, min(wish, delay + Self.longestExtension))
    }

    /// Takes note of a call that succeeded; `cause` is that of its last retry, nil if it took none.
    package mutating func succeeded(afterRetryFor cause: Cause?) {
        tokens = min(tokens + (cause?.cost ?? 1), Self.capacity)
    }
}
