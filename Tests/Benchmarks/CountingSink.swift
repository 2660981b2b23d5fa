import Compression
import Foundation
import Synchronization
import TestSupport

/// Accepts every `PutRecordBatch` as Firehose does, and counts the lines in the records.
final class CountingSink: Sendable {
    private let server: LoopbackServer
    private let total: Total

    /// Counted by the threads of the connections.
    private final class Total: Sendable {
        let lines = Mutex(0)
    }

    init() throws {
        let total = Total()
        self.total = total
        server = try LoopbackServer { connection in
            while let request = connection.readRequest() {
                let records = Self.records(of: request.body)
                let count = records.reduce(0) { $0 + Self.lines(in: $1) }
                total.lines.withLock { $0 += count }
                connection.write(Self.answer(records.count))
            }
        }
    }

    var url: String { server.url }

    var lines: Int { total.lines.withLock { $0 } }

    private static func records(of body: [UInt8]) -> [[UInt8]] {
        // Between the quotes of every second value: a key, then its value.
        body.split(separator: UInt8(ascii: "\"")).dropFirst(5).filter { $0.count > 4 || $0.last == UInt8(ascii: "=") }
            .compactMap { Data(base64Encoded: Data($0)).map(Array.init) }
    }

    private static func lines(in record: [UInt8]) -> Int {
        guard record.starts(with: [0x1F, 0x8B]) else { return record.count { $0 == UInt8(ascii: "\n") } }
        var text: [UInt8] = []
        let reader = GzipReader()
        try? reader.decompress(record.span, limit: 1 << 24, appendingTo: &text)
        return text.count { $0 == UInt8(ascii: "\n") }
    }

    private static func answer(_ records: Int) -> [UInt8] {
        let id = String(repeating: "0123456789abcdef", count: 14)
        let entries = Array(repeating: #"{"RecordId":"\#(id)"}"#, count: records).joined(separator: ",")
        let body = #"{"FailedPutCount":0,"Encrypted":false,"RequestResponses":[\#(entries)]}"#
        return Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
    }
}
