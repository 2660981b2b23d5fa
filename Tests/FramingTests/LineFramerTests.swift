import Encodings
import Framing
import FramingInvariants
import TestSupport
import Testing

/// A file in pieces, and the lines that it holds.
struct FramingCase: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let file: String
    let lines: [String]
    var dropped = 0
    var maxLineBytes = 6
    var terminator = "~\n"
}

@Suite struct LineFramerTests {
    static let cases: [FramingCase] = [
        FramingCase(testDescription: "no bytes at all", file: "", lines: []),
        FramingCase(testDescription: "one line", file: "abc\n", lines: ["abc\n"]),
        FramingCase(testDescription: "an empty line is one byte", file: "\n\na\n", lines: ["\n", "\n", "a\n"]),
        FramingCase(testDescription: "a carriage return stays", file: "a\r\nb\rc\n", lines: ["a\r\n", "b\rc\n"]),
        FramingCase(testDescription: "NUL is a byte like any other", file: "a\0\n\0\n", lines: ["a\0\n", "\0\n"]),
        FramingCase(testDescription: "the last line gets a newline", file: "a\nbc", lines: ["a\n", "bc\n"]),
        FramingCase(testDescription: "exactly the limit is whole", file: "abcde\nf\n", lines: ["abcde\n", "f\n"]),
        FramingCase(
            testDescription: "the last line with its newline is exactly the limit",
            file: "abcde",
            lines: ["abcde\n"]
        ),
        FramingCase(
            testDescription: "one byte more is cut",
            file: "abcdef\nf\n",
            lines: ["abcd~\n", "f\n"],
            dropped: 3
        ),
        FramingCase(
            testDescription: "as much as the limit without a newline",
            file: "abcdef",
            lines: ["abcd~\n"],
            dropped: 2
        ),
        FramingCase(
            testDescription: "two long lines in a row",
            file: "abcdefgh\nABCDEFGH\n",
            lines: ["abcd~\n", "ABCD~\n"],
            dropped: 10
        ),
        FramingCase(
            testDescription: "a terminator as long as a line keeps nothing else",
            file: "abc\nd\n",
            lines: ["~\n", "d\n"],
            dropped: 4,
            maxLineBytes: 2
        ),
        FramingCase(
            testDescription: "a character that does not fit is not cut, even if nothing is left",
            file: "€€\na\n",
            lines: ["~\n", "a\n"],
            dropped: 7,
            maxLineBytes: 4
        ),
        FramingCase(
            testDescription: "no terminator at all",
            file: "abcdefg\n",
            lines: ["abcdef"],
            dropped: 2,
            terminator: ""
        ),
        FramingCase(
            testDescription: "a hole that makes a line too long is no part of it",
            file: "\0\0\0ab\0\nc\n",
            lines: ["ab\0\n", "c\n"]
        ),
        FramingCase(
            testDescription: "a line behind a hole may be too long as well",
            file: "\0\0\0abcdefg\nc\n",
            lines: ["abcd~\n", "c\n"],
            dropped: 4
        ),
        FramingCase(
            testDescription: "what is left of a hole that is longer than a line stays if it fits",
            file: String(repeating: "\0", count: 20) + "abc\n" + String(repeating: "\0", count: 12),
            lines: ["\0\0abc\n"]
        ),
        FramingCase(
            testDescription: "lines of one byte",
            file: "\n\nab\n\n",
            lines: ["\n", "\n", "\n", "\n"],
            dropped: 3,
            maxLineBytes: 1,
            terminator: "\n"
        ),
    ]

    @Test(arguments: cases, 1...9)
    func `lines are what ends with a newline, however they are read`(example: FramingCase, piece: Int) {
        let file = Array(example.file.utf8)
        let trace = FramingTrace(of: file, pieces: [piece], limits: limits(example))
        #expect(trace.lines.map { String(decoding: $0, as: UTF8.self) } == example.lines)
        #expect(trace.droppedBytes == example.dropped)
    }

    @Test(
        arguments: [
            ("abcdef\nf\n", ["abcde\n", "f\n", "f\n"], LineLimits.Oversized.split, 0),
            ("abcdefghijk\n", ["abcde\n", "fghij\n", "k\n"], .split, 0), ("abcdef", ["abcde\n", "f\n"], .split, 0),
            ("abcde\n", ["abcde\n"], .split, 0), ("ab€€€\n", ["ab€\n", "€\n", "€\n"], .split, 0),
            ("abcdef\nf\n", ["f\n"], .skip, 7), ("abcdefghijkl", [], .skip, 12), ("abcde\n", ["abcde\n"], .skip, 0),
            ("ab€€€\n", ["ab~\n"], .truncate, 10), ("€€€\n", ["€~\n"], .truncate, 7),
            ("\0\0\0\0\0\0\0a\n", ["\0a\n"], .skip, 0),
            ("\0\0\0\0\0\0\0a\n", ["\0\0\0\0\0\n", "\0\0a\n"], .split, 0),
        ] as [(String, [String], LineLimits.Oversized, Int)],
        1...9
    )
    func `long lines are split, skipped or cut, but not inside a character`(
        _ example: (file: String, lines: [String], oversized: LineLimits.Oversized, dropped: Int),
        piece: Int
    ) {
        let file = Array(example.file.utf8)
        let terminator = Array("~\n".utf8)
        let limits = LineLimits(maxLineBytes: 6, cutTerminator: terminator, oversized: example.oversized)
        let trace = FramingTrace(of: file, pieces: [piece], limits: limits, restarts: true)
        #expect(trace.lines.map { String(decoding: $0, as: UTF8.self) } == example.lines)
        #expect(trace.droppedBytes == example.dropped)
    }

    @Test(arguments: 1...9)
    func `empty lines are dropped if that is wanted, blank ones are not`(piece: Int) {
        let file = Array("\n\naa\r\n\r\nbb\r\n\r\n\n  \ncc\n\r".utf8)
        let dropping = FramingTrace(of: file, pieces: [piece], limits: LineLimits(dropsEmptyLines: true))
        #expect(dropping.lines.map { String(decoding: $0, as: UTF8.self) } == ["aa\r\n", "bb\r\n", "  \n", "cc\n"])
        #expect(dropping.passedBytes == 8 && dropping.passedLines == 5 && dropping.droppedBytes == 0)
        #expect(FramingTrace(of: file, pieces: [piece], limits: LineLimits()).lines.count == 10)
    }

    @Test(arguments: 0...4, 1...9) func `lines of the header are passed over, however long they are`(
        count: Int,
        piece: Int
    ) {
        let file = Array("# a header line\n\n#\nabc\nd".utf8)
        let limits = LineLimits(maxLineBytes: 4, oversized: .skip)
        let trace = FramingTrace(of: file, pieces: [piece], limits: limits, headerLines: count, restarts: true)
        let lines =
            count == 0 ? ["\n", "#\n", "abc\n", "d\n"] : Array(["\n", "#\n", "abc\n", "d\n"].dropFirst(count - 1))
        #expect(trace.passedLines == count)
        #expect(trace.lines.map { String(decoding: $0, as: UTF8.self) } == lines)
    }

    @Test(arguments: [TextEncoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian], 1...9)
    func `a newline is found by the units of the encoding`(encoding: TextEncoding, piece: Int) {
        let text = "a\u{0A0A}\u{0D0A}\u{0A00}b\n\r\n\n\u{10A0A}\u{0A}c"
        var file: [UInt8] = []
        for unit in encoding.units(of: text) { file += unit }
        let limits = LineLimits(maxLineBytes: 100, dropsEmptyLines: true)
        let trace = FramingTrace(of: file, pieces: [piece], limits: limits, newline: Newline(of: encoding))
        let newline = [UInt8(ascii: "\n")]
        let expected = ["a\u{0A0A}\u{0D0A}\u{0A00}b\n", "\u{10A0A}\n", "c"].map { line in
            encoding.units(of: line).flatMap(\.self) + (line == "c" ? newline : [])
        }
        #expect(trace.lines == expected)
    }

    @Test func `invalid UTF-8 passes as it is`() {
        let file: [UInt8] = [0xFF, 0xC3, 0x0A, 0xE2, 0x82, 0x0A]
        #expect(
            FramingTrace(of: file, pieces: [2], limits: LineLimits()).lines == [
                [0xFF, 0xC3, 0x0A], [0xE2, 0x82, 0x0A],
            ]
        )
    }

    @Test func `a run of whole lines is one answer, the tail is left for the next read`() {
        var framer = LineFramer(limits: LineLimits())
        let bytes = Array("ab\n\ncde\nfg".utf8)
        var lengths = [99]
        #expect(framer.next(bytes, from: 0, lengths: &lengths) == .lines(0..<8))
        #expect(lengths == [3, 1, 4])
        #expect(framer.next(bytes, from: 8, lengths: &lengths) == .incomplete)
        #expect(lengths.isEmpty)
    }

    @Test func `a run has a limit, so that the lengths stay few`() {
        let bytes = [UInt8](repeating: UInt8(ascii: "\n"), count: LineFramer.maxLinesAtOnce + 1)
        var framer = LineFramer(limits: LineLimits())
        var lengths: [Int] = []
        #expect(framer.next(bytes, from: 0, lengths: &lengths) == .lines(0..<LineFramer.maxLinesAtOnce))
        #expect(
            framer.next(bytes, from: LineFramer.maxLinesAtOnce, lengths: &lengths) == .lines(2_048..<2_049)
        )
    }

    @Test func `a long line is cut as soon as it reaches the limit, and skipped from there`() {
        var framer = LineFramer(limits: LineLimits(maxLineBytes: 4))
        var lengths: [Int] = []
        #expect(framer.next(Array("abc".utf8), from: 0, lengths: &lengths) == .incomplete)
        #expect(framer.next(Array("abcd".utf8), from: 0, lengths: &lengths) == .cut(0..<3))
        #expect(framer.isSkipping)
        #expect(framer.next(Array("de".utf8), from: 0, lengths: &lengths) == .skipped(0..<2))
        #expect(framer.next([], from: 0, lengths: &lengths) == .incomplete)
        #expect(framer.next(Array("f\ng\n".utf8), from: 0, lengths: &lengths) == .skipped(0..<2))
        #expect(!framer.isSkipping)
        #expect(framer.next(Array("f\ng\n".utf8), from: 2, lengths: &lengths) == .lines(2..<4))
    }

    @Test func `a file that ends inside a cut line has nothing left to finish`() {
        let framer = LineFramer(limits: LineLimits(), isSkipping: true)
        let rest = framer.finish(in: [UInt8]().span, from: 0)
        #expect(rest == nil)
        #expect(framer.isSkipping)
        let trace = FramingTrace(of: Array("abcdefg".utf8), pieces: [7], limits: LineLimits(maxLineBytes: 4))
        #expect(trace.endsSkipping)
    }

    private func limits(_ example: FramingCase) -> LineLimits {
        LineLimits(maxLineBytes: example.maxLineBytes, cutTerminator: Array(example.terminator.utf8))
    }
}

extension LineFramer {
    /// `next` of owned bytes, since a lent span cannot pass through `#expect`.
    fileprivate mutating func next(_ bytes: [UInt8], from start: Int, lengths: inout [Int]) -> Framed {
        next(in: bytes.span, from: start, lengths: &lengths)
    }
}

extension TextEncoding {
    /// A text in this encoding, which is UTF-16 or UTF-32.
    func units(of text: String) -> [[UInt8]] {
        let isBig = newline.last == 0x0A
        func bytes(_ number: UInt32) -> [UInt8] {
            let little = (0..<newline.count).map { UInt8(truncatingIfNeeded: number >> (8 * UInt32($0))) }
            return isBig ? little.reversed() : little
        }
        return newline.count == 2 ? text.utf16.map { bytes(UInt32($0)) } : text.unicodeScalars.map { bytes($0.value) }
    }
}

/// Files of random lines: seeded, so that a failure comes again.
@Suite struct FramingPropertyTests {
    @Test(arguments: 1...60 as ClosedRange<UInt64>)
    func `where a read ends changes nothing, and no byte goes missing`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let maxLineBytes = Int.random(in: 2...40, using: &random)
        let terminator = [UInt8](repeating: 0x7E, count: Int.random(in: 0...min(3, maxLineBytes), using: &random))
        let oversized = [LineLimits.Oversized.truncate, .split, .skip].randomElement(using: &random) ?? .truncate
        let limits = LineLimits(
            maxLineBytes: maxLineBytes,
            cutTerminator: terminator,
            oversized: oversized,
            dropsEmptyLines: Bool.random(using: &random)
        )
        let file = (0..<Int.random(in: 0...600, using: &random)).map { _ in
            Int.random(in: 0..<20, using: &random) == 0 ? 0x0A : UInt8.random(in: 0...255, using: &random)
        }
        let whole = FramingTrace(of: file, pieces: [max(1, file.count)], limits: limits)
        #expect(whole.fault(for: file, limits: limits) == nil)
        for _ in 0..<20 {
            let pieces = (0..<8).map { _ in Int.random(in: 1...50, using: &random) }
            #expect(FramingTrace(of: file, pieces: pieces, limits: limits) == whole)
            #expect(FramingTrace(of: file, pieces: pieces, limits: limits, restarts: true) == whole)
        }
    }

    /// The expected lines are found in another way: by splitting the whole file at its newlines.
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `lines are the pieces between newlines, cut at the limit`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let file = (0..<500).map { _ in Int.random(in: 0..<9, using: &random) == 0 ? 0x0A : UInt8(ascii: "x") }
        let limits = LineLimits(maxLineBytes: 12, cutTerminator: Array("…\n".utf8))
        var expected = file.split(separator: 0x0A, omittingEmptySubsequences: false).map { content in
            content.count < 12 ? content + [0x0A] : content.prefix(8) + limits.cutTerminator
        }
        if expected.last == [0x0A] { expected.removeLast() }
        let trace = FramingTrace(of: file, pieces: [7, 1, 30], limits: limits)
        #expect(trace.lines == expected.map { Array($0) })
    }
}
