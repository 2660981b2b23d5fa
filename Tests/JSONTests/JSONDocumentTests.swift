import JSON
import Testing

@Suite struct JSONDocumentTests {
    @Test(
        arguments: [
            ("null", .null), ("true", .bool(true)), (" \t\r\nfalse ", .bool(false)),
            ("0", .number(JSONNumber(text: "0"))), ("-1.5E+10", .number(JSONNumber(text: "-1.5E+10"))),
            ("\"\"", .string("")), ("[]", .array([])), ("{}", .object(JSONObject([]))),
            (#""\"\\\/\b\f\n\r\t""#, .string("\"\\/\u{8}\u{C}\n\r\t")),
            (#""\u00e9\uD83D\uDE00\u0000""#, .string("é😀\0")), ("\"é😀\u{7F}\"", .string("é😀\u{7F}")),
            ("// one\n/* two **/ 1 // three", .number(JSONNumber(text: "1"))),
            ("\u{FEFF}1", .number(JSONNumber(text: "1"))),
        ] as [(String, JSONValue.Content)]
    )
    func `a text becomes its value`(text: String, content: JSONValue.Content) throws {
        let document = try JSONDocument(parsing: Array(text.utf8))
        #expect(document.root.content == content)
        #expect(document.trailing == nil)
    }

    @Test(
        arguments: [
            ("10", 10), ("-0", 0), ("9223372036854775807", Int.max), ("9223372036854775808", nil), ("1.0", nil),
            ("1e3", nil),
        ] as [(String, Int?)]
    )
    func `a number keeps its text, and is an integer where it was written as one`(text: String, integer: Int?) throws {
        let root = try JSONDocument(parsing: Array(text.utf8)).root
        guard case .number(let number) = root.content else { return #expect(Bool(false), "not a number") }
        #expect(number.text == text)
        #expect(number.integer == integer)
    }

    @Test func `every key and value knows its line and column`() throws {
        let text = "\u{FEFF}{\"é\": 1,\r\n /* a\r b */ \"list\": [true,\n\t\"x\"]}"
        let root = try JSONDocument(parsing: Array(text.utf8)).root
        guard case .object(let object) = root.content, case .array(let list) = object.members[1].value.content else {
            return #expect(Bool(false), "not the expected tree")
        }
        #expect(root.position == JSONPosition(line: 1, column: 1))
        #expect(object.members[0].position == JSONPosition(line: 1, column: 2))
        #expect(object.members[0].value.position == JSONPosition(line: 1, column: 7))
        #expect(object.members[1].position == JSONPosition(line: 3, column: 7))
        #expect(list.map(\.position) == [JSONPosition(line: 3, column: 16), JSONPosition(line: 4, column: 2)])
    }

    @Test func `members keep their order, the last of a name wins, and duplicates are told`() throws {
        let root = try JSONDocument(parsing: Array(#"{"b": 1, "a": 2, "b": 3, "b": 4}"#.utf8)).root
        guard case .object(let object) = root.content else { return #expect(Bool(false), "not an object") }
        #expect(object.members.map(\.name) == ["b", "a", "b", "b"])
        #expect(object["b"]?.value.content == .number(JSONNumber(text: "4")))
        #expect(object["c"] == nil)
        #expect(object.duplicates.map(\.first.position.column) == [2, 2])
        #expect(object.duplicates.map(\.again.position.column) == [18, 26])
    }

    @Test(arguments: [("{} }", 4), ("1,", 2), ("null /*", 6), ("[] x", 4)])
    func `what stands behind the root value is reported and not parsed`(text: String, column: Int) throws {
        let document = try JSONDocument(parsing: Array(text.utf8))
        #expect(document.trailing?.position == JSONPosition(line: 1, column: column))
    }

    @Test func `nesting ends at the limit`() throws {
        let options = JSONOptions(depthLimit: 3)
        _ = try JSONDocument(parsing: Array("[[[]],[[]]]".utf8), options: options)
        #expect(throws: JSONError("arrays and objects are nested more than 3 deep", at: .init(line: 1, column: 4))) {
            try JSONDocument(parsing: Array("[[[[]]]]".utf8), options: options)
        }
        #expect(throws: JSONError.self) {
            try JSONDocument(parsing: Array(repeating: UInt8(ascii: "["), count: 1_000_000))
        }
    }

    @Test func `comments are refused where they are not allowed`() {
        #expect(throws: JSONError("comments are not allowed here", at: JSONPosition(line: 1, column: 2))) {
            try JSONDocument(parsing: Array("[// no\n]".utf8), options: JSONOptions(allowsComments: false))
        }
    }

    /// Positions are counted along the way, not from the start of the line each time.
    @Test func `a long line of many values keeps its columns`() throws {
        let count = 200_000
        let text = "[" + String(repeating: "1,", count: count) + "1]"
        guard case .array(let list) = try JSONDocument(parsing: Array(text.utf8)).root.content else {
            return #expect(Bool(false), "not an array")
        }
        #expect(list.last?.position == JSONPosition(line: 1, column: 2 * count + 2))
    }
}
