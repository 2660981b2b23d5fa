/// Walks through a text byte by byte, and knows the line and column it is at.
struct TextCursor {
    private let bytes: [UInt8]
    private(set) var offset = 0
    private var line = 1
    private var column = 1

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The byte here; nil at the end.
    var byte: UInt8? { byte(ahead: 0) }

    var position: JSONPosition { JSONPosition(line: line, column: column) }

    func byte(ahead distance: Int) -> UInt8? {
        let index = offset + distance
        return index < bytes.count ? bytes[index] : nil
    }

    /// The Unicode scalar here; nil at the end, and where the bytes are not UTF-8.
    var scalar: Unicode.Scalar? {
        var rest = bytes[offset...].prefix(4).makeIterator()
        var decoder = UTF8()
        guard case .scalarValue(let scalar) = decoder.decode(&rest) else { return nil }
        return scalar
    }

    /// The text from `start` to here; nil where it is not UTF-8.
    func text(from start: Int) -> String? {
        String(validating: bytes[start..<offset], as: UTF8.self)
    }

    /// Steps over one byte, of which there must be one.
    mutating func advance() {
        let byte = bytes[offset]
        offset += 1
        if byte == UInt8(ascii: "\n") || (byte == UInt8(ascii: "\r") && self.byte != UInt8(ascii: "\n")) {
            line += 1
            column = 1
        } else if byte & 0b1100_0000 != 0b1000_0000 {
            column += 1
        }
    }

    /// Steps over one byte if it is this one.
    mutating func advance(over expected: UInt8) -> Bool {
        guard byte == expected else { return false }
        advance()
        return true
    }

    /// Steps over bytes as long as they satisfy the condition.
    mutating func advance(while condition: (UInt8) -> Bool) {
        while let byte, condition(byte) { advance() }
    }

    /// Steps over a byte order mark, which takes no column.
    mutating func skipByteOrderMark() {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    }
}
