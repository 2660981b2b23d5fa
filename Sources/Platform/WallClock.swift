import Glibc

/// The time of day, which may jump; for what people read, never for how long something took.
package enum WallClock {
    /// The time since 1970, UTC.
    package static func now() -> Duration {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
