import Glibc

<<<<<<< HEAD
/// The calendar's time, which may jump; what must not jump uses `ContinuousClock`.
=======
/// The time of day, which may jump; for what people read, never for how long something took.
>>>>>>> e1368099e8e6e57ad2cc89f58d4bb7dac712b73c
package enum WallClock {
    /// The time since 1970, UTC.
    package static func now() -> Duration {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
<<<<<<< HEAD

    /// Milliseconds since 1970-01-01 00:00 UTC.
    package static var milliseconds: Int {
        now().wholeMilliseconds
    }
=======
>>>>>>> e1368099e8e6e57ad2cc89f58d4bb7dac712b73c
}
