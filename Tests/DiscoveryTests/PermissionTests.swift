import Discovery
import Glibc
import Platform
import Testing

@Suite struct PermissionTests {
    let tree = TemporaryTree()

    private func scan(_ pattern: String) throws -> Findings {
        let walk = DirectoryWalk(try FilePattern(includes: [tree[pattern].description]))
        return withoutPrivileges { walk.scan() }
    }

    @Test func `a closed directory is reported and the rest is found`() throws {
        tree.file("a/1.log")
        tree.file("b/2.log")
        tree.setMode("a", 0)
        defer { tree.setMode("a", 0o755) }
        let findings = try scan("*/*.log")
        #expect(findings.files.map(\.path) == [tree["b/2.log"]])
        #expect(findings.unreadable == [UnreadableEntry(path: tree["a"], error: .permissionDenied)])
        #expect(findings.watched.map(\.path) == [tree.root, tree["b"]])
    }

    @Test func `a closed directory of the prefix is watched where it may be opened`() throws {
        tree.file("a/b/1.log")
        tree.setMode("a/b", 0)
        defer { tree.setMode("a/b", 0o755) }
        let findings = try scan("a/b/*.log")
        #expect(findings.unreadable.map(\.path) == [tree["a/b"]])
        #expect(findings.watched.map(\.path) == [tree["a"]])
    }

    @Test func `a directory that allows only to pass serves literal names`() throws {
        tree.file("a/b/1.log")
        tree.setMode("a", 0o711)
        #expect(try scan("a/b/*.log").files.map(\.path) == [tree["a/b/1.log"]])
        tree.setMode("a/b", 0o711)
        #expect(try scan("a/b/1.log").files.map(\.path) == [tree["a/b/1.log"]])
    }

    @Test func `a directory that allows only to list is reported once`() throws {
        for number in 1...5 { tree.file("a/\(number).log") }
        tree.setMode("a", 0o744)
        let findings = try scan("a/*.log")
        #expect(findings.unreadable == [UnreadableEntry(path: tree["a"], error: .permissionDenied)])
    }

    @Test func `a file that cannot be read is found all the same`() throws {
        tree.file("a.log")
        tree.setMode("a.log", 0)
        #expect(try scan("*.log").files.count == 1)
    }
}
