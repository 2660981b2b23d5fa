import Regex
import Testing

@Suite struct PrefixMatcherTests {
    private func matches(_ pattern: String, _ line: [UInt8]) throws -> Bool {
        PrefixMatcher(try RegularExpression(pattern)).matchesPrefix(line.span)
    }

    @Test(arguments: [
        ("", "", true), ("", "a", true), ("a", "", false), ("a", "abc", true), ("b", "abc", false), ("^a", "abc", true),
        (#"\d{4}-\d\d"#, "2024-01-02 x\n", true), (#"\d"#, " 2024\n", false), ("a|b", "bc\n", true),
        ("a$", "a\n", true), ("a$", "a\r\n", true), ("a$", "ab\n", false), (".{3}", "äöü\n", true),
        (".{4}", "äöü\n", false), (".", "\n", false), (".", "\r\n", false), (#"\w"#, "é", false), ("[é]", "é", true),
        ("(?i)error", "ERROR\n", true), ("(?!at )", "at x\n", false), (#"(a)\1(b)(c)"#, "aabc", true),
        (#"\[&&\]"#, "[&&]", true), ("&&", "&&", true),
    ])
    func `a line matches at its beginning or not at all`(pattern: String, line: String, isMatch: Bool) throws {
        #expect(try matches(pattern, Array(line.utf8)) == isMatch)
    }

    @Test(
        arguments: [
            ("caf. x", [0x63, 0x61, 0x66, 0xE9, 0x20, 0x78], true), (#"caf\x{FFFD}"#, [0x63, 0x61, 0x66, 0xE9], true),
            ("a", [0x61, 0xFF, 0xFF], true), ("b", [0xF0, 0x9F, 0x98], false), (".{2}$", [0xFF, 0xFE], true),
            ("a.b", [0x61, 0x00, 0x62], true),
        ] as [(String, [UInt8], Bool)]
    )
    func `what is not UTF-8 is a character like any other`(pattern: String, line: [UInt8], isMatch: Bool) throws {
        #expect(try matches(pattern, line) == isMatch)
    }

    @Test(arguments: [
        ("(", 1, "missing closing parenthesis"), ("a{2,1}", 5, "numbers out of order in {} quantifier"),
        ("äb(?<", 6, "subpattern name expected"), (#"\"#, 1, #"\ at end of pattern"#),
        (
            "[a-z&&[^b]]", 4,
            "a class with && is known to Java alone; write a lookahead such as (?![aeiou])[a-z] instead"
        ),
    ])
    func `what is no pattern is refused with the place and the reason`(
        pattern: String,
        offset: Int,
        problem: String
    ) {
        let error = #expect(throws: RegexError.self) { try RegularExpression(pattern) }
        #expect(error?.problem == problem && error?.offset == offset && error?.pattern == pattern)
        let text = "the regular expression '\(pattern)' is wrong: at offset \(offset): \(problem)"
        #expect(error?.description == text)
    }

    @Test func `a line that would take too long is taken not to match`() throws {
        let matcher = PrefixMatcher(try RegularExpression("(a+)+$"))
        let lines = [[UInt8](repeating: UInt8(ascii: "a"), count: 64) + Array("b\n".utf8), Array("aaa\n".utf8)]
        let results = lines.map { matcher.matchesPrefix($0.span) }
        #expect(results == [false, true])
        #expect(matcher.givenUp == 1 && matcher.attempts == 2 && matcher.matches == 1)
    }

    @Test func `a long line with much to remember is matched`() throws {
        let line = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
        #expect(try matches("a", line))
        #expect(try matches("a*", line))
    }
}
