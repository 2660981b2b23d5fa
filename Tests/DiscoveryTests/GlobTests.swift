import Discovery
import Platform
import Testing

@Suite struct GlobTests {
    struct Case: CustomTestStringConvertible {
        let pattern: String
        var matches: [String] = []
        var others: [String] = []

        var testDescription: String { pattern }
    }

    @Test(arguments: [
        Case(pattern: "/var/log/app.log", matches: ["/var/log/app.log"], others: ["/var/log/app.logs", "/var/log"]),
        Case(pattern: "/l/*.log", matches: ["/l/a.log", "/l/a.b.log"], others: ["/l/a.LOG", "/l/d/a.log", "/l/.log"]),
        Case(pattern: "/l/*", matches: ["/l/a", "/l/a.b"], others: ["/l/.a", "/l/a/b", "/l"]),
        Case(pattern: "/l/app*", matches: ["/l/app", "/l/app.log.1"], others: ["/l/ap"]),
        Case(pattern: "/l/*a*b", matches: ["/l/ab", "/l/xaxb", "/l/abab"], others: ["/l/aba"]),
        Case(
            pattern: "/l/?",
            matches: ["/l/a", "/l/é", "/l/日", "/l/😀"],
            others: ["/l/ab", "/l/", "/l/.", "/l/e\u{301}"]
        ),
        Case(pattern: "/l/a?c", matches: ["/l/abc", "/l/a.c"], others: ["/l/a/c", "/l/ac"]),
        Case(pattern: "/*/x", matches: ["/a/x"], others: ["/x", "/a/b/x", "/.a/x"]),
    ])
    func `matches runs and single characters`(example: Case) throws { try check(example) }

    @Test(arguments: [
        Case(pattern: "/l/[abc]", matches: ["/l/a", "/l/c"], others: ["/l/d", "/l/ab"]),
        Case(pattern: "/l/[a-cx-z]", matches: ["/l/b", "/l/y"], others: ["/l/d", "/l/-"]),
        Case(pattern: "/l/[!a-c]", matches: ["/l/d", "/l/é"], others: ["/l/b", "/l/."]),
        Case(pattern: "/l/[^a-c]", matches: ["/l/d"], others: ["/l/b"]),
        Case(pattern: "/l/[]a]", matches: ["/l/]", "/l/a"], others: ["/l/b"]),
        Case(pattern: "/l/[!]a]", matches: ["/l/b"], others: ["/l/]"]),
        Case(pattern: "/l/[a-]", matches: ["/l/-", "/l/a"], others: ["/l/b"]),
        Case(pattern: "/l/[-a]", matches: ["/l/-", "/l/a"], others: ["/l/b"]),
        Case(pattern: "/l/[\\]\\-]", matches: ["/l/]", "/l/-"], others: ["/l/\\"]),
        Case(pattern: "/l/[{,}*?]", matches: ["/l/{", "/l/,", "/l/}", "/l/*"], others: ["/l/a"]),
        Case(pattern: "/l/[äöü]", matches: ["/l/ö"], others: ["/l/o", "/l/o\u{308}"]),
        Case(pattern: "/l/[а-я]*", matches: ["/l/журнал"], others: ["/l/log"]),
        Case(pattern: "/l/[.]a", others: ["/l/.a"]),
    ])
    func `matches sets of characters`(example: Case) throws { try check(example) }

    @Test(arguments: [
        Case(pattern: "/l/{a,b}.log", matches: ["/l/a.log", "/l/b.log"], others: ["/l/c.log", "/l/{a,b}.log"]),
        Case(pattern: "/l/a{,.1,.2}", matches: ["/l/a", "/l/a.1"], others: ["/l/a.3"]),
        Case(pattern: "/l/{a{b,c},d}", matches: ["/l/ab", "/l/ac", "/l/d"], others: ["/l/a", "/l/b"]),
        Case(pattern: "/{v/l,o}/*.log", matches: ["/v/l/a.log", "/o/a.log"], others: ["/v/a.log"]),
        Case(pattern: "/l/{a,b}{1,2}", matches: ["/l/a1", "/l/b2"], others: ["/l/a", "/l/12"]),
        Case(pattern: "/l/{[,}],x}", matches: ["/l/,", "/l/}", "/l/x"], others: ["/l/[,"]),
        Case(pattern: "/l/{a\\,b,c}", matches: ["/l/a,b", "/l/c"], others: ["/l/a"]),
        Case(pattern: "/l/{abc}", matches: ["/l/abc"], others: ["/l/{abc}"]),
        Case(pattern: "/l/a,b}", matches: ["/l/a,b}"]),
        Case(pattern: "{/a,/b}/x", matches: ["/a/x", "/b/x"], others: ["/x"]),
    ])
    func `matches alternatives`(example: Case) throws { try check(example) }

    @Test(arguments: [
        Case(
            pattern: "/l/**/x",
            matches: ["/l/x", "/l/a/x", "/l/a/b/x"],
            others: ["/x", "/l/.a/x", "/l/a/.b/x", "/l/xx"]
        ),
        Case(pattern: "/l/**", matches: ["/l/a", "/l/a/b"], others: ["/l", "/l/.a", "/l/.a/b", "/m/a"]),
        Case(pattern: "/**/*.log", matches: ["/a.log", "/a/b/c.log"], others: ["/a/.log", "/.a/b.log"]),
        Case(pattern: "/**/a/**/b", matches: ["/a/b", "/x/a/y/z/b", "/a/a/b/b"], others: ["/b", "/b/a", "/ab/b"]),
        Case(pattern: "/l/**/**/x", matches: ["/l/x", "/l/a/b/c/x"], others: ["/l/a"]),
        Case(pattern: "/l/a**/x", matches: ["/l/a/x", "/l/abc/x"], others: ["/l/a/b/x"]),
        Case(pattern: "/l/**/.cache/*", matches: ["/l/.cache/a", "/l/b/.cache/a"], others: ["/l/.x/.cache/a"]),
        Case(pattern: "/l/.*/**/x", matches: ["/l/.a/x", "/l/.a/b/x"], others: ["/l/a/x"]),
        Case(pattern: "/l/{**/,}x", matches: ["/l/x", "/l/a/b/x"], others: ["/l/a/xx"]),
    ])
    func `crosses directories`(example: Case) throws { try check(example) }

    @Test(arguments: [
        Case(pattern: "/l/\\*", matches: ["/l/*"], others: ["/l/a"]),
        Case(pattern: "/l/\\[a\\]", matches: ["/l/[a]"], others: ["/l/a"]),
        Case(pattern: "/l/\\.a", matches: ["/l/.a"]),
        Case(pattern: "/l/.*", matches: ["/l/.a"], others: ["/l/a"]),
        Case(pattern: "/l/\\\\", matches: ["/l/\\"]),
        Case(pattern: "//l/./a", matches: ["/l/a", "//l//a"], others: ["/l/./a"]),
        Case(pattern: "/l/../m/*", matches: ["/l/../m/a"], others: ["/m/a"]),
        Case(pattern: "/日志/café*", matches: ["/日志/café.log"], others: ["/日志/cafe\u{301}.log"]),
    ])
    func `takes characters literally`(example: Case) throws { try check(example) }

    @Test func `a byte that is not UTF-8 counts as a character`() throws {
        let path = Path(bytes: Array("/l/bad".utf8) + [0xFF, 0xC3] + Array(".log".utf8))
        #expect(try Glob("/l/*.log").matches(path))
        #expect(try Glob("/l/bad??.log").matches(path))
        #expect(try Glob("/l/bad[!a-z][!a-z].log").matches(path))
        #expect(try !Glob("/l/bad?.log").matches(path))
        #expect(try !Glob("/l/bad\u{FFFD}*").matches(path))
    }

    @Test func `many runs take no time`() throws {
        let name = String(repeating: "a", count: 255)
        let runs = try Glob("/" + String(repeating: "*a", count: 100) + "*b")
        #expect(!runs.matches(Path("/" + name)))
        let directories = try Glob(String(repeating: "/**/a", count: 100) + "/b")
        #expect(!directories.matches(Path(String(repeating: "/a", count: 1_000))))
    }

    @Test(arguments: [
        ("/var/log/*.log", ["/var/log"]), ("/var/log/app.log", ["/var/log"]), ("/*", ["/"]), ("/a", ["/"]),
        ("/a/**/b", ["/a"]), ("/{a,b}/c/*/d", ["/a/c", "/b/c"]), ("/a/{b,c*}/d", ["/a", "/a/b"]),
        ("/a\\*/b[c]/d", ["/a*"]),
    ])
    func `a walk begins at the literal prefix`(pattern: String, prefixes: [String]) throws {
        #expect(try Glob(pattern).literalPrefixes == prefixes.map { Path($0) })
    }

    @Test(arguments: [
        ("/a/*/c.log", ["/", "/a", "/a/b"], ["/b", "/a/b/c.log", "/a/b/d", "/a/.b"]),
        ("/a/**/c.log", ["/", "/a", "/a/b", "/a/b/c", "/a/c.log"], ["/b", "/a/.b", "/a/b/.c"]),
        ("/a/{b,c/d}/*", ["/a/b", "/a/c", "/a/c/d"], ["/a/d", "/a/b/d", "/a/c/e"]),
    ])
    func `knows which directories can hold matches`(pattern: String, may: [String], cannot: [String]) throws {
        let glob = try Glob(pattern)
        for path in may { #expect(glob.mayMatch(in: Path(path)), "\(path)") }
        for path in cannot { #expect(!glob.mayMatch(in: Path(path)), "\(path)") }
    }

    private func check(_ example: Case) throws {
        let glob = try Glob(example.pattern)
        for path in example.matches { #expect(glob.matches(Path(path)), "\(path)") }
        for path in example.others { #expect(!glob.matches(Path(path)), "\(path)") }
    }
}
