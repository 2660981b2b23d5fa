/// Turns a text into a tree, by recursive descent.
///
/// This file has the values and what holds them together; strings, numbers and blanks have a file each.
struct JSONParser {
    let options: JSONOptions
    var cursor: TextCursor
    private var depth = 0

    init(_ bytes: [UInt8], options: JSONOptions) {
        self.options = options
        cursor = TextCursor(bytes)
    }

    /// Skips a byte order mark, and refuses encodings that are not UTF-8.
    mutating func checkEncoding() throws(JSONError) {
        cursor.skipByteOrderMark()
        switch (cursor.byte, cursor.byte(ahead: 1)) {
        case (0xFE, 0xFF), (0xFF, 0xFE), (0, .some), (.some, 0):
            throw error("the text is UTF-16 or UTF-32; save it as UTF-8")
        default: break
        }
    }

    /// Reads one value, and the blanks before it.
    mutating func value() throws(JSONError) -> JSONValue {
        try skipBlanks()
        let position = cursor.position
        return JSONValue(try content(), at: position)
    }

    /// What stands behind the root value and should not.
    mutating func trailingError() -> JSONError? {
        do throws(JSONError) {
            try skipBlanks()
            return cursor.byte == nil ? nil : unexpected("nothing behind the end of the root value")
        } catch {
            return error
        }
    }

    private mutating func content() throws(JSONError) -> JSONValue.Content {
        switch cursor.byte {
        case UInt8(ascii: "{"):
            .object(
                JSONObject(
                    try elements(closing: "}") { parser throws(JSONError) in
                        try parser.member()
                    }
                )
            )
        case UInt8(ascii: "["): .array(try elements(closing: "]") { parser throws(JSONError) in try parser.value() })
        case UInt8(ascii: "\""): .string(try string())
        case .some(let byte) where Self.beginsNumber(byte): .number(try number())
        case .some(let byte) where Self.isWord(byte): try word()
        case UInt8(ascii: "'"): throw singleQuote
        default: throw unexpected("a value")
        }
    }

    // MARK: Arrays and objects

    /// Reads what stands between two brackets, and commas between the elements.
    private mutating func elements<Element>(
        closing: Unicode.Scalar,
        element: (inout JSONParser) throws(JSONError) -> Element
    ) throws(JSONError) -> [Element] {
        let opening = cursor.position
        guard depth < options.depthLimit else {
            throw error("arrays and objects are nested more than \(options.depthLimit) deep")
        }
        depth += 1
        defer { depth -= 1 }
        cursor.advance()
        try skipBlanks()
        var found: [Element] = []
        if cursor.advance(over: UInt8(ascii: closing)) { return found }
        repeat {
            found.append(try element(&self))
        } while try anotherFollows(closing: closing, opening: opening)
        return found
    }

    /// Reads the comma between two elements, or the bracket behind the last one.
    private mutating func anotherFollows(
        closing: Unicode.Scalar,
        opening: JSONPosition
    ) throws(JSONError) -> Bool {
        try skipBlanks()
        if cursor.advance(over: UInt8(ascii: closing)) { return false }
        let comma = cursor.position
        guard cursor.advance(over: UInt8(ascii: ",")) else {
            throw unexpected("',' or the '\(closing)' of what was opened at \(opening)")
        }
        try skipBlanks()
        if cursor.byte == UInt8(ascii: closing) {
            throw JSONError("there is a comma before '\(closing)'; remove it", at: comma)
        }
        return true
    }

    private mutating func member() throws(JSONError) -> JSONMember {
        try skipBlanks()
        let position = cursor.position
        let name = try name()
        try skipBlanks()
        guard cursor.advance(over: UInt8(ascii: ":")) else { throw unexpected("':' behind the key") }
        return JSONMember(name: name, at: position, value: try value())
    }

    private mutating func name() throws(JSONError) -> String {
        switch cursor.byte {
        case UInt8(ascii: "\""):
            return try string()
        case UInt8(ascii: "'"):
            throw singleQuote
        case .some(let byte) where Self.isWord(byte):
            throw error("a key must stand in double quotes: \"key\": value")
        default:
            throw unexpected("a key in double quotes")
        }
    }

    // MARK: Words

    /// Reads `true`, `false` or `null`, and helps with what people write instead.
    private mutating func word() throws(JSONError) -> JSONValue.Content {
        let start = cursor
        cursor.advance(while: Self.isWord)
        let text = cursor.text(from: start.offset) ?? ""
        switch text {
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "null": return .null
        default: break
        }
        switch text.lowercased() {
        case "true", "false", "null":
            throw JSONError("write \(text.lowercased()) in lower case", at: start.position)
        case "none", "nil", "undefined":
            throw JSONError("\(text) is not JSON; write null", at: start.position)
        case "nan", "infinity":
            throw JSONError("\(text) is not a JSON number", at: start.position)
        default:
            throw JSONError("expected a value; text must stand in double quotes", at: start.position)
        }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"):
            true
        default: false
        }
    }

    // MARK: Errors

    /// An error here.
    func error(_ message: String) -> JSONError {
        JSONError(message, at: cursor.position)
    }

    /// Says what was expected here, and which character is there instead.
    func unexpected(_ expected: String) -> JSONError {
        error("expected \(expected), found \(found)")
    }

    private var singleQuote: JSONError {
        error("text must stand in double quotes, not in single ones")
    }

    private var found: String {
        guard cursor.byte != nil else { return "the end of the text" }
        guard let scalar = cursor.scalar else { return "a byte that is not UTF-8" }
        let code = "U+" + hexadecimal(scalar.value)
        return switch scalar {
        case "!"..."~": "'\(scalar)'"
        case "\u{2018}"..."\u{201F}": "the typographic quote \(code); use \""
        case "\u{A0}", "\u{FEFF}", "\u{2000}"..."\u{200F}": "the invisible character \(code); remove it"
        default: "the character \(code)"
        }
    }

    private func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    }
}
