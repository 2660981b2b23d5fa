/// How long to wait after the first failure in a row, and at most.
package struct Backoff: Sendable, Equatable {
    package var initial: Duration
    package var max: Duration

    package init(initial: Duration, max: Duration) {
        self.initial = initial
        self.max = max
    }

    /// The wait after this many failures in a row, one or more: twice as long each time.
    func doubling(_ failures: Int) -> Duration {
        min(max, initial * (1 << min(failures - 1, 30)))
    }

    /// The same short wait until these waits add up to `max`, from then on `max`.
    ///
    /// For trouble that usually ends soon, or else not for a long time.
    func steady(_ failures: Int) -> Duration {
        initial * failures <= max ? initial : max
    }

    /// This, but with neither bound below that of `other`.
    func atLeast(_ other: Backoff) -> Backoff {
        Backoff(initial: Swift.max(initial, other.initial), max: Swift.max(max, other.max))
    }
}
