import Encodings
import Testing

@Suite struct TextDecoderTests {
    private func decode(_ bytes: [UInt8], _ encoding: TextEncoding) -> String {
        var text: [UInt8] = []
        TextDecoder(encoding).decode(bytes.span, appendingTo: &text)
        return String(validating: text, as: UTF8.self) ?? "not UTF-8: \(text)"
    }

    @Test(
        arguments: [
            ("ISO-8859-1", [0x63, 0xE9, 0x0A], "cé\n"), ("latin1", [0xFF], "ÿ"), ("windows-1252", [0x80], "€"),
            ("shift_jis", [0x83, 0x65, 0x0A], "テ\n"), ("utf-16le", [0x3D, 0xD8, 0x00, 0xDE, 0x0A, 0], "😀\n"),
            ("UTF-16BE", [0x0A, 0x0A, 0x0D, 0x0A], "\u{0A0A}\u{0D0A}"), ("IBM037", [0xC1, 0x25], "A\n"),
        ] as [(String, [UInt8], String)]
    )
    func `text of an encoding that the system knows becomes UTF-8`(
        name: String,
        bytes: [UInt8],
        text: String
    ) throws {
        #expect(decode(bytes, try TextEncoding(named: name)) == text)
    }

    @Test(
        arguments: [
            ([0x61, 0, 0x00, 0xDC, 0x62, 0], "a\u{FFFD}b"), ([0x00, 0xD8, 0x62, 0], "\u{FFFD}b"),
            ([0x61, 0, 0x62], "a\u{FFFD}"),
            ([0x00, 0xD8], "\u{FFFD}"), ([0x61], "\u{FFFD}"), ([], ""), ([0xFF, 0xFE, 0x61, 0], "\u{FEFF}a"),
        ] as [([UInt8], String)]
    )
    func `what makes no sense becomes a replacement character`(bytes: [UInt8], text: String) {
        #expect(decode(bytes, .utf16LittleEndian).unicodeScalars.elementsEqual(text.unicodeScalars))
    }

    @Test(arguments: [0, 1, 2_047, 2_048, 2_049, 4_095, 4_096, 4_097, 100_000])
    func `a text of any length is read to its end`(count: Int) throws {
        let text = String(repeating: "é", count: count) + "x"
        let bytes = text.unicodeScalars.map { UInt8($0.value) }
        #expect(decode(bytes, try TextEncoding(named: "latin1")) == text)
    }

    @Test(arguments: [
        (TextEncoding.utf16LittleEndian, "utf-16le"), (.utf16BigEndian, "utf-16be"), (.utf32LittleEndian, "utf-32le"),
        (.utf32BigEndian, "utf-32be"),
    ])
    func `the system agrees on what a newline is`(encoding: TextEncoding, name: String) throws {
        #expect(try TextEncoding(named: name).newline == encoding.newline)
    }

    @Test(arguments: [
        ("klingon", EncodingError.unknown), ("", .unknown), ("latin1//IGNORE", .unknown), ("UTF-16", .withoutLines),
        ("UTF-32", .withoutLines),
    ])
    func `an encoding that cannot be read is refused`(name: String, error: EncodingError) {
        #expect(throws: error) { try TextEncoding(named: name) }
    }
}
