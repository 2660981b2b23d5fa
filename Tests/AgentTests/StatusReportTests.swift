import Agent
import Testing

/// How an agent's answer reads.
@Suite struct StatusReportTests {
    @Test func `what is wrong comes first, and no more than ten paths of it`() throws {
        let paths = (1...12).map { #"{"path": "/log/\#($0)", "error": "cannot be read"}"# }.joined(separator: ", ")
        let answer = """
            { "cache": {"diskTrouble": "no room"}, "unreadable": [\(paths)],
              "streams": [{"name": "s", "cacheIsFull": true, "missing": 1, "lines": {"missing": -2}, "damaged": 3}] }
            """
        let lines = try StatusReport(Array(answer.utf8)).description.split(separator: "\n").map(String.init)
        let start = try #require(lines.firstIndex(of: "TROUBLE"))
        let expected = [
            "no room",
            "s: the cache has no more room for it: reading waits until the service takes records",
            "s: 3 records could not be read from a damaged cache",
            "s: 1 records are missing; please report this",
            "s: -2 lines are missing; please report this",
        ]
        #expect(Array(lines[(start + 1)...].prefix(5)) == expected)
        #expect(lines[start + 15] == "/log/10: cannot be read" && lines[start + 16] == "and 2 more")
        #expect(try StatusReport(Array("{}".utf8)).description.contains("nothing is wrong"))
    }
}
