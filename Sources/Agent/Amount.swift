/// Numbers as people read them.
enum Amount {
    /// Such as `1.4 MB`, in powers of a thousand; below a thousand, `412 B`.
    static func bytes(_ count: Int) -> String {
        guard count >= 1_000 else { return "\(count) B" }
        var tenths = count / 100
        for unit in ["kB", "MB", "GB", "TB"] {
            if tenths < 10_000 || unit == "TB" { return "\(tenths / 10).\(tenths % 10) \(unit)" }
            tenths /= 1_000
        }
        return "\(count) B"
    }

    /// Such as `1,234,567`.
    static func number(_ value: Int) -> String {
        var digits = String(value.magnitude)
        var index = digits.endIndex
        while let next = digits.index(index, offsetBy: -3, limitedBy: digits.startIndex), next > digits.startIndex {
            digits.insert(",", at: next)
            index = next
        }
        return value < 0 ? "-" + digits : digits
    }

    /// Such as `1 line` and `2 lines`.
    static func count(_ value: Int, _ noun: String) -> String {
        "\(number(value)) \(noun)\(value == 1 ? "" : "s")"
    }
}

extension Duration {
    /// Such as `250 ms` or `4.2 s`.
    var inMilliseconds: String {
        let (seconds, attoseconds) = components
        let milliseconds = Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
        guard milliseconds >= 1_000 else { return "\(milliseconds) ms" }
        return "\(milliseconds / 1_000).\(milliseconds % 1_000 / 100) s"
    }
}
