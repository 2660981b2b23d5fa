import Discovery
import Platform
import Testing

@Suite(.timeLimit(.minutes(1))) struct DirectoryWalkTests {
    let tree = TemporaryTree()

    private func walk(_ includes: String..., excluding excludes: String...) throws -> DirectoryWalk {
        let pattern = try FilePattern(
            includes: includes.map { tree[$0].description },
            excludes: excludes.map { $0.hasPrefix("/") ? tree.root.description + $0 : $0 }
        )
        return DirectoryWalk(pattern)
    }

    private func names(_ paths: some Sequence<Path>) -> [String] {
        paths.map { String($0.description.dropFirst(tree.root.description.count + 1)) }
    }

    private func files(_ findings: Findings) -> [String] { names(findings.files.map(\.path)) }

    private func watched(_ findings: Findings) -> [String] { names(findings.watched.map(\.path)) }

    @Test func `finds what matches, with what the system knows about it`() throws {
        tree.file("a.log", "12345\n")
        tree.file("b.txt")
        let findings = try walk("*.log").scan()
        let file = try #require(findings.files.first)
        #expect(files(findings) == ["a.log"] && file.size == 6 && file.identity.inode > 0)
        #expect((WallClock.now() - file.modified) < .seconds(3_600))
        #expect(watched(findings) == [""])
        #expect(findings.watched.first?.identity.device == file.identity.device)
        #expect(findings.skipped.isEmpty && findings.unreadable.isEmpty)
    }

    @Test func `crosses directories but not hidden ones`() throws {
        for name in ["1.log", "a/2.log", "a/b/c/d/3.log", ".h/4.log", "a/.h/5.log", "a/.6.log"] { tree.file(name) }
        let findings = try walk("**/*.log").scan()
        #expect(files(findings) == ["1.log", "a/2.log", "a/b/c/d/3.log"])
        #expect(watched(findings) == ["", "a", "a/b", "a/b/c", "a/b/c/d"])
    }

    @Test func `reads only directories that can hold matches`() throws {
        for name in ["a/x/1.log", "a/y/1.log", "b/x/1.log", "c/x/1.log", "a/x/z/1.log"] { tree.file(name) }
        let findings = try walk("{a,b}/x/*.log", "c/*/1.log").scan()
        #expect(files(findings) == ["a/x/1.log", "b/x/1.log", "c/x/1.log"])
        #expect(watched(findings) == ["a/x", "b/x", "c", "c/x"])
    }

    @Test func `prunes excluded directories`() throws {
        for name in ["a/1.log", "old/2.log", "a/old/3.log", "a/4.log.gz", "tmp/5.log", "a/tmp/6.log"] {
            tree.file(name)
        }
        let findings = try walk("**/*", excluding: "old", "/tmp").scan()
        #expect(files(findings) == ["a/1.log", "a/tmp/6.log"])
        #expect(watched(findings) == ["", "a", "a/tmp"])
    }

    @Test func `keeps names that are not UTF-8 apart`() throws {
        tree.file(bytes: Array("bad".utf8) + [0xFF, 0xFE] + Array(".log".utf8))
        tree.file(bytes: Array("bad".utf8) + [0xFF, 0xFD] + Array(".log".utf8))
        tree.file(bytes: [0xE6, 0x97] + Array("/x.log".utf8))
        tree.file("café.log")
        tree.file("cafe\u{301}.log")
        let findings = try walk("**/*.log").scan()
        let expected = ["bad\\xff\\xfd.log", "bad\\xff\\xfe.log", "cafe\u{301}.log", "café.log", "\\xe6\\x97/x.log"]
        #expect(files(findings).map { Array($0.utf8) } == expected.map { Array($0.utf8) })
    }

    @Test func `a loop of links is walked once`() throws {
        tree.file("svc/app.log")
        tree.link("svc/loop", to: "..")
        tree.link("svc/self", to: ".")
        let findings = try walk("**/*.log").scan()
        #expect(files(findings) == ["svc/app.log"])
        #expect(watched(findings) == ["", "svc"])
    }

    @Test func `links do not lead into what the kernel makes up`() throws {
        tree.file("svc/app.log")
        tree.link("svc/p", to: "/proc/self")
        let findings = try walk("**/*").scan()
        #expect(files(findings) == ["svc/app.log"])
        #expect(watched(findings) == ["", "svc"])
    }

    @Test func `follows links to directories and files, and prefers real names`() throws {
        tree.file("releases/2/app.log")
        tree.link("current", to: "releases/2")
        tree.file("z/real.log")
        tree.link("a-link.log", to: "z/real.log")
        tree.hardLink("z/same.log", to: "z/real.log")
        #expect(try files(walk("current/*.log").scan()) == ["current/app.log"])
        #expect(try files(walk("**/*.log").scan()) == ["releases/2/app.log", "z/real.log"])
        #expect(try files(walk("*.log").scan()) == ["a-link.log"])
    }

    @Test func `a directory that two patterns reach in two ways is read for both`() throws {
        tree.file("real/1.log")
        tree.file("real/2.txt")
        tree.link("link", to: "real")
        let findings = try walk("real/*.log", "link/*.txt").scan()
        #expect(files(findings) == ["real/1.log", "link/2.txt"])
    }

    @Test func `a link to nothing, or to itself, is no match and no error`() throws {
        tree.link("a.log", to: "nowhere")
        tree.link("b.log", to: "b.log")
        tree.link("c", to: "nowhere")
        let findings = try walk("*.log", "c/*.log", "*/*.log").scan()
        #expect(findings.files.isEmpty && findings.unreadable.isEmpty && findings.skipped.isEmpty)
    }

    @Test func `what holds no lines is reported and not opened`() throws {
        tree.fifo("f.log")
        tree.directory("d.log")
        tree.link("l.log", to: "f.log")
        tree.link("n.log", to: "/dev/null")
        tree.fifo("other")
        let findings = try walk("*.log").scan()
        #expect(names(findings.skipped.map(\.path)) == ["d.log", "f.log", "l.log", "n.log"])
        #expect(findings.skipped.map(\.kind) == [.directory, .fifo, .fifo, .characterDevice])
    }

    @Test func `a directory that is entered is not reported for its name`() throws {
        tree.directory("a/b")
        #expect(try walk("**").scan().skipped.isEmpty)
    }

    @Test func `a prefix that does not exist is awaited where it would appear`() throws {
        let none = try walk("a/b/*.log")
        #expect(watched(none.scan()) == [""])
        tree.directory("a")
        #expect(watched(none.scan()) == ["a"])
        tree.file("a/b/x.log")
        let findings = none.scan()
        #expect(watched(findings) == ["a/b"] && files(findings) == ["a/b/x.log"])
    }

    @Test func `a link in the prefix is watched where it may be turned`() throws {
        tree.file("releases/1/x.log")
        tree.link("srv/current", to: "../releases/1")
        #expect(try watched(walk("srv/current/*.log").scan()) == ["srv", "srv/current"])
    }

    @Test func `a directory is announced before its names are read`() throws {
        tree.directory("a")
        let found = try walk("*/*.log").scan { found, _ in
            tree.file(names([found.path]) == ["a"] ? "a/new.log" : "b/new.log")
        }
        #expect(files(found) == ["a/new.log", "b/new.log"])
    }

    @Test func `a missing literal name that appears while its directory is announced is found`() throws {
        let found = try walk("a/new.log").scan { _, _ in tree.file("a/new.log") }
        #expect(files(found) == ["a/new.log"])
    }
}
