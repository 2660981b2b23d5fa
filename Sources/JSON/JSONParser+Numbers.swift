extension JSONParser {
    /// Whether a value that begins so was meant as a number; not every one of them is one.
    static func beginsNumber(_ byte: UInt8) -> Bool {
        isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: ".")
    }

    /// Reads a number.
    mutating func number() throws(JSONError) -> JSONNumber {
        let start = cursor
        let isSound = skipNumber() && !continuesNumber
        guard isSound, let text = cursor.text(from: start.offset) else {
            throw JSONError(
                "expected a number such as 10 or -1.5, without leading zeros, plus sign or letters; "
                    + "text must stand in double quotes",
                at: start.position
            )
        }
        return JSONNumber(text: text)
    }

    /// Steps over a number as the grammar has it.
    ///
    /// - Returns: whether there was one.
    private mutating func skipNumber() -> Bool {
        _ = cursor.advance(over: UInt8(ascii: "-"))
        if !cursor.advance(over: UInt8(ascii: "0")) {
            guard skipDigits() else { return false }
        }
        if cursor.advance(over: UInt8(ascii: ".")) {
            guard skipDigits() else { return false }
        }
        if cursor.advance(over: UInt8(ascii: "e")) || cursor.advance(over: UInt8(ascii: "E")) {
            _ = cursor.advance(over: UInt8(ascii: "+")) || cursor.advance(over: UInt8(ascii: "-"))
            return skipDigits()
        }
        return true
    }

    /// Whether what stands here would be taken for a part of the number before it.
    private var continuesNumber: Bool {
        switch cursor.byte {
        case nil, UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: "/"), UInt8(ascii: "#"),
            UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
            false
        default: true
        }
    }

    private mutating func skipDigits() -> Bool {
        let start = cursor.offset
        cursor.advance(while: Self.isDigit)
        return cursor.offset > start
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
