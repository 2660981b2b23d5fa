import Discovery
import Platform
import Records
import Testing

@Suite struct RescanTests {
    let tree = TemporaryTree()

    private func walk(_ pattern: String, excluding: [String] = []) throws -> DirectoryWalk {
        DirectoryWalk(try FilePattern(includes: [tree[pattern].description], excludes: excluding))
    }

    private func known(_ findings: Findings) -> Set<FileIdentity> { Set(findings.watched.map(\.identity)) }

    @Test func `finds new files of the one directory`() throws {
        tree.file("a/1.log")
        tree.file("b/1.log")
        let walk = try walk("*/*.log")
        let first = walk.scan()
        tree.file("a/2.log")
        tree.file("b/2.log")
        let again = walk.rescan(tree["a"], known: known(first))
        #expect(again.files.map(\.path) == [tree["a/1.log"], tree["a/2.log"]])
        #expect(again.watched.map(\.path) == [tree["a"]])
    }

    @Test func `enters directories that are new, and only those`() throws {
        tree.file("old/1.log")
        let walk = try walk("**/*.log")
        let first = walk.scan()
        tree.file("new/deep/1.log")
        tree.file("old/2.log")
        tree.link("new/loop", to: "..")
        var announced: [Path] = []
        let again = walk.rescan(tree.root, known: known(first)) { found, _ in announced.append(found.path) }
        #expect(again.files.map(\.path) == [tree["new/deep/1.log"]])
        #expect(again.watched.map(\.path) == [tree.root, tree["new"], tree["new/deep"]])
        #expect(announced == again.watched.map(\.path))
    }

    @Test func `a directory that was replaced is new`() throws {
        tree.file("a/1.log")
        let walk = try walk("*/*.log")
        let first = walk.scan()
        tree.rename("a", to: ".gone")
        tree.file("a/2.log")
        #expect(walk.rescan(tree.root, known: known(first)).files.map(\.path) == [tree["a/2.log"]])
    }

    @Test func `the directory above takes the place of one that is gone`() throws {
        tree.file("a/b/1.log")
        let walk = try walk("a/b/*.log")
        let first = walk.scan()
        #expect(first.watched.map(\.path) == [tree["a/b"]])
        tree.remove("a")
        let gone = walk.rescan(tree["a/b"], known: known(first))
        #expect(gone.files.isEmpty && gone.watched.map(\.path) == [tree.root])
        tree.file("a/b/2.log")
        let back = walk.rescan(tree.root, known: known(gone))
        #expect(back.files.map(\.path) == [tree["a/b/2.log"]] && back.watched.map(\.path) == [tree["a/b"]])
    }

    @Test func `a directory outside the pattern gives nothing`() throws {
        tree.file("a/1.log")
        tree.file("skip/1.log")
        let walk = try walk("*/*.log", excluding: ["skip"])
        #expect(walk.rescan(tree["skip"], known: []) == Findings())
        #expect(walk.rescan(tree["a/b"], known: []) == Findings())
        #expect(walk.rescan("/elsewhere", known: []) == Findings())
    }
}
