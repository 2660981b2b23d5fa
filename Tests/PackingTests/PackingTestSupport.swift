import Compression
import Packing
import Records

extension RecordPacker {
    mutating func add(_ line: String, sourceBytes: Int? = nil) {
        let line = Array(line.utf8)
        add(line.span, sourceBytes: sourceBytes)
    }

    mutating func add(_ line: String, terminator: String) {
        let line = Array(line.utf8)
        let terminator = Array(terminator.utf8)
        add(line.span, terminator: terminator.span)
    }

    mutating func add(run lines: [String]) {
        let bytes = Array(lines.joined().utf8)
        let lengths = lines.map(\.utf8.count)
        add(contentsOf: bytes.span, lengths: lengths.span)
    }

    /// Finishes and takes everything.
    mutating func allChunks() -> [PackedChunk] {
        finish()
        var chunks: [PackedChunk] = []
        while let chunk = takeFinished() { chunks.append(chunk) }
        return chunks
    }

    /// Finishes and takes everything, as what its records hold.
    mutating func allRecords(_ compression: RecordCompression) throws -> [[UInt8]] {
        try allChunks().flatMap { try $0.records.contents(compression) }
    }
}

extension RecordBatch {
    /// The records, one by one.
    var records: [[UInt8]] {
        var start = 0
        return lengths.map { length in
            defer { start += length }
            return Array(bytes[start..<start + length])
        }
    }

    /// What the records hold, before compression.
    func contents(_ compression: RecordCompression) throws -> [[UInt8]] {
        switch compression {
        case .none: records
        case .gzip: try records.map(inflate)
        }
    }

    /// The records as text.
    var texts: [String] { records.map { String(decoding: $0, as: UTF8.self) } }
}

private func inflate(_ member: [UInt8]) throws -> [UInt8] {
    var content: [UInt8] = []
    try GzipReader().decompress(member.span, limit: 2_000_000, appendingTo: &content)
    return content
}
