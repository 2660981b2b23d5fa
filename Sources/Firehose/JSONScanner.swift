import Bytes

/// Text that is not JSON, or nested deeper than any answer is.
struct MalformedJSON: Error, Equatable {}

/// Walks once through JSON text, from token to token, and builds nothing.
///
/// The text is an argument of each method, always the same one, because a lent span cannot be kept.
struct JSONScanner {
    private(set) var position = 0

    /// How deeply values may lie in each other.
    static let depthLimit = 32

    /// Calls `body` with each key of the object that comes next; `body` takes the value.
    mutating func forEachMember(
        of text: Span<UInt8>,
        _ body: (inout JSONScanner, _ key: Range<Int>) throws(MalformedJSON) -> Void
    ) throws(MalformedJSON) {
        try take(UInt8(ascii: "{"), from: text)
        if takeIfPresent(UInt8(ascii: "}"), from: text) { return }
        repeat {
            let key = try takeString(from: text)
            try take(UInt8(ascii: ":"), from: text)
            try body(&self, key)
        } while takeIfPresent(UInt8(ascii: ","), from: text)
        try take(UInt8(ascii: "}"), from: text)
    }

    /// Calls `body` before each element of the array that comes next; `body` takes the element.
    mutating func forEachElement(
        of text: Span<UInt8>,
        _ body: (inout JSONScanner) throws(MalformedJSON) -> Void
    ) throws(MalformedJSON) {
        try take(UInt8(ascii: "["), from: text)
        if takeIfPresent(UInt8(ascii: "]"), from: text) { return }
        repeat { try body(&self) } while takeIfPresent(UInt8(ascii: ","), from: text)
        try take(UInt8(ascii: "]"), from: text)
    }

    /// The first byte of the next token, without taking it.
    mutating func peek(at text: Span<UInt8>) -> UInt8? {
        while position < text.count, Self.isBlank(text[position]) { position += 1 }
        return position < text.count ? text[position] : nil
    }

    /// Takes a string.
    ///
    /// - Returns: where its content lies, still escaped.
    mutating func takeString(from text: Span<UInt8>) throws(MalformedJSON) -> Range<Int> {
        try take(UInt8(ascii: "\""), from: text)
        let start = position
        while let quote = text.firstIndex(of: UInt8(ascii: "\""), from: position) {
            position = quote + 1
            var content = quote
            while content > start, text[content - 1] == UInt8(ascii: "\\") { content -= 1 }
            // After an even number of backslashes, the quote is not escaped.
            if (quote - content).isMultiple(of: 2) { return start..<quote }
        }
        throw MalformedJSON()
    }

    /// Takes a whole number.
    mutating func takeInteger(from text: Span<UInt8>) throws(MalformedJSON) -> Int {
        guard let number = try Int(String(copying: text.extracting(takeWord(from: text)))) else {
            throw MalformedJSON()
        }
        return number
    }

    /// Takes a value of any kind.
    mutating func skipValue(in text: Span<UInt8>, depth: Int = 0) throws(MalformedJSON) {
        guard depth < Self.depthLimit else { throw MalformedJSON() }
        switch peek(at: text) {
        case UInt8(ascii: "\""): _ = try takeString(from: text)
        case UInt8(ascii: "{"):
            try forEachMember(of: text) { (scanner, _) throws(MalformedJSON) in
                try scanner.skipValue(in: text, depth: depth + 1)
            }
        case UInt8(ascii: "["):
            try forEachElement(of: text) { scanner throws(MalformedJSON) in
                try scanner.skipValue(in: text, depth: depth + 1)
            }
        default:
            let word = String(copying: text.extracting(try takeWord(from: text)))
            guard ["null", "true", "false"].contains(word) || Double(word) != nil else { throw MalformedJSON() }
        }
    }

    /// Makes sure that nothing but white space is left.
    mutating func finish(_ text: Span<UInt8>) throws(MalformedJSON) {
        guard peek(at: text) == nil else { throw MalformedJSON() }
    }

    /// Takes what can only be a number, `true`, `false` or `null`.
    private mutating func takeWord(from text: Span<UInt8>) throws(MalformedJSON) -> Range<Int> {
        _ = peek(at: text)
        let start = position
        while position < text.count, Self.isInWord(text[position]) { position += 1 }
        guard position > start else { throw MalformedJSON() }
        return start..<position
    }

    private mutating func take(_ byte: UInt8, from text: Span<UInt8>) throws(MalformedJSON) {
        guard takeIfPresent(byte, from: text) else { throw MalformedJSON() }
    }

    private mutating func takeIfPresent(_ byte: UInt8, from text: Span<UInt8>) -> Bool {
        guard peek(at: text) == byte else { return false }
        position += 1
        return true
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 }

    private static func isInWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "E"),
            UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
