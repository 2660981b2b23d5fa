import Framing
import FramingInvariants
import Regex
import TestSupport
import Testing

/// A file, and the events that it holds; lines that begin with a digit begin events.
struct EventCase: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let file: String
    let events: [String]
    var maxEventBytes = 12
    var splits = 0
}

@Suite struct EventAssemblerTests {
    static let cases: [EventCase] = [
        EventCase(testDescription: "no lines", file: "", events: []),
        EventCase(testDescription: "one event of one line", file: "1\n", events: ["1\n"]),
        EventCase(testDescription: "each line begins one", file: "1\n2\n3\n", events: ["1\n", "2\n", "3\n"]),
        EventCase(
            testDescription: "other lines belong to it",
            file: "1\n a\n\n2\n b\n",
            events: ["1\n a\n\n", "2\n b\n"]
        ),
        EventCase(
            testDescription: "what comes first is an event",
            file: " a\n b\n1\n c\n",
            events: [" a\n b\n", "1\n c\n"]
        ),
        EventCase(testDescription: "the last line gets a newline", file: "1\n a\n b", events: ["1\n a\n b\n"]),
        EventCase(testDescription: "a last line that begins one", file: "1\n a\n2", events: ["1\n a\n", "2\n"]),
        EventCase(
            testDescription: "a carriage return stays",
            file: "1\r\n a\r\n2\r\n",
            events: ["1\r\n a\r\n", "2\r\n"]
        ),
        EventCase(
            testDescription: "too large an event is split between lines",
            file: "1\n abc\n def\n ghi\n jkl\n2\n",
            events: ["1\n abc\n def\n", " ghi\n jkl\n", "2\n"],
            splits: 1
        ),
        EventCase(
            testDescription: "a line that begins an event splits nothing",
            file: "1\n abc\n def\n2345\n",
            events: ["1\n abc\n def\n", "2345\n"]
        ),
        EventCase(
            testDescription: "a line that is larger is an event by itself",
            file: "1\n abcdefghijkl\n m\n",
            events: ["1\n", " abcdefghijkl\n", " m\n"],
            splits: 2
        ),
        EventCase(
            testDescription: "nothing ever begins one",
            file: "a\nb\nc\nd\n",
            events: ["a\nb\n", "c\nd\n"],
            maxEventBytes: 4,
            splits: 1
        ),
    ]

    private func rules(maxEventBytes: Int, _ pattern: String = #"\d"#) throws -> EventRules {
        EventRules(startPattern: try RegularExpression(pattern), timeout: .seconds(5), maxEventBytes: maxEventBytes)
    }

    @Test(arguments: cases, [1, 3, 1_000])
    func `lines become events, wherever a read ends`(_ sample: EventCase, pieceBytes: Int) throws {
        let rules = try rules(maxEventBytes: sample.maxEventBytes)
        let file = Array(sample.file.utf8)
        let trace = EventTrace(of: file, pieces: [pieceBytes], limits: LineLimits(), rules: rules)
        #expect(trace.events.map { String(decoding: $0, as: UTF8.self) } == sample.events)
        #expect(trace.counts.splits == sample.splits)
        #expect(trace.ends.last ?? 0 == file.count)
        let interrupted = EventTrace(of: file, pieces: [pieceBytes], limits: LineLimits(), rules: rules, crashes: true)
        #expect(interrupted.events == trace.events && interrupted.ends == trace.ends)
    }

    @Test func `an event ends when it has not grown for a while`() throws {
        let start = ContinuousClock.now
        let rules = try rules(maxEventBytes: 100)
        var assembler = EventAssembler(
            rules: rules,
            matcher: PrefixMatcher(try #require(rules.startPattern)),
            at: FramingPosition(offset: 10)
        )
        var events: [String] = []
        func add(_ line: String, upTo end: Int, after seconds: Int) {
            let line = Array(line.utf8)
            let end = FramingPosition(offset: end)
            let none = line.span.extracting(first: 0)
            assembler.add(line.span, terminator: none, upTo: end, at: start + .seconds(seconds)) { event, _ in
                events.append(String(decoding: (0..<event.count).map { event[$0] }, as: UTF8.self))
            }
        }
        func expire(after seconds: Int) -> EventReach? {
            var last: EventReach?
            assembler.expire(at: start + .seconds(seconds)) { event, reach in
                events.append(String(decoding: (0..<event.count).map { event[$0] }, as: UTF8.self))
                last = reach
            }
            return last
        }
        #expect(assembler.deadline == nil)
        add("1\n", upTo: 12, after: 0)
        #expect(assembler.deadline == start + .seconds(5))
        #expect(expire(after: 4) == nil)
        add(" a\n", upTo: 15, after: 4)
        #expect(expire(after: 8) == nil && assembler.deadline == start + .seconds(9))
        let reach = expire(after: 9)
        #expect(reach?.start == 10 && reach?.end.offset == 15 && events == ["1\n a\n"])
        #expect(assembler.deadline == nil && expire(after: 20) == nil)
        add(" b\n", upTo: 18, after: 20)
        add("2\n", upTo: 20, after: 20)
        #expect(events == ["1\n a\n", " b\n"])
    }

    @Test func `no line is lost or changed in random files`() throws {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<300 {
            let file = (0..<Int.random(in: 0...80, using: &random)).map { _ in
                "1 ab\n\n".utf8.randomElement(using: &random) ?? 0
            }
            let limits = LineLimits(maxLineBytes: Int.random(in: 1...9, using: &random))
            let rules = try rules(maxEventBytes: Int.random(in: 1...20, using: &random))
            let lines = FramingTrace(of: file, pieces: [100], limits: limits)
            let whole = EventTrace(of: file, pieces: [100], limits: limits, rules: rules)
            #expect(whole.fault(for: lines) == nil)
            let pieces = [Int.random(in: 1...9, using: &random)]
            let interrupted = EventTrace(of: file, pieces: pieces, limits: limits, rules: rules, crashes: true)
            #expect(interrupted.events == whole.events && interrupted.ends == whole.ends)
            let paused = EventTrace(of: file, pieces: pieces, limits: limits, rules: rules, pauses: true)
            #expect(paused.fault(for: lines) == nil)
        }
    }
}
