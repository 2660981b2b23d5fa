/// One character of a file name: a Unicode scalar, or a byte that is part of none.
struct NameCharacter {
    /// The scalar's value; for a stray byte, the byte added to 0x110000, which is no scalar's value.
    let value: UInt32

    /// How many bytes of the name it takes.
    let length: Int

    /// Reads the character that begins at a byte of a name.
    init(in name: Span<UInt8>, at index: Int) {
        let first = name[index]
        guard first >= 0x80 else {
            self.init(value: UInt32(first), length: 1)
            return
        }
        self = Self(decoding: name, at: index) ?? Self(value: 0x110000 + UInt32(first), length: 1)
    }

    private init(value: UInt32, length: Int) {
        self.value = value
        self.length = length
    }

    /// Reads a character of two to four bytes, if there is a well-formed one.
    private init?(decoding name: Span<UInt8>, at index: Int) {
        let first = name[index]
        let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard first >= 0xC2, first <= 0xF4, index + length <= name.count else { return nil }
        var value = UInt32(first) & (0x7F >> UInt32(length))
        for next in index + 1..<index + length {
            guard name[next] & 0xC0 == 0x80 else { return nil }
            value = value << 6 | UInt32(name[next] & 0x3F)
        }
        guard let scalar = Unicode.Scalar(value), scalar.utf8.count == length else { return nil }
        self.init(value: value, length: length)
    }
}
