import Glibc

/// A time of day and its date, UTC, as people write it.
package struct UTCTime: Equatable, Sendable {
    package let year: Int
    package let month: Int
    package let day: Int
    package let hour: Int
    package let minute: Int
    package let second: Int

    /// The time this many seconds after the start of 1970.
    package init(unixSeconds: Int) {
        var seconds = unixSeconds
        var parts = unsafe tm()
        _ = unsafe gmtime_r(&seconds, &parts)
        year = unsafe Int(parts.tm_year) + 1900
        month = unsafe Int(parts.tm_mon) + 1
        day = unsafe Int(parts.tm_mday)
        hour = unsafe Int(parts.tm_hour)
        minute = unsafe Int(parts.tm_min)
        second = unsafe Int(parts.tm_sec)
    }
}
