import Foundation
import TestSupport
import Testing

/// A file as it may come, and what is to arrive of it.
struct LineCase: CustomTestStringConvertible, Sendable {
    let testDescription: String

    /// What is written, one part after the other.
    let parts: [[UInt8]]

    /// The records, without the newline at their ends.
    let records: [String]

    var keys: [String: any Sendable] = [:]

    init(_ testDescription: String, _ parts: [[UInt8]], _ records: [String], keys: [String: any Sendable] = [:]) {
        self.testDescription = testDescription
        self.parts = parts
        self.records = records
        self.keys = keys
    }

    init(_ testDescription: String, _ text: String, _ records: [String], keys: [String: any Sendable] = [:]) {
        self.init(testDescription, [Array(text.utf8)], records, keys: keys)
    }

    /// Writes the parts for an agent, and expects the records and nothing else.
    func run() async throws -> AgentScene {
        let scene = try AgentScene(flow: keys)
        let agent = try scene.start()
        for part in parts { try scene.directory.append(part, to: "logs/a.log") }
        try await scene.waitForRecords(records.count, from: agent)
        try await scene.expectBalance()
        #expect(try await agent.stop() == .code(0))
        #expect(scene.delivered == records.map { $0 + "\n" })
        return scene
    }
}

/// What is a line, from files to the service.
@Suite(.timeLimit(.minutes(5))) struct LineTests {
    /// LS-010, LS-011, LS-022, LS-041, LS-042, LS-057, LS-088.
    static let cases: [LineCase] = [
        LineCase("a line with CRLF before empty ones", "bbb\r\n\n\n\n1\n", ["bbb\r", "", "", "", "1"]),
        LineCase(
            "empty lines that are not wanted",
            "aa\r\n\r\nbb\r\n\n  \ncc\n",
            ["aa\r", "bb\r", "  ", "cc"],
            keys: ["skipEmptyLines": true]
        ),
        LineCase(
            "a mark of UTF-8",
            "\u{FEFF}{\"id\":1}\n{\"t\":\"\u{FEFF}\"}\n",
            [#"{"id":1}"#, "{\"t\":\"\u{FEFF}\"}"]
        ),
        LineCase(
            "bytes that are not UTF-8",
            [Array("caf".utf8) + [0xE9] + Array(" rest\n".utf8), [0xF0, 0x9F, 0x98] + Array(" cut\n".utf8)],
            ["caf\u{FFFD} rest", "\u{FFFD} cut"]
        ),
        LineCase("NUL in a line", "id=1 before\0after\nid=2 ok\n", ["id=1 before\0after", "id=2 ok"]),
        LineCase("a progress bar", "p 1%\rp 2%\rp 100%\ndone\n", ["p 1%\rp 2%\rp 100%", "done"]),
        LineCase(
            "nothing but carriage returns, after a while",
            "one\rtwo\rthree\r",
            ["one\rtwo\rthree\r"],
            keys: ["partialLineTimeoutMillis": 200]
        ),
        LineCase(
            "UTF-16 in parts that end inside a character",
            [[0xFF, 0xFE, 0x0A, 0x0A, 0x0A, 0, 0x0A, 0x0D], [0x0A, 0, 0x61], [0, 0x0A], [0]],
            ["\u{0A0A}", "\u{0D0A}", "a"]
        ),
        LineCase("a header", "head\nhead\n1\n2\n", ["1", "2"], keys: ["skipHeaderLines": 2]),
        LineCase("another encoding", [[0xE9, 0x0A]], ["é"], keys: ["encoding": "latin1"]),
        LineCase(
            "a line without a newline, after a while",
            [Array("{\"id\":1}\n{\"id\":2}".utf8)],
            ["{\"id\":1}", "{\"id\":2}"],
            keys: ["partialLineTimeoutMillis": 200]
        ),
    ]

    @Test(arguments: cases) func `arrives as it should:`(_ example: LineCase) async throws {
        let scene = try await example.run()
        // After a restart nothing comes again.
        let second = try scene.start()
        try await second.waitForLog("following it")
        #expect(try await second.stop() == .code(0))
        #expect(scene.delivered.count == example.records.count)
    }

    /// LS-140.
    @Test func `a last line without a newline arrives when its file is rotated away, and not twice`() async throws {
        let scene = try AgentScene()
        try scene.append("{\"id\":1}\n{\"id\":2}")
        let agent = try scene.start()
        try await scene.waitForRecords(1, from: agent)
        try scene.rename("a.log", to: "a.log.1")
        try await scene.waitForRecords(2, from: agent)
        try scene.append(",more\n", to: "a.log.1")
        try await scene.waitForRecords(3, from: agent)
        #expect(try await agent.stop() == .code(0))
        #expect(scene.delivered == ["{\"id\":1}\n", "{\"id\":2}\n", ",more\n"])
    }

    /// LS-107.
    @Test(arguments: [false, true]) func `lines of any length are whole`(inHalves: Bool) async throws {
        let scene = try AgentScene()
        let sizes = [4_096, 8_192, 16_384, 32_768, 65_536, 131_072, 262_144].flatMap { [$0 - 1, $0, $0 + 1] }
        let lines = sizes.map { size in
            let head = "\(size) "
            return head + String(repeating: "x", count: size - 1 - head.count) + "\n"
        }
        if !inHalves { try scene.append(lines.joined()) }
        let agent = try scene.start()
        if inHalves {
            for line in lines {
                try scene.append(String(line.prefix(line.count / 2)))
                try scene.append(String(line.suffix(line.count - line.count / 2)))
            }
        }
        try await scene.waitForRecords(lines.count, from: agent)
        #expect(try await agent.stop() == .code(0))
        #expect(scene.delivered == lines)
    }

    /// LS-037.
    @Test func `files that are written slowly are whole from their first byte`() async throws {
        let scene = try AgentScene(flow: ["filePattern": "", "aggregatedRecordSizeBytes": 1_000_000])
        scene.flows[0]["filePattern"] = scene.directory.path("logs/*.csv")
        let agent = try scene.start()
        try await agent.waitForLog("started")
        for number in 1...200 {
            try scene.append("seq,leve", to: "\(number).csv")
            try scene.append("l\n" + (1...5).map { "\(number),\($0)\n" }.joined(), to: "\(number).csv")
        }
        try await agent.wait(for: "all lines arrive") { scene.deliveredLines.count >= 1_200 }
        #expect(try await agent.stop() == .code(0))
        let lines = scene.deliveredLines
        #expect(lines.count { $0 == "seq,level" } == 200 && Set(lines).count == 1_001)
    }

    /// LS-117.
    @Test(arguments: ["truncate", "split", "skip"])
    func `a line that no record holds stops nobody, and is counted`(oversizedLines: String) async throws {
        let scene = try AgentScene(flow: ["oversizedLines": oversizedLines])
        let agent = try scene.start()
        try scene.append(1...10)
        try scene.append(String(repeating: "BIG", count: 1 << 20) + "\n")
        try scene.append(11...20)
        let big = ["truncate": 1, "split": 4, "skip": 0][oversizedLines] ?? 0
        try await scene.waitForRecords(20 + big, from: agent)
        #expect(try await agent.stop() == .code(0))
        let (small, large) = (scene.delivered.filter { $0.count < 20 }, scene.delivered.filter { $0.count >= 20 })
        #expect(small == AgentScene.lines(1...20).map { $0 + "\n" })
        #expect(large.allSatisfy { $0.utf8.count <= 1_024_000 && $0.hasSuffix("\n") } && large.count == big)
        if oversizedLines == "split" { #expect(large.joined().count { $0 != "\n" } == 3 << 20) }
        #expect(agent.log.contains("longer than 1024000 bytes"))
    }

    /// LS-113.
    @Test func `a record is as large as it may be, and not a byte larger`() async throws {
        let scene = try AgentScene()
        let sizes = [1_022_976, 1_023_999, 1_024_000, 1_024_001, 3 << 20]
        let lines = sizes.flatMap { ["\($0)\n", String(repeating: "x", count: $0 - 1) + "\n"] }
        try scene.append(lines.joined() + "end\n")
        let agent = try scene.start()
        try await scene.waitForRecords(lines.count + 1, from: agent)
        #expect(try await agent.stop() == .code(0))
        #expect(scene.delivered.map(\.utf8.count) == (lines + ["end\n"]).map { min($0.utf8.count, 1_024_000) })
        #expect(scene.delivered.allSatisfy { $0.hasSuffix("\n") })
        #expect(agent.log.contains("longer than 1024000 bytes"))
    }

    /// LS-143.
    @Test func `a hole at the end of a file is filled before it is sent`() async throws {
        let scene = try AgentScene()
        try scene.append("")
        let agent = try scene.start()
        var size = 0
        for round in 1...30 {
            let text = (1...100).map { "\(round) \($0)\n" }.joined()
            try scene.directory.truncate("logs/a.log", to: size + text.utf8.count)
            try scene.directory.overwrite(text, in: "logs/a.log", at: size)
            size += text.utf8.count
        }
        try await scene.waitForRecords(3_000, from: agent)
        #expect(try await agent.stop() == .code(0))
        #expect(scene.deliveredLines == (1...30).flatMap { round in (1...100).map { "\(round) \($0)" } })
    }
}
