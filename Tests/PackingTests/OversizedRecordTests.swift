import Compression
import Packing
import Records
import TestSupport
import Testing

/// Nothing that leaves the packer is larger than what the service takes.
@Suite struct OversizedRecordTests {
    @Test(arguments: [RecordCompression.none, .gzip])
    func `a line as long as a record that compresses is kept whole`(compression: RecordCompression) throws {
        let line = [UInt8](repeating: 0x61, count: 1_023_999) + [0x0A]
        var packer = RecordPacker(settings: PackingSettings(compression: compression))
        packer.add(line.span)
        #expect(try packer.allRecords(compression) == [line])
        #expect(packer.given.shortenedLines == 0)
    }

    @Test func `a longer line is cut to a record, with the terminator`() throws {
        let line = [UInt8](repeating: 0x61, count: 1_500_000)
        let settings = PackingSettings(cutTerminator: Array("~\n".utf8))
        var packer = RecordPacker(settings: settings)
        packer.add(line.span)
        let records = try packer.allRecords(.none)
        #expect(records == [line.prefix(1_023_998) + Array("~\n".utf8)])
        #expect(packer.given.shortenedLines == 1)
        #expect(packer.given.droppedBytes == 1_500_000 - 1_023_998)
        #expect(packer.given.sourceBytes == 1_500_000)
    }

    @Test func `no character of a line is cut`() throws {
        let line = Array(String(repeating: "é", count: 600_000).utf8)
        var packer = RecordPacker(settings: PackingSettings())
        packer.add(line.span)
        #expect(try packer.allRecords(.none) == [line.prefix(1_023_998) + [0x0A]])
        #expect(packer.given.droppedBytes == 1_200_000 - 1_023_998)
    }

    @Test(arguments: ["\n", ""])
    func `a line that compression makes too large is cut until it fits`(terminator: String) throws {
        let line = noise(1_024_000 - terminator.utf8.count)
        let settings = PackingSettings(compression: .gzip, cutTerminator: Array("~\n".utf8))
        var packer = RecordPacker(settings: settings)
        packer.add(line.span, terminator: Array(terminator.utf8).span)
        packer.finish()
        let finished = packer.takeFinished()
        let chunk = try #require(finished)
        #expect(chunk.records.lengths == [1_024_000])
        #expect(chunk.counts.shortenedLines == 1)
        let record = try #require(try chunk.records.contents(.gzip).first)
        #expect(record.suffix(2) == Array("~\n".utf8)[...])
        #expect(record.dropLast(2) == line.prefix(record.count - 2))
        #expect(chunk.counts.droppedBytes == line.count - (record.count - 2))
    }

    @Test(arguments: [RecordCompression.none, .gzip])
    func `a terminator as long as a record leaves nothing of the line`(compression: RecordCompression) throws {
        let terminator = noise(1_024_000)
        var packer = RecordPacker(settings: PackingSettings(compression: compression, cutTerminator: terminator))
        let line = noise(1_024_001)
        packer.add(line.span)
        let records = try packer.allRecords(compression)
        #expect(records == [Array(terminator.prefix(compression == .none ? 1_024_000 : 1_023_902))])
        #expect(packer.given.droppedBytes == line.count)
    }

    @Test func `lines that do not compress are joined only as far as they fit`() throws {
        let bytes = noise(2_100_000)
        let lines = stride(from: 0, to: bytes.count, by: 1_000).map { Array(bytes[$0..<$0 + 1_000]) }
        let settings = PackingSettings(aggregatedRecordSizeBytes: 1_024_000, compression: .gzip)
        var packer = RecordPacker(settings: settings)
        for line in lines { packer.add(line.span) }
        packer.finish()
        let chunks = packer.allChunks()
        #expect(chunks.allSatisfy { $0.records.lengths.allSatisfy { $0 <= 1_024_000 } })
        #expect(chunks.map(\.counts.lines) == [1_023, 1_023, 54])
        #expect(try chunks.flatMap { try $0.records.contents(.gzip).joined() } == bytes)
        #expect(packer.given.shortenedLines == 0)
    }
}

/// Whatever the settings, the records hold the lines, in order, within the limits.
@Suite struct PackingPropertyTests {
    @Test(arguments: 1...80 as ClosedRange<UInt64>)
    func `records hold the lines in order, and chunks keep to their limits`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let compression: RecordCompression = Bool.random(using: &random) ? .gzip : .none
        let limits = BatchLimits(
            records: Int.random(in: 1...9, using: &random),
            bytes: Int.random(in: 1...300, using: &random)
        )
        let joined = Bool.random(using: &random) ? 0 : Int.random(in: 1...200, using: &random)
        var packer = RecordPacker(
            settings: PackingSettings(aggregatedRecordSizeBytes: joined, compression: compression, limits: limits)
        )
        let lines = (0..<300).map { _ in String(repeating: "x", count: Int.random(in: 0...60, using: &random)) + "\n" }
        var chunks: [PackedChunk] = []
        var next = 0
        while next < lines.count {
            let end = min(lines.count, next + Int.random(in: 1...40, using: &random))
            packer.add(run: Array(lines[next..<end]))
            next = end
            if Int.random(in: 0..<4, using: &random) == 0 { packer.finish() }
            while let chunk = packer.takeFinished() { chunks.append(chunk) }
        }
        chunks += packer.allChunks()

        let text = lines.joined()
        let records = try chunks.flatMap { try $0.records.contents(compression) }
        #expect(String(decoding: records.joined(), as: UTF8.self) == text)
        #expect(records.allSatisfy { $0.last == 0x0A })
        #expect(chunks.allSatisfy { $0.records.count <= limits.records })
        #expect(chunks.allSatisfy { $0.records.bytes.count <= limits.bytes || $0.records.count == 1 })
        #expect(joined == 0 || records.allSatisfy { $0.count <= joined || $0.count { $0 == 0x0A } == 1 })
        #expect(joined != 0 || records.count == lines.count)
        #expect(packer.given.lines == lines.count)
        #expect(packer.given.sourceBytes == text.utf8.count)
        #expect(packer.given.recordBytes == chunks.reduce(0) { $0 + $1.records.bytes.count })
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `a run makes the same chunks as its lines one by one`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let settings = PackingSettings(
            aggregatedRecordSizeBytes: Int.random(in: 0...2, using: &random) * 70,
            limits: BatchLimits(records: 5, bytes: 400)
        )
        let lines = (0..<200).map { _ in String(repeating: "y", count: Int.random(in: 0...90, using: &random)) + "\n" }
        var runs = RecordPacker(settings: settings)
        var single = RecordPacker(settings: settings)
        runs.add(run: lines)
        for line in lines { single.add(line) }
        let isEqual = runs.allChunks() == single.allChunks()
        #expect(isEqual)
    }
}

/// Bytes that do not compress.
private func noise(_ count: Int) -> [UInt8] {
    var random = SeededGenerator(seed: UInt64(count))
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
}
