import JSON
import Testing

@Suite struct JSONErrorTests {
    struct Slip: Sendable, CustomTestStringConvertible {
        var text: String
        var line = 1
        var column: Int
        var message: String
        var testDescription: String { text.debugDescription }
    }

    @Test(arguments: [
        Slip(text: "", column: 1, message: "expected a value, found the end of the text"),
        Slip(text: "[1, 2,\n]", column: 6, message: "there is a comma before ']'; remove it"),
        Slip(text: "{\"a\": 1, }", column: 8, message: "there is a comma before '}'; remove it"),
        Slip(text: "[,]", column: 2, message: "expected a value, found ','"),
        Slip(text: "[1,,2]", column: 4, message: "expected a value, found ','"),
        Slip(text: "{'a': 1}", column: 2, message: "text must stand in double quotes, not in single ones"),
        Slip(text: "['a']", column: 2, message: "text must stand in double quotes, not in single ones"),
        Slip(text: "{a: 1}", column: 2, message: "a key must stand in double quotes: \"key\": value"),
        Slip(text: "{1: 1}", column: 2, message: "a key must stand in double quotes: \"key\": value"),
        Slip(text: "{[", column: 2, message: "expected a key in double quotes, found '['"),
        Slip(text: "{\"a\" 1}", column: 6, message: "expected ':' behind the key, found '1'"),
        Slip(text: "{\"a\" = 1}", column: 6, message: "expected ':' behind the key, found '='"),
        Slip(
            text: "{\"a\": 1\n\"b\": 2}",
            line: 2,
            column: 1,
            message: "expected ',' or the '}' of what was opened at line 1, column 1, found '\"'"
        ),
        Slip(
            text: " [1",
            column: 4,
            message: "expected ',' or the ']' of what was opened at line 1, column 2, found the end of the text"
        ),
        Slip(
            text: "[1}",
            column: 3,
            message: "expected ',' or the ']' of what was opened at line 1, column 1, found '}'"
        ),
        Slip(
            text: "[\n\"abc\n]",
            line: 2,
            column: 1,
            message: "the string that begins here has no closing quote on its line"
        ),
        Slip(text: "\"abc\\", column: 5, message: #"unknown escape; a backslash itself is written \\"#),
        Slip(text: "\"\\d+\"", column: 2, message: #"unknown escape; a backslash itself is written \\"#),
        Slip(text: "\"\\u12g4\"", column: 2, message: #"expected four hexadecimal digits behind \u"#),
        Slip(
            text: "\"\\ud800\"",
            column: 2,
            message: #"\u escapes from d800 to dfff must come in pairs, high before low"#
        ),
        Slip(
            text: "\"\\ud800\\u0041\"",
            column: 2,
            message: #"\u escapes from d800 to dfff must come in pairs, high before low"#
        ),
        Slip(
            text: "\"a\tb\"",
            column: 3,
            message: #"a control character in a string must be escaped: \t is a tab, \u001b an escape"#
        ),
        Slip(text: "[1 /* x\n *", column: 4, message: "the comment that begins here has no end; close it with */"),
        Slip(text: "/*/", column: 1, message: "the comment that begins here has no end; close it with */"),
        Slip(text: "/x", column: 1, message: "a single '/' means nothing; a comment is // or /* */"),
        Slip(text: "# x\n1", column: 1, message: "'#' does not begin a comment; write // instead"),
        Slip(text: "True", column: 1, message: "write true in lower case"),
        Slip(text: "None", column: 1, message: "None is not JSON; write null"),
        Slip(text: "NaN", column: 1, message: "NaN is not a JSON number"),
        Slip(text: "yes", column: 1, message: "expected a value; text must stand in double quotes"),
        Slip(
            text: "[\u{201C}a\u{201D}]",
            column: 2,
            message: "expected a value, found the typographic quote U+201C; use \""
        ),
        Slip(
            text: "[\u{A0}1]",
            column: 2,
            message: "expected a value, found the invisible character U+00A0; remove it"
        ),
        Slip(text: "[é]", column: 2, message: "expected a value, found the character U+00E9"),
        Slip(text: "[\u{1}]", column: 2, message: "expected a value, found the character U+0001"),
    ])
    func `a slip is told with its place and what to write`(slip: Slip) {
        #expect(error(in: Array(slip.text.utf8)) == expected(slip))
    }

    @Test(arguments: [
        "01", "-", "+1", ".5", "1.", "1.e3", "1e", "1e+", "0x10", "1_000", "-Infinity", "1.2.3", "12abc", "1\"",
    ])
    func `what only looks like a number is refused`(text: String) {
        let found = error(in: Array("[\(text)]".utf8))
        #expect(found?.position == JSONPosition(line: 1, column: 2))
        #expect(found?.message.hasPrefix("expected a number such as 10 or -1.5") == true)
    }

    @Test(
        arguments: [
            [0xFF, 0xFE, 0x7B, 0], [0xFE, 0xFF, 0, 0x7B], [0x7B, 0, 0x7D, 0], [0, 0x7B, 0, 0x7D],
        ] as [[UInt8]]
    )
    func `UTF-16 is named`(bytes: [UInt8]) {
        #expect(error(in: bytes)?.message == "the text is UTF-16 or UTF-32; save it as UTF-8")
    }

    @Test(arguments: [[0xE9], [0xC3], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0xF5, 0x80, 0x80, 0x80]] as [[UInt8]])
    func `bytes that are not UTF-8 are refused in strings and elsewhere, but not in comments`(bytes: [UInt8]) throws {
        let quote = UInt8(ascii: "\"")
        let inString = error(in: [quote] + bytes + [quote])
        #expect(inString?.message == "the string that begins here is not valid UTF-8")
        #expect(error(in: bytes)?.message == "expected a value, found a byte that is not UTF-8")
        _ = try JSONDocument(parsing: Array("/*".utf8) + bytes + Array("*/ 1".utf8))
    }

    /// A secret may be what stands next to the slip.
    @Test(arguments: [
        "{\"key\": 'SECRET'}", "{\"key\": SECRET}", "{\"key\": \"SECRET}", "{\"key\": 1SECRET}",
        "{\"key\": \"SECRET\" \"SECRET\"}",
        "{\"SECRET\" 1}", "{\"key\": \"SECRET\\q\"}",
    ])
    func `no message repeats the text`(text: String) throws {
        let found = try #require(error(in: Array(text.utf8)))
        #expect(!found.description.contains("SECRET"))
    }

    /// A text that was cut anywhere is refused or read, and never more than that.
    @Test func `every prefix of a text ends well`() throws {
        let text = Array(#"/*c*/{"a\u00e9": [1.5e3, -0, true, null, "x\n"], "b": {"c": {}}} // end"#.utf8)
        let end = try #require(text.lastIndex(of: UInt8(ascii: "}")))
        for length in 0...text.count {
            #expect((error(in: Array(text[..<length])) == nil) == (length > end), "\(length) bytes")
        }
    }

    private func expected(_ slip: Slip) -> JSONError {
        JSONError(slip.message, at: JSONPosition(line: slip.line, column: slip.column))
    }

    private func error(in bytes: [UInt8]) -> JSONError? {
        do throws(JSONError) {
            _ = try JSONDocument(parsing: bytes)
            return nil
        } catch {
            return error
        }
    }
}
