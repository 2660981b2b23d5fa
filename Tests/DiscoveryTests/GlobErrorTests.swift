import Discovery
import Testing

@Suite struct GlobErrorTests {
    @Test(
        arguments: [
            ("app.log", 1, .relative), ("", 1, .namesNoFile), ("*.log", 1, .relative), ("./a", 1, .relative),
            ("{/a,b}/c", 1, .relative), ("/", 1, .namesNoFile), ("/var/log/", 9, .namesNoFile),
            ("/l/{a,b/}", 9, .namesNoFile), ("/l/.", 4, .namesNoFile),
            ("/l/[abc", 4, .unclosedBracket), ("/l/[]", 4, .unclosedBracket), ("/l/[!]", 4, .unclosedBracket),
            ("/l/[a/b]", 4, .unclosedBracket), ("/l/[a-", 4, .unclosedBracket),
            ("/é/{a,b", 4, .unclosedBrace), ("/l/{a,{b}", 4, .unclosedBrace), ("/l/{", 4, .unclosedBrace),
            ("/l/a\\", 5, .nothingEscaped), ("/l\\/a", 3, .nothingEscaped), ("/l/[\\", 5, .nothingEscaped),
            ("/l/[az-a]", 6, .reversedRange), ("/l/[[:digit:]]", 5, .characterClass),
            ("/l/*/../a", 9, .parentOfWildcard), ("/l/a\0b", 5, .nul),
            ("/l/{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", 1, .tooManyAlternatives),
            ("/l/" + String(repeating: "{", count: 17) + String(repeating: "}", count: 17), 20, .nestedTooDeep),
        ] as [(String, Int, GlobError.Problem)]
    )
    func `says where a pattern is wrong`(pattern: String, position: Int, problem: GlobError.Problem) {
        #expect(throws: GlobError(pattern: pattern, position: position, problem: problem)) { try Glob(pattern) }
    }

    @Test func `the message names the pattern, the place and the remedy`() {
        let error = #expect(throws: GlobError.self) { try Glob("/l/[abc") }
        #expect(
            error?.description
                == #"pattern "/l/[abc", character 4: "[" has no "]" in the same name; add it, or write \[ for the character itself"#
        )
    }

    @Test func `as many alternatives as are allowed are fine`() throws {
        #expect(try Glob("/l/" + String(repeating: "{a,b}", count: 8)).matches("/l/abababab"))
        let nested = String(repeating: "{", count: 16) + "a" + String(repeating: "}", count: 16)
        #expect(try Glob("/l/" + nested).matches("/l/a"))
    }
}
