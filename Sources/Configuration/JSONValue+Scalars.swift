import JSON

// The Kinesis Agent takes a number where a text is wanted and the other way round; so do we.

extension JSONValue {
    /// The value as a text; nil for null, arrays and objects.
    var scalarText: String? {
        switch content {
        case .string(let text): text
        case .number(let number): number.text
        case .bool(let bool): bool ? "true" : "false"
        case .null, .array, .object: nil
        }
    }

    /// The value as an integer, from a number without fraction and exponent or from a text.
    var scalarInteger: Int? {
        switch content {
        case .number(let number): number.integer
        case .string(let text): Self.decodeInteger(text)
        case .null, .bool, .array, .object: nil
        }
    }

    /// The value as a truth value; texts are taken in any case.
    var scalarBool: Bool? {
        guard let text = scalarText?.lowercased() else { return nil }
        return switch text {
        case "true", "t", "yes", "y", "1": true
        case "false", "f", "no", "n", "0": false
        default: nil
        }
    }

    /// Whether the value asks for nothing: null or an empty text.
    var isBlank: Bool {
        content == .null || content == .string("")
    }

    /// Reads decimal, `0x`, `0X` or `#` for hexadecimal, and a leading `0` for octal, each with a sign or without.
    private static func decodeInteger(_ text: String) -> Int? {
        var digits = text[...]
        let sign = digits.first.flatMap { $0 == "-" || $0 == "+" ? String(digits.removeFirst()) : nil } ?? ""
        let radix: Int
        if digits.hasPrefix("0x") || digits.hasPrefix("0X") {
            digits.removeFirst(2)
            radix = 16
        } else if digits.hasPrefix("#") {
            digits.removeFirst()
            radix = 16
        } else {
            radix = digits.hasPrefix("0") && digits.utf8.count > 1 ? 8 : 10
        }
        guard let first = digits.utf8.first, first.isHexDigit else { return nil }
        return Int(sign + digits, radix: radix)
    }
}
