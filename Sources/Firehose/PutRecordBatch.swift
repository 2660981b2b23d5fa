import Bytes
package import Records

/// The body of a `PutRecordBatch` request.
package enum PutRecordBatch {
    private static let beforeStream = Array("{\"DeliveryStreamName\":\"".utf8)
    private static let afterStream = Array("\",\"Records\":[".utf8)
    private static let beforeData = Array("{\"Data\":\"".utf8)
    private static let afterData = Array("\"}".utf8)
    private static let end = Array("]}".utf8)

    /// How many bytes the body of this batch takes.
    package static func bodyBytes(of batch: RecordBatch, to stream: StreamName) -> Int {
        let envelope = beforeStream.count + stream.text.utf8.count + afterStream.count + end.count
        let entry = beforeData.count + afterData.count
        let data = batch.lengths.reduce(0) { $0 + Base64.encodedCount(of: $1) + entry }
        return envelope + data + max(0, batch.count - 1)
    }

    /// Writes the body over what `buffer` holds.
    package static func encode(_ batch: RecordBatch, to stream: StreamName, into buffer: inout BodyBuffer) {
        buffer.prepare(for: bodyBytes(of: batch, to: stream))
        buffer.write { bytes in
            bytes += beforeStream
            bytes += stream.text.utf8
            bytes += afterStream
            var start = 0
            for length in batch.lengths {
                if start > 0 || bytes.last == UInt8(ascii: "}") { bytes.append(UInt8(ascii: ",")) }
                bytes += beforeData
                bytes.append(base64: batch.bytes.span.extracting(start..<start + length))
                bytes += afterData
                start += length
            }
            bytes += end
        }
    }
}
