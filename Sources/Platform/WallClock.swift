import Glibc

/// The calendar's time, which may jump; what must not jump uses `ContinuousClock`.
package enum WallClock {
    /// Milliseconds since 1970-01-01 00:00 UTC.
    package static var milliseconds: Int {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
    }
}
