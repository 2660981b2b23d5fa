/// A moment as a signature writes it, in UTC.
struct SigningDate: Equatable, Sendable {
    /// Such as `20150830`.
    let day: String

    /// Such as `20150830T123600Z`.
    let text: String

    /// - Parameter unixSeconds: seconds since 1970-01-01 00:00:00 UTC, without leap seconds.
    init(unixSeconds: Int) {
        let (days, secondsOfDay) = Self.divideDown(unixSeconds, by: 86_400)
        let (year, month, dayOfMonth) = Self.civilDate(days: days)
        day = Self.digits(year, 4) + Self.digits(month, 2) + Self.digits(dayOfMonth, 2)
        let time =
            Self.digits(secondsOfDay / 3600, 2) + Self.digits(secondsOfDay / 60 % 60, 2)
            + Self.digits(secondsOfDay % 60, 2)
        text = "\(day)T\(time)Z"
    }

    /// The date that many days after 1970-01-01 in the Gregorian calendar.
    ///
    /// Years are counted from 1 March, so that a leap day ends its year, in eras of 400 years, which all have the same
    /// 146,097 days. The months from March on begin at days 0, 31, 61, 92, …, which is (153 m + 2) / 5.
    private static func civilDate(days: Int) -> (year: Int, month: Int, day: Int) {
        let (era, dayOfEra) = divideDown(days + 719_468, by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }

    /// Division towards minus infinity, whose remainder is never negative.
    private static func divideDown(_ dividend: Int, by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    /// A number with zeros before it, up to `width` digits.
    private static func digits(_ number: Int, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }
}
