import Bytes
package import Records

/// The body of a `PutRecordBatch` request.
package enum PutRecordBatch {
    private static let beforeStream = Array("{\"DeliveryStreamName\":\"".utf8)
    private static let afterStream = Array("\",\"Records\":[".utf8)
    private static let beforeFirst = Array("{\"Data\":\"".utf8)
    private static let between = Array("\"},{\"Data\":\"".utf8)
    private static let afterLast = Array("\"}".utf8)
    private static let end = Array("]}".utf8)

    /// How many bytes the body of this batch takes.
    package static func bodyBytes(of batch: RecordBatch, to stream: StreamName) -> Int {
        let envelope = beforeStream.count + stream.text.utf8.count + afterStream.count + end.count
        guard !batch.isEmpty else { return envelope }
        let data = batch.lengths.reduce(0) { $0 + Base64.encodedCount(of: $1) }
        return envelope + beforeFirst.count + between.count * (batch.count - 1) + afterLast.count + data
    }

    /// Writes the body over what `buffer` holds.
    package static func encode(_ batch: RecordBatch, to stream: StreamName, into buffer: inout BodyBuffer) {
        buffer.prepare(for: bodyBytes(of: batch, to: stream))
        buffer.write { bytes in
            bytes += beforeStream
            bytes += stream.text.utf8
            bytes += afterStream
            encodeRecords(of: batch, into: &bytes)
            bytes += end
        }
    }

    private static func encodeRecords(of batch: RecordBatch, into bytes: inout [UInt8]) {
        guard !batch.isEmpty else { return }
        let between = between
        bytes += beforeFirst
        var start = 0
        for (index, length) in batch.lengths.enumerated() {
            if index > 0 { bytes.append(copying: between.span) }
            bytes.append(base64: batch.bytes.span.extracting(start..<start + length))
            start += length
        }
        bytes += afterLast
    }
}
