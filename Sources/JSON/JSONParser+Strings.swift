extension JSONParser {
    /// Reads a string, at whose opening quote the cursor stands.
    mutating func string() throws(JSONError) -> String {
        let opening = cursor.position
        cursor.advance()
        var bytes: [UInt8] = []
        while !cursor.advance(over: UInt8(ascii: "\"")) {
            switch cursor.byte {
            case nil, UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                throw JSONError("the string that begins here has no closing quote on its line", at: opening)
            case UInt8(ascii: "\\"):
                bytes.append(contentsOf: String(try escapedScalar()).utf8)
            case .some(..<0x20):
                throw error("a control character in a string must be escaped: \\t is a tab, \\u001b an escape")
            case .some(let byte):
                bytes.append(byte)
                cursor.advance()
            }
        }
        guard let string = String(validating: bytes, as: UTF8.self) else {
            throw JSONError("the string that begins here is not valid UTF-8", at: opening)
        }
        return string
    }

    /// Reads what a backslash, at which the cursor stands, and the characters behind it mean.
    private mutating func escapedScalar() throws(JSONError) -> Unicode.Scalar {
        let backslash = cursor.position
        cursor.advance()
        let letter = cursor.byte
        if letter != nil { cursor.advance() }
        switch letter {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicodeEscape(backslash)
        default:
            throw JSONError(#"unknown escape; a backslash itself is written \\"#, at: backslash)
        }
    }

    /// Reads the digits behind `\u`, and a second such escape where the first is half of a pair.
    private mutating func unicodeEscape(_ backslash: JSONPosition) throws(JSONError) -> Unicode.Scalar {
        let first = try fourHexDigits(backslash)
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard UTF16.isLeadSurrogate(first), cursor.advance(over: UInt8(ascii: "\\")),
            cursor.advance(over: UInt8(ascii: "u"))
        else { throw loneSurrogate(backslash) }
        let second = try fourHexDigits(backslash)
        guard UTF16.isTrailSurrogate(second) else { throw loneSurrogate(backslash) }
        return UTF16.decode(UTF16.EncodedScalar([first, second]))
    }

    private mutating func fourHexDigits(_ backslash: JSONPosition) throws(JSONError) -> UInt16 {
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = cursor.byte, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw JSONError(#"expected four hexadecimal digits behind \u"#, at: backslash)
            }
            value = value << 4 | UInt16(digit)
            cursor.advance()
        }
        return value
    }

    private func loneSurrogate(_ backslash: JSONPosition) -> JSONError {
        JSONError(#"\u escapes from d800 to dfff must come in pairs, high before low"#, at: backslash)
    }
}
