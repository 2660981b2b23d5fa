import Compression
import Foundation
import Testing

@Suite struct GzipTests {
    @Test(arguments: Sample.all)
    func `what is written is read again by zlib`(sample: Sample) throws {
        let gzip = GzipWriter()
        var member: [UInt8] = []
        gzip.compress(sample.bytes, appendingTo: &member)
        #expect(member.count <= GzipWriter.largestMember(of: sample.bytes.count))
        #expect(try inflate(member, limit: sample.bytes.count) == sample.bytes)
    }

    @Test(
        .enabled(
            if: system("gunzip --version >/dev/null 2>&1 && cmp --version >/dev/null 2>&1") == 0,
            "needs gunzip and cmp"
        ),
        arguments: Sample.all
    )
    func `what is written is read again by gunzip`(sample: Sample) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        let packed = file.appendingPathExtension("gz")
        defer {
            try? FileManager.default.removeItem(at: file)
            try? FileManager.default.removeItem(at: packed)
        }
        var member: [UInt8] = []
        GzipWriter().compress(sample.bytes, appendingTo: &member)
        try Data(sample.bytes).write(to: file)
        try Data(member).write(to: packed)
        // A shell compares: Foundation's `Process`, and its reading of an empty file, leak.
        #expect(system("gunzip -t '\(packed.path())' && gunzip -c '\(packed.path())' | cmp -s - '\(file.path())'") == 0)
    }

    @Test func `a member is added after what is there already, whatever was compressed before`() throws {
        let gzip = GzipWriter()
        var other: [UInt8] = []
        gzip.compress(Sample.random(100_000).bytes, appendingTo: &other)
        var bytes = Array("before".utf8)
        gzip.compress(Sample.log.bytes, appendingTo: &bytes)
        #expect(bytes.prefix(6) == Array("before".utf8)[...])
        #expect(try inflate(Array(bytes.dropFirst(6)), limit: 1_000_000) == Sample.log.bytes)
        #expect(bytes.count < Sample.log.bytes.count / 3)
    }

    @Test(arguments: [1, 7, 1_000, 100_000])
    func `members that come in pieces are read as they come`(piece: Int) throws {
        var bytes: [UInt8] = []
        for sample in [Sample.log, Sample.random(70_000), Sample.log] {
            GzipWriter().compress(sample.bytes, appendingTo: &bytes)
        }
        var reader = GzipReader()
        var content: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: piece) {
            let next = Array(bytes[start..<min(start + piece, bytes.count)])
            try reader.feed(next.span) { piece in
                for index in piece.indices { content.append(piece[index]) }
            }
        }
        let isWhole = !reader.isInMember
        #expect(isWhole)
        #expect(content == Sample.log.bytes + Sample.random(70_000).bytes + Sample.log.bytes)
    }

    @Test func `bytes that are no member are refused when they come, and half a member shows`() throws {
        var bytes: [UInt8] = []
        GzipWriter().compress(Sample.log.bytes, appendingTo: &bytes)
        var reader = GzipReader()
        let half = Array(bytes.dropLast(10))
        try reader.feed(half.span) { _ in }
        let isWhole = !reader.isInMember
        #expect(!isWhole)
        var other = GzipReader()
        let more = bytes + Array("not gzip".utf8)
        do throws(GzipError) {
            try other.feed(more.span) { _ in }
            Issue.record("it took what is no member")
        } catch {
            #expect(error == .damaged(memberOffset: bytes.count))
        }
    }

    @Test(arguments: [0, 1, 65_535, 65_536, 131_070, 131_071, 1_023_902, 1_024_000])
    func `bytes that do not compress grow by no more than is promised`(count: Int) throws {
        let bytes = Sample.random(count).bytes
        let size = GzipWriter().withMember(of: bytes.span) { $0.count }
        #expect(size <= GzipWriter.largestMember(of: count))
        #expect(size > count)
    }

    @Test(arguments: [0, 17, 18, 23, 24, 65_558, 65_559, 65_563, 65_564, 131_098, 1_024_000])
    func `the largest input that fits is the largest`(limit: Int) {
        let input = GzipWriter.largestInput(fitting: limit)
        #expect(GzipWriter.largestMember(of: input) <= limit || input == 0)
        #expect(GzipWriter.largestMember(of: input + 1) > limit)
    }

    @Test func `members are read one after the other`() throws {
        let gzip = GzipWriter()
        var members: [UInt8] = []
        for text in ["one\n", "", "three\n"] { gzip.compress(Array(text.utf8), appendingTo: &members) }
        #expect(try inflate(members, limit: 10) == Array("one\nthree\n".utf8))
    }

    @Test func `reading stops at the limit, also over several members`() throws {
        var members: [UInt8] = []
        for _ in 0..<2 { GzipWriter().compress(Sample.random(50_000).bytes, appendingTo: &members) }
        #expect(try inflate(members, limit: 100_000).count == 100_000)
        #expect(throws: GzipError.tooLarge(limit: 99_999)) { try inflate(members, limit: 99_999) }
    }

    @Test func `a member that ends too early is told wherever it ends`() {
        var member: [UInt8] = []
        GzipWriter().compress(Sample.log.bytes.prefix(500), appendingTo: &member)
        for count in 0..<member.count {
            #expect(throws: GzipError.truncated) { try inflate(Array(member.prefix(count)), limit: 500) }
        }
    }

    @Test func `damage is told with the member that has it`() {
        var members: [UInt8] = []
        let gzip = GzipWriter()
        gzip.compress(Array("whole\n".utf8), appendingTo: &members)
        let second = members.count
        gzip.compress(Array("damaged\n".utf8), appendingTo: &members)
        members[members.count - 8] ^= 1
        #expect(throws: GzipError.damaged(memberOffset: second)) { try inflate(members, limit: 100) }
        #expect(throws: GzipError.damaged(memberOffset: 0)) { try inflate(Array("not gzip".utf8), limit: 100) }
        let trailing = Array(members.prefix(second)) + Array("rest".utf8)
        #expect(throws: GzipError.damaged(memberOffset: second)) { try inflate(trailing, limit: 100) }
    }

    private func inflate(_ members: [UInt8], limit: Int) throws -> [UInt8] {
        let reader = GzipReader()
        var bytes: [UInt8] = []
        try reader.decompress(members.span, limit: limit, appendingTo: &bytes)
        return bytes
    }
}

extension GzipWriter {
    /// Compresses bytes that are owned.
    fileprivate func compress(_ bytes: some Collection<UInt8>, appendingTo destination: inout [UInt8]) {
        let bytes = Array(bytes)
        compress(bytes.span, appendingTo: &destination)
    }
}

/// Bytes to compress.
struct Sample: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let bytes: [UInt8]

    static let log = Sample(
        testDescription: "log lines",
        bytes: (0..<5_000).flatMap {
            Array("2031-04-05T06:07:08Z INFO request \($0 &* 7_919 % 10_007) took \($0 % 83) ms\n".utf8)
        }
    )

    static let all = [
        Sample(testDescription: "nothing", bytes: []),
        Sample(testDescription: "one byte", bytes: [0x0A]),
        Sample(testDescription: "a line", bytes: Array("hello\n".utf8)),
        log,
        Sample(testDescription: "the largest record, of zeros", bytes: [UInt8](repeating: 0, count: 1_024_000)),
        Sample(
            testDescription: "the largest record, of lines",
            bytes: Array((log.bytes + log.bytes + log.bytes + log.bytes + log.bytes).prefix(1_024_000))
        ),
        random(1_024_000),
        random(70_000),
    ]

    /// Bytes that do not compress, the same ones at every run.
    static func random(_ count: Int) -> Sample {
        var state: UInt64 = 0x2545_F491_4F6C_DD1D
        let bytes = (0..<count).map { _ -> UInt8 in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return UInt8(truncatingIfNeeded: state >> 24)
        }
        return Sample(testDescription: "\(count) bytes without a pattern", bytes: bytes)
    }
}
