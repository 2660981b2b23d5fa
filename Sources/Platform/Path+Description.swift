extension Path: CustomStringConvertible {
    /// The path for a person, on one line, from which `init(escaped:)` gets the same bytes back.
    ///
    /// Text stays as it is. A backslash is doubled; every byte that is no UTF-8 or belongs to a control character
    /// becomes `\x` and two hexadecimal digits.
    package var description: String {
        var text = ""
        var rest = bytes[...]
        while let first = rest.first {
            guard let character = Unicode.Scalar(startOf: rest) else {
                text += Self.escape(first)
                rest.removeFirst()
                continue
            }
            let encoded = rest.prefix(character.utf8.count)
            switch character.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                text += encoded.map(Self.escape).joined()
            default:
                text += character == "\\" ? "\\\\" : String(character)
            }
            rest = rest.dropFirst(encoded.count)
        }
        return text
    }

    /// The path that has this description; nil if none has, or it would hold a NUL.
    package init?(escaped text: String) {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "\\"): bytes.append(UInt8(ascii: "\\"))
            case UInt8(ascii: "x"):
                let digits = rest.prefix(2)
                guard digits.count == 2, digits.allSatisfy(Self.isHexadecimal),
                    let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
                else { return nil }
                bytes.append(value)
                rest = rest.dropFirst(2)
            default: return nil
            }
        }
        guard !bytes.contains(0) else { return nil }
        self.init(bytes: bytes)
    }

    private static func escape(_ byte: UInt8) -> String {
        "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool { Unicode.Scalar(byte).properties.isASCIIHexDigit }
}

extension Unicode.Scalar {
    /// The character that UTF-8 `bytes` begin with; nil where they begin with something else.
    package init?(startOf bytes: ArraySlice<UInt8>) {
        var decoder = Unicode.UTF8()
        var iterator = bytes.makeIterator()
        guard case .scalarValue(let character) = decoder.decode(&iterator) else { return nil }
        self = character
    }
}
