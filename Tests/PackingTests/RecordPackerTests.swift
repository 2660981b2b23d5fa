import Compression
import Packing
import Records
import TestSupport
import Testing

@Suite struct RecordPackerTests {
    @Test func `a line is a record, and a chunk holds them back to back`() {
        var packer = RecordPacker(settings: PackingSettings())
        packer.add("one\n")
        packer.add("\n")
        packer.add("three", terminator: "\n")
        #expect(packer.openBytes == 11)
        #expect(packer.takeFinished() == nil)
        packer.finish()
        let chunk = packer.takeFinished()
        #expect(chunk?.records.texts == ["one\n", "\n", "three\n"])
        #expect(chunk?.counts.lines == 3)
        #expect(chunk?.counts.sourceBytes == 10)
        #expect(chunk?.counts.recordBytes == 11)
        #expect(packer.isEmpty && packer.openBytes == 0)
    }

    @Test(
        arguments: [
            JoinCase(
                "whole lines while they fit",
                limit: 8,
                lines: ["aaa\n", "bbb\n", "c\n"],
                records: ["aaa\nbbb\n", "c\n"]
            ),
            JoinCase(
                "a line that does not fit opens the next",
                limit: 7,
                lines: ["aaa\n", "bbb\n"],
                records: ["aaa\n", "bbb\n"]
            ),
            JoinCase("exactly full", limit: 4, lines: ["aaa\n", "bbb\n"], records: ["aaa\n", "bbb\n"]),
            JoinCase(
                "a longer line is a record alone, in its place",
                limit: 4,
                lines: ["a\n", "longer\n", "b\n", "c\n"],
                records: ["a\n", "longer\n", "b\nc\n"]
            ),
            JoinCase("lines of one byte", limit: 2, lines: ["\n", "\n", "\n"], records: ["\n\n", "\n"]),
            JoinCase("0 is a line a record", limit: 0, lines: ["a\n", "b\n"], records: ["a\n", "b\n"]),
        ],
        [RecordCompression.none, .gzip]
    )
    func `whole lines are joined up to the size that is asked for`(example: JoinCase, compression: RecordCompression)
        throws
    {
        let settings = PackingSettings(aggregatedRecordSizeBytes: example.limit, compression: compression)
        var packer = RecordPacker(settings: settings)
        for line in example.lines { packer.add(line) }
        #expect(try packer.allRecords(compression).map { String(decoding: $0, as: UTF8.self) } == example.records)

        packer.add(run: example.lines)
        var again = packer
        let lines = again.allChunks().flatMap(\.records.linesOfEach)
        #expect(lines == example.records.map { $0.count { $0 == "\n" } })
        #expect(try packer.allRecords(compression).map { String(decoding: $0, as: UTF8.self) } == example.records)
        #expect(packer.given.lines == 2 * example.lines.count)
        #expect(packer.given.records == 2 * example.records.count)
    }

    @Test(arguments: [RecordCompression.none, .gzip])
    func `a chunk ends at its number of records`(compression: RecordCompression) {
        let limits = BatchLimits(records: 3)
        var packer = RecordPacker(settings: PackingSettings(compression: compression, limits: limits))
        packer.add(run: [String](repeating: "x\n", count: 7))
        #expect(packer.allChunks().map(\.records.count) == [3, 3, 1])
    }

    @Test func `a chunk ends at its bytes, and a larger record is a chunk alone`() {
        var packer = RecordPacker(settings: PackingSettings(limits: BatchLimits(bytes: 8)))
        packer.add(run: ["aaa\n", "bbb\n", "c\n", "longer than that\n", "d\n"])
        let expected = [["aaa\n", "bbb\n"], ["c\n"], ["longer than that\n"], ["d\n"]]
        #expect(packer.allChunks().map(\.records.texts) == expected)
    }

    @Test func `a chunk is no larger than what the cache takes in fastest`() {
        var packer = RecordPacker(settings: PackingSettings())
        packer.add(run: [String](repeating: String(repeating: "x", count: 99_999) + "\n", count: 5))
        #expect(packer.allChunks().map(\.records.count) == [2, 2, 1])
    }

    @Test func `a record that may grow opens where it has room to`() {
        let settings = PackingSettings(aggregatedRecordSizeBytes: 6, limits: BatchLimits(bytes: 10))
        var packer = RecordPacker(settings: settings)
        packer.add(run: ["aaaa\n", "b\n", "cc\n", "dd\n"])
        #expect(packer.allChunks().map(\.records.texts) == [["aaaa\n"], ["b\ncc\n"], ["dd\n"]])
    }

    @Test(arguments: [RecordCompression.none, .gzip])
    func `chunks say which of the source bytes they cover`(compression: RecordCompression) {
        let settings = PackingSettings(
            aggregatedRecordSizeBytes: 8,
            compression: compression,
            limits: BatchLimits(records: 1)
        )
        var packer = RecordPacker(settings: settings)
        packer.add(run: ["aaa\n", "bbb\n"])
        packer.add("converted into more\n", sourceBytes: 100)
        packer.add("cut", terminator: "~\n")
        #expect(packer.takeFinished()?.counts.sourceBytes == 8)
        #expect(packer.allChunks().map(\.counts.sourceBytes) == [100, 3])
        #expect(packer.given.sourceBytes == 111)
        #expect(packer.given.lines == 4)
    }

    @Test func `the open record lingers until it is finished`() {
        var packer = RecordPacker(settings: PackingSettings(aggregatedRecordSizeBytes: 100, compression: .gzip))
        packer.add("abc\n")
        #expect(packer.openBytes == 4)
        #expect(!packer.isEmpty)
        #expect(packer.takeFinished() == nil)
        packer.finish()
        #expect(packer.openBytes == 0)
        #expect(!packer.isEmpty)
        #expect(packer.takeFinished()?.counts.lines == 1)
        #expect(packer.isEmpty)
    }

    @Test func `nothing to finish makes no chunk`() {
        var packer = RecordPacker(settings: PackingSettings(aggregatedRecordSizeBytes: 100))
        packer.finish()
        packer.add(run: [])
        packer.finish()
        #expect(packer.takeFinished() == nil)
    }

    @Test func `a batch that is given back is filled again in its memory`() throws {
        var packer = RecordPacker(settings: PackingSettings())
        packer.add("one\n")
        packer.finish()
        var chunk = packer.takeFinished()
        let memory = try #require(chunk?.records.bytes.withUnsafeBufferPointer(\.baseAddress))
        let batch = chunk?.records ?? RecordBatch()
        chunk = nil
        packer.reuse(consume batch)
        // Takes the place of the memory, had it been let go.
        let others = (0..<4).map { _ in [UInt8](unsafeUninitializedCapacity: 262_144) { _, _ in } }
        packer.add("two\n")
        packer.finish()
        packer.add("three\n")
        packer.finish()
        let chunks = withExtendedLifetime(others) { packer.allChunks() }
        #expect(chunks.map(\.records.texts) == [["two\n"], ["three\n"]])
        #expect(chunks.contains { $0.records.bytes.withUnsafeBufferPointer(\.baseAddress) == memory })
    }
}

/// Lines, and the records that they make.
struct JoinCase: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let limit: Int
    let lines: [String]
    let records: [String]

    init(_ testDescription: String, limit: Int, lines: [String], records: [String]) {
        self.testDescription = testDescription
        self.limit = limit
        self.lines = lines
        self.records = records
    }
}
