import Platform

/// Dates of HTTP headers, in the one form that servers may send: `Sun, 06 Nov 1994 08:49:37 GMT`.
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Seconds since 1970; nil if `text` is no such date.
    static func unixSeconds(_ text: String) -> Int? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT", let day = Int(parts[1]),
            let month = months.firstIndex(of: String(parts[2])), let year = Int(parts[3])
        else { return nil }
        let clock = parts[4].split(separator: ":", omittingEmptySubsequences: false).compactMap { Int($0) }
        guard clock.count == 3 else { return nil }
        return UTCTime.unixSeconds(
            year: year,
            month: month + 1,
            day: day,
            hour: clock[0],
            minute: clock[1],
            second: clock[2]
        )
    }
}
