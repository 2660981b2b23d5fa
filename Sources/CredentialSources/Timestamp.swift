import Platform

/// Times as AWS writes them in answers: `2030-01-31T12:00:00Z`, with or without fractions, and with an offset perhaps.
enum Timestamp {
    /// The time since 1970, in whole seconds; nil if `text` is no such time.
    static func time(_ text: String) -> Duration? {
        guard let seconds = seconds(text.utf8[...]) else { return nil }
        return .seconds(seconds)
    }

    private static func seconds(_ text: Substring.UTF8View) -> Int? {
        var rest = text
        guard let year = number(4, of: &rest), take("-", from: &rest), let month = number(2, of: &rest),
            take("-", from: &rest), let day = number(2, of: &rest), take("T", from: &rest) || take(" ", from: &rest),
            let hour = number(2, of: &rest), take(":", from: &rest), let minute = number(2, of: &rest),
            take(":", from: &rest), let second = number(2, of: &rest)
        else { return nil }
        if take(".", from: &rest) { rest = rest.drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }
        guard let offset = offset(&rest), rest.isEmpty else { return nil }
        return UTCTime.unixSeconds(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
            .map { $0 - offset }
    }

    /// Seconds by which the time is ahead of UTC.
    private static func offset(_ rest: inout Substring.UTF8View) -> Int? {
        if take("Z", from: &rest) { return 0 }
        let isBehind = take("-", from: &rest)
        guard isBehind || take("+", from: &rest), let hours = number(2, of: &rest) else { return nil }
        _ = take(":", from: &rest)
        guard let minutes = number(2, of: &rest) else { return nil }
        return (hours * 60 + minutes) * (isBehind ? -60 : 60)
    }

    private static func number(_ count: Int, of rest: inout Substring.UTF8View) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        rest = rest.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    private static func take(_ character: Unicode.Scalar, from rest: inout Substring.UTF8View) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }
}
