import Platform

/// When a message was logged, by both clocks.
package struct LogTime: Sendable {
    /// The time of day since 1970, which people read and which may jump.
    package var date: Duration

    /// The time that only goes on, by which messages are limited.
    package var instant: ContinuousClock.Instant

    package init(date: Duration, instant: ContinuousClock.Instant) {
        self.date = date
        self.instant = instant
    }

    package static func now() -> LogTime { LogTime(date: WallClock.now(), instant: .now) }

    /// The date in UTC, such as `2026-11-30T11:38:30.123Z`; milliseconds are cut, not rounded.
    var text: String {
        let (seconds, attoseconds) = date.components
        let milliseconds = Int(seconds) * 1_000 + Int(attoseconds.floorDivided(by: 1_000_000_000_000_000))
        let day = milliseconds.floorDivided(by: 86_400_000)
        let millisecond = milliseconds - day * 86_400_000
        let rest = millisecond / 1_000
        let (year, month, dayOfMonth) = Self.civil(day: day)
        return "\(year.padded(4))-\(month.padded(2))-\(dayOfMonth.padded(2))T"
            + "\((rest / 3_600).padded(2)):\((rest / 60 % 60).padded(2)):\((rest % 60).padded(2))."
            + "\((millisecond % 1_000).padded(3))Z"
    }

    /// The date of a day that is counted from 1970-01-01.
    ///
    /// Years are counted from March, so that the leap day is the last one, within eras of 400 years, which are all
    /// of the same length.
    private static func civil(day: Int) -> (year: Int, month: Int, day: Int) {
        let daysInEra = 146_097
        let fromMarch = day + 719_468
        let era = fromMarch.floorDivided(by: daysInEra)
        let dayOfEra = fromMarch - era * daysInEra
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let dayOfMonth = dayOfYear - (153 * month + 2) / 5 + 1
        let isNextYear = month >= 10
        return (era * 400 + yearOfEra + (isNextYear ? 1 : 0), isNextYear ? month - 9 : month + 3, dayOfMonth)
    }
}

extension BinaryInteger {
    fileprivate func floorDivided(by divisor: Self) -> Self {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }

    fileprivate func padded(_ width: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: max(width - digits.count, 0)) + digits
    }
}
