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

    private var path: Path { Path(directory.path("a.log")) }

    private func identity() throws -> FileIdentity {
        let status = try FileStatus(of: directory.path("a.log"))
        return FileIdentity(device: status.device, inode: status.inode)
    }

    private func tail() throws -> Tail { Tail(readingAll: path, as: try identity(), for: stream) }

    /// Looks, reads what is there in pieces, and notes that it is dealt with.
    private func read(_ tail: Tail, piece: Int = 1_000) throws -> String {
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

    private func checkpoint(_ tail: Tail) -> Checkpoint {
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
        #expect(tail.isFound(at: Path(directory.path("b.log"))))
        try directory.overwrite("b.log", with: "two\n")
        #expect(!tail.isFound(at: Path(directory.path("b.log"))) && !tail.isOpen)
        #expect(!tail.isFound(at: Path(directory.path("c.log"))) && tail.path == path)
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

    // MARK: Resuming

    @Test(arguments: [0, 1, 4, 60, 64, 65, 1_023, 1_024, 1_025, 5_000])
    func `goes on where the checkpoint says`(size: Int) throws {
        let old = String((0..<size).map { _ in Character(UnicodeScalar(UInt8.random(in: 65...90))) })
        try directory.append(old, to: "a.log")
        let first = try tail()
        #expect(try read(first, piece: 100) == old)
        let written = checkpoint(first)
        try directory.append("new\n", to: "a.log")
        let (second, continuation) = try Tail.resuming(written, at: path)
        #expect(continuation == .resumed && second.offset == size)
        #expect(try read(second) == "new\n")
        #expect(checkpoint(second).head.length == min(1_024, size + 4))
    }

    @Test func `the fingerprint of the head grows with the file, read in any pieces`() throws {
        let text = String((0..<3_000).map { Character(UnicodeScalar(UInt8($0 % 90 + 33))) })
        try directory.append(String(text.prefix(10)), to: "a.log")
        let grown = try tail()
        _ = try read(grown, piece: 3)
        #expect(checkpoint(grown).head.length == 10)
        let (resumed, _) = try Tail.resuming(checkpoint(grown), at: path)
        try directory.append(String(text.dropFirst(10)), to: "a.log")
        for tail in [grown, resumed] { _ = try read(tail, piece: 333) }
        let whole = try tail()
        _ = try read(whole, piece: 3_000)
        #expect(checkpoint(grown) == checkpoint(whole) && checkpoint(resumed) == checkpoint(whole))
        #expect(checkpoint(whole).head == Fingerprint(of: Array(text.utf8.prefix(1_024)).span))
        #expect(checkpoint(whole).tail == Fingerprint(of: Array(text.utf8.suffix(64)).span))
    }

    @Test(arguments: [
        ("one\n", Tail.Continuation.truncated), ("", .truncated), ("one\nTWO\n", .replaced), ("ONE\ntwo\n", .replaced),
        ("another file\nwith much in it\n", .replaced), ("one\ntwo\nthree\n", .resumed), ("one\ntwo\n", .resumed),
    ]) func `knows how a file continues`(content: String, continuation: Tail.Continuation) throws {
        try directory.append("one\ntwo\n", to: "a.log")
        let first = try tail()
        _ = try read(first)
        let written = checkpoint(first)
        try directory.overwrite("a.log", with: content)
        let (second, how) = try Tail.resuming(written, at: path)
        #expect(how == continuation && second.offset == (continuation == .resumed ? 8 : 0))
        #expect(checkpoint(second).head.length == second.offset)
    }

    @Test func `a change behind the head and before the last bytes shows at the last bytes`() throws {
        let header = String(repeating: "h", count: 2_000)
        try directory.append(header + "old\n", to: "a.log")
        let first = try tail()
        _ = try read(first)
        let written = checkpoint(first)
        try directory.overwrite("a.log", with: header + "new\nmore\n")
        #expect(try Tail.resuming(written, at: path).1 == .replaced)
    }

    @Test func `a checkpoint within what was read has the fingerprints of that place`() throws {
        let text = (0..<500).map { "line \($0)\n" }.joined()
        try directory.append(text, to: "a.log")
        let tail = try tail()
        _ = try read(tail)
        let place = 1_500
        let written = tail.checkpoint(at: place, isSkippingLine: true)
        #expect(written.offset == place && written.isSkippingLine)
        #expect(written.tail == Fingerprint(of: Array(text.utf8.prefix(place).suffix(64)).span))
        let (resumed, continuation) = try Tail.resuming(written, at: path)
        #expect(continuation == .resumed && resumed.offset == place && resumed.isSkippingLine)
    }

    @Test func `a checkpoint of lines whose file was rewritten meanwhile begins the new content`() throws {
        try directory.append("one\ntwo\n", to: "a.log")
        let tail = try tail()
        _ = try read(tail)
        try directory.overwrite("a.log", with: "ONE\nTWO\nTHREE\n")
        let written = tail.checkpoint(at: 4, isSkippingLine: false)
        #expect(written.offset == 0 && written.head == Fingerprint() && written.tail == Fingerprint())
        // At the end of what was read it is the old content's, which the new one does not match.
        #expect(try Tail.resuming(checkpoint(tail), at: path).1 == .replaced)
    }

    @Test(arguments: [4, 8]) func `a checkpoint of a closed file resumes, and tells it from its successor`(
        place: Int
    ) throws {
        try directory.append("one\ntwo\n", to: "a.log")
        let tail = try tail()
        _ = try read(tail)
        tail.close()
        let written = tail.checkpoint(at: place, isSkippingLine: false)
        #expect(!tail.isOpen)
        let (resumed, continuation) = try Tail.resuming(written, at: path)
        #expect(continuation == .resumed && resumed.offset == place)
        try directory.overwrite("a.log", with: "ONE\nTWO\n")
        #expect(try Tail.resuming(written, at: path).1 == .replaced)
    }

    @Test func `a checkpoint of a closed file that is not there has what is known`() throws {
        try directory.append("one\ntwo\n", to: "a.log")
        let tail = try tail()
        _ = try read(tail)
        tail.close()
        try directory.rename("a.log", to: "b.log")
        let written = tail.checkpoint(at: 4, isSkippingLine: false)
        #expect(written.offset == 4 && written.tail == Fingerprint())
        #expect(try Tail.resuming(written, at: Path(directory.path("b.log"))).0.offset == 4)
    }

    // MARK: Beginning at the end

    @Test(arguments: [
        ("", 0), ("\n", 1), ("one\n", 4), ("one\ntw", 4), ("no line end", 0), ("one\n\n", 5),
    ]) func `begins at the start of the last line`(content: String, offset: Int) throws {
        try directory.append(content, to: "a.log")
        let tail = try Tail(fromEndOf: path, as: identity(), for: stream, maxLineBytes: 1_000)
        #expect(tail.offset == offset && !tail.isSkippingLine)
        try directory.append("x\n", to: "a.log")
        #expect(try read(tail) == String((content + "x\n").dropFirst(offset)))
        #expect(try Tail.resuming(checkpoint(tail), at: path).1 == .resumed)
    }

    @Test(arguments: [65_535, 65_536, 65_537, 200_000]) func `finds the start of a long last line`(size: Int) throws {
        try directory.append("first\n" + String(repeating: "x", count: size), to: "a.log")
        let tail = try Tail(fromEndOf: path, as: identity(), for: stream, maxLineBytes: 1_000_000)
        #expect(tail.offset == 6)
    }

    @Test func `skips the rest of a last line that is too long`() throws {
        try directory.append("first\n" + String(repeating: "x", count: 300_000), to: "a.log")
        let tail = try Tail(fromEndOf: path, as: identity(), for: stream, maxLineBytes: 1_000)
        #expect(tail.offset == 300_006 && tail.isSkippingLine)
    }

    @Test(arguments: [("one\ntwo\n", 8), ("one\ntwo\nthr", 8)])
    func `a checkpoint without fingerprints is taken up at the start of its line`(text: String, offset: Int) throws {
        try directory.append(text, to: "a.log")
        let pinned = Checkpoint(
            stream: stream,
            file: try identity(),
            offset: text.utf8.count,
            path: directory.path("a.log")
        )
        try directory.append("ee\nfour\n", to: "a.log")
        let (tail, continuation) = try Tail.resuming(pinned, at: path)
        #expect(continuation == .resumed && tail.offset == offset)
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
