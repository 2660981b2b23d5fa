import Foundation
import Platform
import Records
import Tailing
import TestSupport
import Testing

/// Files that were compressed before they were read to their end.
extension TailTests {
    private static let old = (0..<200).map { "an old line, \($0)\n" }.joined()
    private static let new = (0..<9_000).map { "a new line, \($0)\n" }.joined()

    /// A checkpoint behind `old`, and a compressed file of some content.
    private func compress(_ content: String, readTo: String = Self.old) throws -> (Checkpoint, FileIdentity) {
        try directory.append(readTo, to: "a.log")
        let first = try tail()
        _ = try read(first)
        let written = checkpoint(first)
        try directory.overwrite("a.log", with: content)
        #expect(system("gzip -f '\(directory.path("a.log"))'") == 0)
        let status = try FileStatus(of: directory.path("a.log.gz"))
        return (written, FileIdentity(device: status.device, inode: status.inode))
    }

    private func inflated(_ checkpoint: Checkpoint, _ file: FileIdentity) throws -> Tail? {
        let spool = Path(directory.path)
        return try Tail.resuming(checkpoint, inflating: Path(directory.path("a.log.gz")), as: file, spool: spool)
    }

    @Test func `what a compressed file holds is read from where its content was read to`() throws {
        let (written, file) = try compress(Self.old + Self.new)
        let tail = try #require(try inflated(written, file))
        #expect(tail.offset == Self.old.utf8.count && tail.file == file && tail.isDeleted)
        #expect(try read(tail, piece: 1_000) == Self.new)
        tail.close()
        #expect(tail.isOpen)
        #expect(try directory.fileCount() == 1)
        // A later run goes on where this one was.
        let next = try #require(try inflated(checkpoint(tail), file))
        #expect(try next.look() == .unread(0))
    }

    @Test(arguments: [Self.new, Self.old.replacing("line, 199", with: "line, 991"), String(Self.old.dropLast(1)), ""])
    func `another content is not taken for it`(content: String) throws {
        let (written, file) = try compress(content)
        #expect(try inflated(written, file) == nil)
    }

    @Test func `a compressed file that is damaged, or still being written, is not taken for it`() throws {
        let (written, file) = try compress(Self.old + Self.new)
        try directory.truncate("a.log.gz", to: directory.contents(of: "a.log.gz").count - 20)
        #expect(try inflated(written, file) == nil)
        #expect(throws: TailError.self) {
            _ = try Tail.resuming(written, inflating: Path(directory.path("b.gz")), as: file, spool: "/")
        }
    }
}
