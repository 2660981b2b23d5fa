import Encodings
import Framing
import Testing

@Suite struct FileEncodingTests {
    private func form(_ name: String?, _ beginning: [UInt8], isWhole: Bool = false) throws -> FileForm? {
        let encoding = try name.map { try FileEncoding(named: $0) } ?? .marked
        return encoding.form(ofFileThatBeginsWith: beginning.span, isWhole: isWhole)
    }

    @Test(
        arguments: [
            (nil, [0x61], nil, 0), (nil, [0xEF, 0xBB, 0xBF, 0x61], nil, 3), (nil, [0xEF, 0xBB, 0x61], nil, 0),
            (nil, [0xFF, 0xFE, 0x61, 0], "UTF-16LE", 2), (nil, [0xFE, 0xFF], "UTF-16BE", 2),
            (nil, [0xFF, 0xFE, 0, 0], "UTF-32LE", 4), (nil, [0, 0, 0xFE, 0xFF], "UTF-32BE", 4),
            ("UTF-8", [0xEF, 0xBB, 0xBF], nil, 3), ("utf8", [0xFF, 0xFE, 0x61, 0], nil, 0),
            ("utf-16", [0x61, 0], "UTF-16LE", 0), ("utf-16", [0xFE, 0xFF], "UTF-16BE", 2),
            ("utf-32", [0x61, 0, 0, 0], "UTF-32LE", 0), ("utf-16le", [0xFF, 0xFE, 0x61, 0], "utf-16le", 2),
            ("utf-16be", [0xFF, 0xFE, 0x61, 0], "utf-16be", 0), ("latin1", [0xFF, 0xFE, 0x61, 0x62], "latin1", 0),
            ("latin1", [0xEF, 0xBB, 0xBF, 0x62], "latin1", 0),
        ] as [(String?, [UInt8], String?, Int)]
    )
    func `a mark at the beginning tells the encoding where it is one`(
        name: String?,
        beginning: [UInt8],
        encoding: String?,
        markBytes: Int
    ) throws {
        let form = try #require(try form(name, beginning))
        #expect(form.markBytes == markBytes)
        // A mark means the system's own encodings, by whatever name the configuration has them.
        #expect(form.encoding?.name.lowercased() == encoding?.lowercased())
    }

    @Test(
        arguments: [[], [0xEF], [0xEF, 0xBB], [0xFF], [0xFE], [0xFF, 0xFE], [0xFF, 0xFE, 0], [0], [0, 0]] as [[UInt8]]
    )
    func `the beginning of a mark waits for its end, unless there is no more`(beginning: [UInt8]) throws {
        #expect(try form(nil, beginning) == nil)
        let whole = try #require(try form(nil, beginning, isWhole: true))
        #expect(whole.markBytes == (beginning.starts(with: [0xFF, 0xFE]) ? 2 : 0))
    }

    @Test(
        arguments: [
            ([0x61, 0, 0], 0, nil, 2), ([0x61, 0, 0], 1, nil, 2), ([0, 0], 0, nil, 2), ([0x61], 0, nil, 0),
            ([], 0, nil, 0),
            ([0x0A, 0, 0, 0], 2, "UTF-16LE", 2), ([0x0A, 0], 2, "UTF-16LE", 0), ([0, 0x0A, 0, 0], 2, "UTF-16BE", 2),
            ([0x0A, 0, 0], 0, "UTF-16LE", 0), ([0, 0, 0, 0], 0, "UTF-32BE", 4),
        ] as [([UInt8], Int, String?, Int)]
    )
    func `units of NUL at the end may be a hole`(bytes: [UInt8], offset: Int, name: String?, count: Int) throws {
        let newline = try name.map { Newline(of: try TextEncoding(named: $0)) } ?? .byte
        let hole = newline.holeBytes(in: bytes.span, at: offset)
        #expect(hole == count)
    }
}
