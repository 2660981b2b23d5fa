import Containers
import Framing
import FramingInvariants
import Regex
import TestSupport
import Testing

/// A file of CRI lines, each written as stream, tag and message, and the records that become of it.
struct ContainerCase: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let lines: [String]
    let records: [String]
    var hasPattern = false
    var limits = LineLimits(maxLineBytes: 8, cutTerminator: Array("~\n".utf8))
    var unfinished = 0
    var broken = 0

    init(
        _ testDescription: String,
        _ lines: [String],
        _ records: [String],
        hasPattern: Bool = false,
        oversized: LineLimits.Oversized = .truncate,
        dropsEmptyLines: Bool = false,
        unfinished: Int = 0,
        broken: Int = 0
    ) {
        self.testDescription = testDescription
        self.lines = lines
        self.records = records
        self.hasPattern = hasPattern
        limits = LineLimits(
            maxLineBytes: 8,
            cutTerminator: Array("~\n".utf8),
            oversized: oversized,
            dropsEmptyLines: dropsEmptyLines
        )
        self.unfinished = unfinished
        self.broken = broken
    }

    var file: [UInt8] { Array(lines.map { Self.written($0) + "\n" }.joined().utf8) }

    /// `o` and `e` are the streams, `P` and `F` the tags; anything else stays as it is.
    static func written(_ line: String) -> String {
        let streams: [Character: String] = ["o": "stdout", "e": "stderr"]
        guard line.count >= 2, let first = line.first, let stream = streams[first],
            "PF".contains(line.dropFirst().first ?? " ")
        else { return line }
        return "2016-10-06T00:17:09Z \(stream) \(line.dropFirst().prefix(1)) \(line.dropFirst(2))"
    }
}

@Suite struct ContainerAssemblerTests {
    static let cases: [ContainerCase] = [
        ContainerCase("messages of both streams", ["oFa", "eFb", "oF"], ["a\n", "b\n", "\n"]),
        ContainerCase("empty messages that are not wanted", ["oF", "oF\r", "oFa"], ["a\n"], dropsEmptyLines: true),
        ContainerCase("parts are joined", ["oPa", "oPb", "oFc", "oFd"], ["abc\n", "d\n"]),
        ContainerCase(
            "parts are joined in each stream, and go in the order in which they began",
            ["oPo1", "eFe1", "oPo2", "ePe2", "oFo3", "eFe3"],
            ["o1o2o3\n", "e1\n", "e2e3\n"]
        ),
        ContainerCase("a part without an end", ["eFx", "oPa"], ["x\n", "a\n"], unfinished: 1),
        ContainerCase(
            "what waits behind it comes after it",
            ["oPa", "eFb", "eFc"],
            ["a\n", "b\n", "c\n"],
            unfinished: 1
        ),
        ContainerCase(
            "lines that are broken go as they are",
            ["oFa", "", "{x", "\0\0", "oFb"],
            ["a\n", "\n", "{x\n", "\0\0\n", "b\n"],
            broken: 3
        ),
        ContainerCase("a broken line between two parts", ["oPa", "x", "oFb"], ["ab\n", "x\n"], broken: 1),
        ContainerCase("a joined message that is cut", ["oPabcd", "oPefgh", "oFi", "oFj"], ["abcdef~\n", "j\n"]),
        ContainerCase("a message of which the last part leaves no room", ["oPabcdefg", "oFh"], ["abcdef~\n"]),
        ContainerCase("a message that is cut in a character of an earlier part", ["oPabcd€", "oFh"], ["abcd~\n"]),
        ContainerCase(
            "a message that is cut within an event",
            ["oF1", "oF abcdefgh", "oF b"],
            ["1\n abcde~\n b\n"],
            hasPattern: true
        ),
        ContainerCase(
            "a joined message that is split",
            ["oPabcd", "oPefgh", "oFi", "oFj"],
            ["abcd\n", "efghi\n", "j\n"],
            oversized: .split
        ),
        ContainerCase("a long message that is split", ["oFabcdefghij"], ["abcdefg\n", "hij\n"], oversized: .split),
        ContainerCase("a long message that is skipped", ["oPabcd", "oPefgh", "oFi", "oFj"], ["j\n"], oversized: .skip),
        ContainerCase(
            "a long message that is skipped around another one",
            ["ePabcd", "ePefgh", "oPa", "eFi", "oFb"],
            ["ab\n"],
            oversized: .skip
        ),
        ContainerCase(
            "events of the messages of each stream",
            ["oF1", "oF a", "eF2", "oPb", "eF b", "oFc", "oF3"],
            ["1\n a\nbc\n", "2\n b\n", "3\n"],
            hasPattern: true
        ),
        ContainerCase(
            "a message of an event that is too long to be kept",
            ["oF1", "oF abcdefghijkl", "oF b"],
            ["1\n b\n"],
            hasPattern: true,
            oversized: .skip
        ),
    ]

    private func rules(hasPattern: Bool, maxEventBytes: Int = 1_000) throws -> EventRules {
        let pattern = hasPattern ? try RegularExpression(#"\d"#) : nil
        return EventRules(startPattern: pattern, timeout: .seconds(5), maxEventBytes: maxEventBytes)
    }

    @Test(arguments: cases, [1, 7, 10_000])
    func `lines become messages, wherever a read ends`(_ sample: ContainerCase, pieceBytes: Int) throws {
        let rules = try rules(hasPattern: sample.hasPattern)
        let container = ContainerRules(format: .cri, record: nil, limits: sample.limits)
        let trace = EventTrace(
            of: sample.file,
            pieces: [pieceBytes],
            limits: LineLimits(),
            rules: rules,
            container: container
        )
        #expect(trace.events.map { String(decoding: $0, as: UTF8.self) } == sample.records)
        #expect(trace.counts.unfinished == sample.unfinished && trace.counts.broken == sample.broken)
        #expect(trace.ends.last ?? 0 == sample.file.count || sample.limits.oversized == .skip)
        let interrupted = EventTrace(
            of: sample.file,
            pieces: [pieceBytes],
            limits: LineLimits(),
            rules: rules,
            container: container,
            crashes: true
        )
        #expect(interrupted.events == trace.events)
    }

    @Test func `a part that gets no end goes after a while, and what follows is another message`() throws {
        let start = ContinuousClock.now
        let rules = try rules(hasPattern: false)
        let container = ContainerRules(format: .cri, record: ContainerRecord(), limits: LineLimits())
        var assembler = ContainerAssembler(
            rules: rules,
            container: container,
            matcher: nil,
            at: FramingPosition(offset: 0)
        )
        var records: [String] = []
        var end = 0
        func note(_ event: Span<UInt8>, _ reach: EventReach) {
            records.append(String(decoding: (0..<event.count).map { event[$0] }, as: UTF8.self))
        }
        func add(_ line: String, after seconds: Int) {
            let line = Array((ContainerCase.written(line) + "\n").utf8)
            end += line.count
            let none = line.span.extracting(first: 0)
            let position = FramingPosition(offset: end)
            assembler.add(line.span, terminator: none, upTo: position, at: start + .seconds(seconds)) { note($0, $1) }
        }
        add("oPdead", after: 0)
        add("eFheld", after: 3)
        #expect(records.isEmpty && assembler.deadline == start + .seconds(5))
        assembler.expire(at: start + .seconds(4)) { note($0, $1) }
        #expect(records.isEmpty)
        assembler.expire(at: start + .seconds(5)) { note($0, $1) }
        add("oFalive", after: 6)
        #expect(
            records.map { String($0.prefix(17)) } == [
                #"{"message":"dead""#, #"{"message":"held""#, #"{"message":"alive"#,
            ]
        )
        #expect(records[0].hasSuffix(",\"partial\":true}\n") && !records[2].contains("partial"))
        #expect(assembler.deadline == nil && assembler.counts.unfinished == 1)
    }

    @Test func `nothing waits for ever behind events that never end together`() throws {
        let rules = try rules(hasPattern: true, maxEventBytes: 200)
        let lines = (0..<500).flatMap { ["oF\($0)", "eF\($0)", "oF a", "eF b"] }
        let file = Array(lines.map { ContainerCase.written($0) + "\n" }.joined().utf8)
        let container = ContainerRules(format: .cri, record: nil, limits: LineLimits())
        let trace = EventTrace(of: file, pieces: [999], limits: LineLimits(), rules: rules, container: container)
        let events = trace.events.map { String(decoding: $0, as: UTF8.self) }
        #expect(Set(events) == Set((0..<500).flatMap { ["\($0)\n a\n", "\($0)\n b\n"] }) && events.count == 1_000)
        #expect(trace.ends.count { $0 > 0 } > 900)
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `no part is lost or doubled in random files`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let lines = (0..<60).map { index in
            let stream = ["o", "e"].randomElement(using: &random) ?? "o"
            let tag = Int.random(in: 0..<3, using: &random) == 0 ? "P" : "F"
            return Int.random(in: 0..<15, using: &random) == 0 ? "broken \(index);" : "\(stream)\(tag)\(index);"
        }
        let file = Array(lines.map { ContainerCase.written($0) + "\n" }.joined().utf8)
        for hasPattern in [false, true] {
            let rules = try rules(hasPattern: hasPattern, maxEventBytes: 100_000)
            let container = ContainerRules(format: .cri, record: nil, limits: LineLimits())
            let whole = EventTrace(of: file, pieces: [10_000], limits: LineLimits(), rules: rules, container: container)
            let parts = whole.events.flatMap {
                String(decoding: $0, as: UTF8.self).split(whereSeparator: { ";\n".contains($0) })
            }
            let numbers = parts.compactMap { Int($0.filter(\.isNumber)) }
            #expect(numbers.sorted() == Array(0..<60))
            let pieces = [Int.random(in: 1...200, using: &random)]
            let interrupted = EventTrace(
                of: file,
                pieces: pieces,
                limits: LineLimits(),
                rules: rules,
                container: container,
                crashes: true
            )
            #expect(interrupted.events == whole.events)
        }
    }
}
