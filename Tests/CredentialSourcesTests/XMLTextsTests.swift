import Testing

@testable import AWS
@testable import CredentialSources

@Suite struct XMLTextsTests {
    @Test func `texts are found by their element and the one around it`() throws {
        let document = """
            <?xml version="1.0"?>
            <!-- <a>no</a> -->
            <r xmlns="x>y" a='"'><a>1</a><b><a> 2 </a><c/><d x="1"/><e></e></b><a>3</a></r>

            """
        let texts = try XMLTexts(Array(document.utf8))
        #expect(texts["r/a"] == "1")
        #expect(texts["b/a"] == " 2 ")
        #expect(texts["b/c"] == "" && texts["b/d"] == "" && texts["b/e"] == "")
        #expect(texts["r/b"] == nil && texts["r"] == nil)
    }

    @Test func `entities are what they stand for`() throws {
        let texts = try XMLTexts(Array("<a>&lt;&gt;&amp;&quot;&apos;&#65;&#x1F600;&amp;lt;</a>".utf8))
        #expect(texts["a"] == "<>&\"'A😀&lt;")
    }

    @Test(arguments: [
        "", "x", "<", "<a", "<a>", "</a>", "<a></b>", "<a><b></a></b>", "<a></a><b></b>", "<a></a>x", "<a b=\"></a>",
        "<a>&b;</a>", "<a>&</a>", "<a>&#xD800;</a>", "<a>&#;</a>", "<!DOCTYPE a><a></a>", "<![CDATA[a]]>",
        "<!--<a></a>",
        "< a></a>", "<a></a/>", "<a><</a>",
    ])
    func `what is not such a document is refused`(document: String) {
        #expect(throws: XMLTexts.Malformed.self) { try XMLTexts(Array(document.utf8)) }
    }

    @Test func `elements in elements without end are refused, and texts without end not kept`() throws {
        let deep = String(repeating: "<a>", count: 17) + String(repeating: "</a>", count: 17)
        #expect(throws: XMLTexts.Malformed.self) { try XMLTexts(Array(deep.utf8)) }
        let wide = "<a>" + (0..<1000).map { "<b\($0)></b\($0)>" }.joined() + "</a>"
        let texts = try XMLTexts(Array(wide.utf8))
        #expect(texts["a/b63"] == "" && texts["a/b64"] == nil)
    }
}
