import Bytes

/// The text between the quotes of a JSON string.
enum JSONString {
    /// The text with its escapes resolved; what is no valid escape becomes U+FFFD.
    static func decoded(_ raw: Span<UInt8>) -> String {
        guard var escape = raw.firstIndex(of: UInt8(ascii: "\\")) else { return String(copying: raw) }
        var units: [UInt16] = []
        var text = ""
        var start = 0
        while true {
            if escape > start { flush(&units, into: &text) }
            text += String(copying: raw.extracting(start..<escape))
            guard escape < raw.count else { break }
            start = escape
            units.append(takeEscape(in: raw, at: &start))
            escape = raw.firstIndex(of: UInt8(ascii: "\\"), from: start) ?? raw.count
        }
        flush(&units, into: &text)
        return text
    }

    /// Whether the text is `name`, which holds nothing that must be escaped.
    static func matches(_ raw: Span<UInt8>, _ name: [UInt8]) -> Bool {
        if raw.elementsEqual(name.span) { return true }
        // An escaped form is longer than what it stands for.
        guard raw.count > name.count, raw.firstIndex(of: UInt8(ascii: "\\")) != nil else { return false }
        return decoded(raw).utf8.elementsEqual(name)
    }

    /// Two escapes in a row may be the halves of one character, so they are decoded together.
    private static func flush(_ units: inout [UInt16], into text: inout String) {
        text += String(decoding: units, as: UTF16.self)
        units.removeAll(keepingCapacity: true)
    }

    private static func takeEscape(in raw: Span<UInt8>, at position: inout Int) -> UInt16 {
        let replacement: UInt16 = 0xfffd
        position += 1
        guard position < raw.count else { return replacement }
        let kind = raw[position]
        position += 1
        switch kind {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return UInt16(kind)
        case UInt8(ascii: "b"): return 0x08
        case UInt8(ascii: "f"): return 0x0c
        case UInt8(ascii: "n"): return 0x0a
        case UInt8(ascii: "r"): return 0x0d
        case UInt8(ascii: "t"): return 0x09
        case UInt8(ascii: "u"):
            let end = min(position + 4, raw.count)
            let digits = String(copying: raw.extracting(position..<end))
            position = end
            return UInt16(digits, radix: 16) ?? replacement
        default: return replacement
        }
    }
}
