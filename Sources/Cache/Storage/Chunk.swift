import Bytes
import Records
import SQLite

/// What a chunk's row holds beside its id.
enum Chunk {
    /// The sum over everything that is sent, as it is stored.
    static func checksum(of payload: Span<UInt8>, lengths: Span<UInt8>) -> UInt64 {
        payload.checksum(seed: lengths.checksum())
    }

    /// Adds the records of the row that a `Storage.selectChunks` is at.
    ///
    /// - Returns: how many bytes that were; nil, and nothing is added, if they are not what was stored.
    static func append(_ row: Statement, to batch: inout RecordBatch) -> Int? {
        row.withBlob(at: 2) { encoded -> Int? in
            row.withBlob(at: 3) { payload -> Int? in
                let isSound = row.isNull(at: 5) || row.unsigned(at: 5) == checksum(of: payload, lengths: encoded)
                let (lengths, lineCounts) = Lengths.decode(encoded)
                guard isSound, !encoded.isEmpty,
                    batch.append(laidOut: payload, lengths: lengths, lineCounts: lineCounts)
                else { return nil }
                return payload.count
            }
        }
    }
}
