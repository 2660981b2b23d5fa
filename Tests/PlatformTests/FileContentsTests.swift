import Foundation
import Platform
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct FileContentsTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("fifo")
        try #require(mkfifo(path, 0o600) == 0)
    }

    @Test func `a FIFO that nobody writes to is empty`() throws {
        #expect(try readFile(path: path, limit: 100) == [])
    }

    @Test func `a FIFO with a writer is read to its end`() async throws {
        let script = "exec 3>$0; echo first >&3; echo last >&3"
        let writer = try Program(["sh", "-c", script, path], environment: ["PATH": "/usr/bin:/bin"])
        let text = Array("first\nlast\n".utf8)
        try await waitUntil("the writer is there") { try readFile(path: path, limit: 100) == text }
        #expect(try await writer.exit() == .code(0))
    }

    @Test func `what is wrong with a file is told`() {
        let missing = directory.path("missing")
        #expect(throws: FileContentsError.missing(path: missing)) { try readFile(path: missing, limit: 1) }
        #expect(throws: FileContentsError.tooLarge(path: "/dev/zero", limit: 1)) {
            try readFile(path: "/dev/zero", limit: 1)
        }
        #expect(throws: FileContentsError.unreadable(path: directory.path, reason: "Is a directory")) {
            try readFile(path: directory.path, limit: 1)
        }
    }
}
