import Firehose
import Foundation
import Records
import Testing

@Suite struct PutRecordBatchTests {
    @Test func `a body is compact JSON with each record in base64`() throws {
        let batch = RecordBatch(bytes: Array("one\ntwo!\n".utf8), lengths: [4, 0, 5])
        #expect(
            String(decoding: encoded(batch).bytes, as: UTF8.self)
                == #"{"DeliveryStreamName":"a-b","Records":[{"Data":"b25lCg=="},{"Data":""},{"Data":"dHdvIQo="}]}"#
        )
    }

    @Test(arguments: [0, 1, 2, 500]) func `what is decoded again is what went in, and the size was known`(count: Int)
        throws
    {
        var batch = RecordBatch()
        for index in 0..<count {
            let record = (0..<index * 7).map { UInt8(truncatingIfNeeded: $0 &* 89) }
            batch.append(record.span)
        }
        let bytes = encoded(batch).bytes
        let stream = try #require(StreamName("a-b"))
        #expect(bytes.count == PutRecordBatch.bodyBytes(of: batch, to: stream))
        let object = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
        let entries = try #require(object?["Records"] as? [[String: String]])
        let records = entries.map { [UInt8](Data(base64Encoded: $0["Data"] ?? "?") ?? Data([1, 2, 3])) }
        #expect(records.map(\.count) == batch.lengths)
        #expect(records.flatMap { $0 } == batch.bytes)
    }

    @Test func `memory fits the largest body, is kept for smaller ones, and is given back in the end`() throws {
        var buffer = BodyBuffer()
        buffer.prepare(for: 1_000_000)
        #expect((1_000_000..<1_100_000).contains(buffer.bytes.capacity))
        buffer.prepare(for: 1_200_000)
        #expect((1_200_000..<1_300_000).contains(buffer.bytes.capacity))
        for _ in 1...16 { buffer.prepare(for: 1000) }
        #expect(buffer.bytes.capacity >= 1_200_000)
        buffer.prepare(for: 1000)
        #expect(buffer.bytes.capacity < 10_000)
    }

    private func encoded(_ batch: RecordBatch) -> BodyBuffer {
        var buffer = BodyBuffer()
        guard let stream = StreamName("a-b") else { return buffer }
        PutRecordBatch.encode(batch, to: stream, into: &buffer)
        return buffer
    }
}
