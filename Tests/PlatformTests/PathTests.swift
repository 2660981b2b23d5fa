import Platform
import TestSupport
import Testing

@Suite struct PathTests {
    @Test(
        arguments: [
            (Array("/var/log/日志.log".utf8), "/var/log/日志.log"),
            ([0x2F, 0xFF, 0xFE], "/\\xff\\xfe"),
            ([0x2F, 0xE6, 0x97], "/\\xe6\\x97"),
            ([0x2F, 0xED, 0xA0, 0x80], "/\\xed\\xa0\\x80"),
            (Array("/a\n\u{1B}[31m\\x41\u{85}\u{202E}".utf8), "/a\\x0a\\x1b[31m\\\\x41\\xc2\\x85\\xe2\\x80\\xae"),
            ([], ""),
        ] as [([UInt8], String)]
    )
    func `the description is printable and leads back`(bytes: [UInt8], text: String) {
        #expect(Path(bytes: bytes).description == text)
        #expect(Path(escaped: text)?.bytes == bytes)
    }

    @Test(arguments: 0...255 as ClosedRange<Int>) func `every byte leads back`(byte: Int) {
        let bytes = [0x61, UInt8(byte), 0x62, 0xC3, UInt8(byte)].filter { $0 != 0 }
        #expect(Path(escaped: Path(bytes: bytes).description)?.bytes == bytes)
    }

    @Test(arguments: ["\\", "\\x", "\\x1", "\\xg1", "\\x+1", "\\n", "\\x00", "a\0"])
    func `text that is no description is refused`(text: String) {
        #expect(Path(escaped: text) == nil)
    }

    @Test(arguments: [
        ("/a/b", "/a", "b"), ("/a", "/", "a"), ("/", "/", ""), ("//a//b", "//a/", "b"),
    ])
    func `has a parent and a last name`(path: String, parent: String, name: String) {
        #expect(Path(path).parent == Path(parent))
        #expect(Array(Path(path).lastComponent) == Array(name.utf8))
    }

    @Test func `a name is added after one slash`() {
        #expect(Path.root.appending("a".utf8) == Path("/a"))
        #expect(Path("/a").appending("b".utf8) == Path("/a/b"))
        #expect(Path("//a//b/").components.map { Array($0) } == [Array("a".utf8), Array("b".utf8)])
    }

    @Test func `the composed and the decomposed form of a letter are two paths`() {
        #expect(Path("/é") != Path("/e\u{301}"))
    }

    @Test func `links on the way are replaced by what they lead to`() throws {
        let directory = try TemporaryDirectory()
        try directory.makeDirectory("a/b")
        try directory.link("direct", to: "a")
        try directory.link("a/indirect", to: "../direct/b")
        let target = try Path(directory.path("a/b")).withoutLinks()
        #expect(try Path(directory.path("direct/../direct/indirect")).withoutLinks() == target)
        #expect(try target.withoutLinks() == target)
        #expect(target.description.hasSuffix("/a/b"))
        try directory.link("loop", to: "loop")
        #expect(throws: Errno.tooManySymbolicLinks) { try Path(directory.path("loop")).withoutLinks() }
        #expect(throws: Errno.noSuchFile) { try Path(directory.path("none")).withoutLinks() }
    }
}
