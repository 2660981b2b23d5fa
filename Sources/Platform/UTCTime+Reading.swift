import Glibc

extension UTCTime {
    /// The seconds from the start of 1970 to a time as people write it; nil if no calendar has it.
    package static func unixSeconds(
        year: Int,
        month: Int,
        day: Int,
        hour: Int,
        minute: Int,
        second: Int
    ) -> Int? {
        guard (1970...9999).contains(year), (1...12).contains(month), (1...31).contains(day),
            (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        var parts = unsafe tm()
        unsafe parts.tm_year = CInt(year - 1900)
        unsafe parts.tm_mon = CInt(month - 1)
        unsafe parts.tm_mday = CInt(day)
        unsafe parts.tm_hour = CInt(hour)
        unsafe parts.tm_min = CInt(minute)
        unsafe parts.tm_sec = CInt(second)
        let seconds = unsafe timegm(&parts)
        // The 30th of February would have become a day of March.
        return UTCTime(unixSeconds: seconds - second).day == day ? seconds : nil
    }
}
