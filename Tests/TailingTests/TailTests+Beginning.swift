import Platform
import Records
import Tailing
import TestSupport
import Testing

/// Where the reading of a file begins.
extension TailTests {
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
}
