package import Records

/// When a stream is flushed, how much goes in one request, and how patient it is.
package struct FlushPolicy: Sendable, Equatable {
    /// What one request may hold.
    package var limits = BatchLimits()

    /// How long a record may wait for a fuller batch.
    package var maxAge: Duration = .seconds(60)

    /// The wait after the first request in a row that got no answer; it doubles with each further one.
    package var retryInitialBackoff: Duration = .milliseconds(100)

    /// The longest such wait.
    package var retryMaxBackoff: Duration = .seconds(10)

    /// How often a record may be refused before it is set aside as a dead letter; nil is for ever.
    package var maxRetries: Int?

    /// Requests at the same time, one or more.
    ///
    /// With one, records go out in order; with more, a batch may overtake one that has to be sent again.
    package var requestsInFlight = 1

    /// How many bytes of records may be sent a second, however many the service takes; nil is no such limit.
    package var maxBytesPerSecond: Int?

    /// How many records may be sent a second, however many the service takes; nil is no such limit.
    package var maxRecordsPerSecond: Int?

    /// The waits of a stream that is at its limit; never below those of `retryInitialBackoff` and `retryMaxBackoff`.
    package var throttled = Backoff(initial: .seconds(1), max: .seconds(10))

    /// The waits for credentials: the short one for as long as the long one takes, then the long one.
    package var credentials = Backoff(initial: .seconds(5), max: .seconds(60))

    /// The waits for an operator who mends the stream.
    package var configuration = Backoff(initial: .seconds(1), max: .seconds(30))

    /// The wait after the cache could not read or write.
    package var storageRetry: Duration = .seconds(1)

    package init() {}

    /// The waits of a request that got no answer; never none at all.
    var unanswered: Backoff {
        let least = Duration.milliseconds(1)
        return Backoff(initial: max(least, retryInitialBackoff), max: max(least, retryMaxBackoff))
    }

    /// The waits of a stream that is at its limit.
    var overLimit: Backoff { throttled.atLeast(unanswered) }
}
