import Glibc

/// The calendar's time, which may jump; what must not jump uses `ContinuousClock`.
package enum WallClock {
    /// The time since 1970, UTC.
    package static func now() -> Duration {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Milliseconds since 1970-01-01 00:00 UTC.
    package static var milliseconds: Int {
        now().wholeMilliseconds
    }
}
