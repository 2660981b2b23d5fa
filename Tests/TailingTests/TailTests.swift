import Platform
import Records
import Tailing
import TestSupport
import Testing

@Suite struct TailTests {
    let directory: TemporaryDirectory
    let stream: StreamName

    init() throws {
        directory = try TemporaryDirectory()
        stream = try #require(StreamName("logs"))
    }

    var path: Path { Path(directory.path("a.log")) }

    func identity() throws -> FileIdentity {
        let status = try FileStatus(of: directory.path("a.log"))
        return FileIdentity(device: status.device, inode: status.inode)
    }

    func tail() throws -> Tail { Tail(readingAll: path, as: try identity(), for: stream) }

    /// Looks, reads what is there in pieces, and notes that it is dealt with.
    func read(_ tail: Tail, piece: Int = 1_000) throws -> String {
        guard case .unread(var left) = try tail.look() else { return "started over" }
        var text = ""
        while left > 0 {
            var buffer: [UInt8] = []
            let count = try #require(try tail.read(into: &buffer, count: min(piece, left)))
            tail.advance(over: buffer.span, count: count, isSkippingLine: false)
            text += String(decoding: buffer, as: UTF8.self)
            left -= count
        }
        return text
    }

    func checkpoint(_ tail: Tail) -> Checkpoint {
        tail.checkpoint(at: tail.offset, isSkippingLine: tail.isSkippingLine)
    }

    // MARK: Reading

    @Test(arguments: [1, 7, 63, 64, 65, 1_000]) func `reads what comes, in pieces of any size`(piece: Int) throws {
        try directory.append("one\ntwo\n", to: "a.log")
        let tail = try tail()
        #expect(try read(tail, piece: piece) == "one\ntwo\n")
        #expect(try tail.look() == .unread(0))
        let long = String(repeating: "0123456789\n", count: 200)
        try directory.append(long, to: "a.log")
        #expect(try tail.look() == .unread(2_200))
        #expect(try read(tail, piece: piece) == long)
        #expect(tail.offset == 2_208 && tail.size == 2_208)
    }

    @Test func `reads on behind what the buffer holds`() throws {
        try directory.append("0123456789", to: "a.log")
        let tail = try tail()
        _ = try tail.look()
        var buffer: [UInt8] = []
        #expect(try tail.read(into: &buffer, count: 4) == 4)
        #expect(try tail.read(into: &buffer, count: 4) == 4)
        #expect(try tail.read(into: &buffer, count: 4) == 2)
        #expect(try tail.read(into: &buffer, count: 4) == 0)
        #expect(buffer == Array("0123456789".utf8) && tail.offset == 0)
    }

    @Test func `reads a file that has another name or none`() throws {
        try directory.append("one\n", to: "a.log")
        let tail = try tail()
        #expect(try read(tail) == "one\n")
        try directory.append("two\n", to: "a.log")
        try directory.rename("a.log", to: "b.log")
        #expect(try read(tail) == "two\n" && !tail.isDeleted)
        try directory.append("three\n", to: "b.log")
        try directory.unlink("b.log")
        #expect(try read(tail) == "three\n" && tail.isDeleted)
    }

    @Test func `goes on after it was closed`() throws {
        try directory.append("one\n", to: "a.log")
        let tail = try tail()
        #expect(try read(tail) == "one\n")
        tail.close()
        #expect(!tail.isOpen)
        try directory.append("two\n", to: "a.log")
        #expect(try read(tail) == "two\n" && tail.isOpen)
    }

    @Test func `a closed file whose name leads elsewhere has moved`() throws {
        try directory.append("one\n", to: "a.log")
        let tail = try tail()
        _ = try read(tail)
        tail.close()
        try directory.rename("a.log", to: "b.log")
        #expect(throws: TailError.moved) { try tail.look() }
        try directory.append("new\n", to: "a.log")
        #expect(throws: TailError.moved) { try tail.look() }
        tail.path = Path(directory.path("b.log"))
        #expect(try tail.look() == .unread(0))
    }

    @Test func `is found at another path only with what was read`() throws {
        try directory.append("one\n", to: "a.log")
        let tail = try tail()
        _ = try read(tail)
        tail.close()
        try directory.rename("a.log", to: "b.log")
        #expect(tail.find(at: Path(directory.path("b.log"))) == .itself)
        try directory.overwrite("b.log", with: "two\n")
        #expect(tail.find(at: Path(directory.path("b.log"))) == .successor && !tail.isOpen)
        #expect(tail.find(at: Path(directory.path("c.log"))) == .nothing && tail.path == path)
    }

    // MARK: Starting over

    @Test(arguments: [
        ("shorter", "new\n"), ("as long as before", "NEW line 1\n"), ("longer", "another line\nand one more\n"),
    ]) func `starts over when the content is another one`(_: String, content: String) throws {
        try directory.append("old line 1\n", to: "a.log")
        let tail = try tail()
        #expect(try read(tail) == "old line 1\n")
        try directory.overwrite("a.log", with: content)
        #expect(try tail.look() == .startedOver(from: 11, unread: 0))
        #expect(try read(tail) == content)
    }

    @Test func `tells a rewritten file from its old self although both begin alike`() throws {
        let header = String(repeating: "# the same header\n", count: 100)
        try directory.append(header + "old 1\n", to: "a.log")
        let tail = try tail()
        _ = try read(tail)
        try directory.overwrite("a.log", with: header + "new 1\n")
        #expect(try tail.look() == .startedOver(from: header.utf8.count + 6, unread: 0))
    }

    @Test func `tells another file that got the inode of a closed one by its beginning, too`() throws {
        let end = String(repeating: "x", count: 100) + "\n"
        try directory.append("old\n" + end, to: "a.log")
        let tail = try tail()
        _ = try read(tail)
        tail.close()
        try directory.overwrite("a.log", with: "new\n" + end)
        #expect(try tail.look() == .startedOver(from: 105, unread: 0))
    }

    @Test func `says how many bytes were lost, if it knows`() throws {
        try directory.append("one\ntwo\n", to: "a.log")
        let tail = try tail()
        #expect(try tail.look() == .unread(8))
        var buffer: [UInt8] = []
        #expect(try tail.read(into: &buffer, count: 4) == 4)
        tail.advance(over: buffer.span, count: 4, isSkippingLine: false)
        try directory.truncate("a.log")
        #expect(try tail.look() == .startedOver(from: 4, unread: 4))
    }

    @Test func `does not count what grows in the place of the old content as lost with it`() throws {
        try directory.append("one\ntwo\n", to: "a.log")
        let tail = try tail()
        #expect(try read(tail) == "one\ntwo\n")
        try directory.append("three\n", to: "a.log")
        tail.noteGrowth()
        #expect(tail.size == 14)
        try directory.overwrite("a.log", with: "another content that is longer\n")
        tail.noteGrowth()
        #expect(tail.size == 14)
        #expect(try tail.look() == .startedOver(from: 8, unread: 6))
    }

    @Test func `what is found at another path and is not the file leaves nothing of it`() throws {
        try directory.append("one\n", to: "a.log")
        let tail = try tail()
        #expect(try read(tail) == "one\n")
        tail.close()
        let modified = tail.modified
        // As if the inode had been given to another file.
        try directory.rename("a.log", to: "b.log")
        try directory.overwrite("b.log", with: "another content\n")
        #expect(tail.find(at: Path(directory.path("b.log"))) == .successor)
        #expect(tail.size == 4 && tail.modified == modified && !tail.isOpen && tail.path == path)
    }

    @Test func `says what was lost of a file of which nothing had been read`() throws {
        try directory.append("none of this\n", to: "a.log")
        let tail = try tail()
        #expect(try tail.look() == .unread(13))
        try directory.overwrite("a.log", with: "new\n")
        #expect(try tail.look() == .startedOver(from: 0, unread: 13))
        #expect(try tail.look() == .unread(4))
    }

    @Test(arguments: [
        ("one\ntwo\n", "one\n", true), ("one\n", "one\ntwo\n", true), ("one\n", "two\n", false), ("one\n", "", false),
    ])
    func `tells whether another file begins like it`(content: String, other: String, isAlike: Bool) throws {
        try directory.append(content, to: "a.log")
        try directory.append(other, to: "b.log")
        let tail = try tail()
        _ = try tail.look()
        #expect(tail.beginsLike(Path(directory.path("b.log"))) == isAlike)
        #expect(!tail.beginsLike(Path(directory.path("c.log"))))
    }

    @Test(arguments: [0, 4]) func `does not take new content for the old one's continuation`(kept: Int) throws {
        try directory.append("one\ntwo\n", to: "a.log")
        let tail = try tail()
        #expect(try tail.look() == .unread(8))
        var buffer: [UInt8] = []
        #expect(try tail.read(into: &buffer, count: 4) == 4)
        if kept > 0 {
            tail.advance(over: buffer.span, count: 4, isSkippingLine: false)
            buffer = []
        }
        // Between the look and the reading.
        try directory.overwrite("a.log", with: "ONE\nTWO\nTHREE\n")
        #expect(try tail.read(into: &buffer, count: 4) == nil)
    }

    // MARK: Errors

    @Test func `a file that nobody may read is denied, until somebody may`() throws {
        try directory.append("one\n", to: "a.log")
        let tail = try tail()
        try directory.setMode("a.log", 0)
        #expect(throws: TailError.denied) { try withoutPrivileges { try tail.look() } }
        try directory.setMode("a.log", 0o644)
        #expect(try withoutPrivileges { try tail.look() } == .unread(4))
    }

    @Test func `a directory that got the inode of a file is not the file`() throws {
        try directory.makeDirectory("a.log")
        let tail = try tail()
        #expect(throws: TailError.moved) { try tail.look() }
    }

    @Test func `a missing file has moved`() throws {
        let tail = Tail(readingAll: path, as: FileIdentity(device: 1, inode: 1), for: stream)
        #expect(throws: TailError.moved) { try tail.look() }
        #expect(tail.linkCount == nil && !tail.isDeleted)
    }
}
