import Crypto
import Firehose
import Packing
import Records

/// Writes the bodies of requests, base64 included, and hashes them for their signatures.
func encodeAndHash(_ settings: PackingSettings, byteCount: Int) -> Row {
    var log = FramedLog()
    guard let stream = StreamName("benchmark") else { preconditionFailure("it is a valid name") }
    var batches: [RecordBatch] = []
    var packer = RecordPacker(settings: settings)
    log.forEachRun { lines, lengths in packer.add(contentsOf: lines, lengths: lengths) }
    packer.finish()
    while let chunk = packer.takeFinished() { batches.append(chunk.records) }
    var body = BodyBuffer()
    var wireBytes = 0
    var row = measure(bytesARound: log.bytes.count, byteCount: byteCount) {
        wireBytes = 0
        for batch in batches {
            PutRecordBatch.encode(batch, to: stream, into: &body)
            wireBytes += body.bytes.count + SHA256.hash(of: body.bytes.span).hex.utf8.count
        }
    }
    row.remark = "1 : \(oneDecimal(Double(wireBytes) / Double(log.bytes.count))) on the wire"
    return row
}
