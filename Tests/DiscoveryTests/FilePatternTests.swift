import Discovery
import Platform
import Testing

@Suite struct FilePatternTests {
    struct Case: CustomTestStringConvertible {
        let exclude: String
        var read: [String] = []
        var left: [String] = []

        var testDescription: String { exclude }
    }

    @Test(arguments: [
        Case(exclude: "debug.log", read: ["/l/a.log", "/l/my-debug.log"], left: ["/l/debug.log", "/l/x/debug.log"]),
        Case(exclude: "old*", read: ["/l/a.log"], left: ["/l/old.log", "/l/old/a.log", "/l/x/older/y/a.log"]),
        Case(exclude: "/l/x/*.log", read: ["/l/a.log", "/l/x/y/a.log"], left: ["/l/x/a.log"]),
        Case(exclude: "/l/x", read: ["/l/a.log", "/l/xx/a.log"], left: ["/l/x/a.log", "/l/x/y/a.log"]),
        Case(exclude: "/l/**/tmp", read: ["/l/a.log"], left: ["/l/tmp/a.log", "/l/x/tmp/y/a.log"]),
        Case(exclude: "**/x/a.log", read: ["/l/a.log", "/l/x/b.log"], left: ["/l/x/a.log", "/l/y/x/a.log"]),
        Case(exclude: "{a,/l/x}", read: ["/l/b.log", "/l/y/x/b.log"], left: ["/l/a/b.log", "/l/x/b.log"]),
        Case(exclude: "**", left: ["/l/a.log", "/l/x/a.log"]),
    ])
    func `an exclude leaves out files and whole directories`(example: Case) throws {
        let pattern = try FilePattern(includes: ["/l/**/*.log"], excludes: [example.exclude])
        for path in example.read { #expect(pattern.matches(Path(path)), "\(path)") }
        for path in example.left { #expect(!pattern.matches(Path(path)), "\(path)") }
    }

    @Test func `one of several includes is enough`() throws {
        let pattern = try FilePattern(includes: ["/a/*.log", "/b/**/x"])
        #expect(pattern.matches("/a/1.log") && pattern.matches("/b/c/x"))
        #expect(!pattern.matches("/b/1.log") && !pattern.matches("/"))
        #expect(pattern.includes.map(\.pattern) == ["/a/*.log", "/b/**/x"])
    }

    @Test(arguments: ["/l/a.gz", "/l/a.log.GZ", "/l/a.bz2", "/l/a.Zip", "/l/a.xz", "/l/a.zst"])
    func `compressed files are never read`(path: String) throws {
        #expect(try !FilePattern(includes: ["/l/*", path]).matches(Path(path)))
    }

    @Test(arguments: ["/l/gz", "/l/a.gz.log", "/l/agz", "/l/a.Z", "/l/a.tgz", "/l/a\u{1A}gz", "/l/a.gz/b"])
    func `other names are read`(path: String) throws {
        #expect(try FilePattern(includes: ["/l/**"]).matches(Path(path)))
    }

    @Test(arguments: ["x/*.log", "./x", "*/x"])
    func `an exclude with a slash must say where it begins`(exclude: String) {
        #expect(throws: GlobError(pattern: exclude, position: 1, problem: .relative)) {
            try FilePattern(includes: ["/l/*"], excludes: [exclude])
        }
    }
}
