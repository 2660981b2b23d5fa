import Synchronization
import TestSupport

/// Answers `PutRecordBatch` as a stream with a quota does: a bucket that fills at the quota and holds a second of it.
///
/// What a request has beyond that is refused record by record, or the request as a whole.
final class QuotaServer: Sendable {
    private let server: LoopbackServer
    private let bucket: Bucket

    /// What was asked for and what was given.
    struct Counts {
        var requests = 0
        var throttledRequests = 0
        var records = 0
        var throttledRecords = 0
        var acceptedBytes = 0
    }

    private final class Bucket: Sendable {
        struct State {
            var counts = Counts()
            var level: Double
            var filledAt = ContinuousClock.now
        }
        let bytesPerSecond: Double
        let state: Mutex<State>

        init(bytesPerSecond: Double) {
            self.bytesPerSecond = bytesPerSecond
            state = Mutex(State(level: bytesPerSecond))
        }

        /// Takes records of these sizes; gives how many of the first are accepted.
        func take(_ sizes: [Int], wholly: Bool) -> Int {
            state.withLock { state in
                let now = ContinuousClock.now
                let gain = (now - state.filledAt) / .seconds(1) * bytesPerSecond
                var level = min(bytesPerSecond, state.level + gain)
                let bytesBefore = level
                var accepted = sizes.prefix { size in
                    guard level >= Double(size) else { return false }
                    level -= Double(size)
                    return true
                }.count
                if wholly, accepted < sizes.count { (accepted, level) = (0, bytesBefore) }
                state.level = level
                state.filledAt = now
                state.counts.requests += 1
                state.counts.records += sizes.count
                state.counts.acceptedBytes += Int(bytesBefore - level)
                state.counts.throttledRecords += sizes.count - accepted
                if accepted < sizes.count { state.counts.throttledRequests += 1 }
                return accepted
            }
        }
    }

    init(bytesPerSecond: Int, refusesWholeRequests: Bool) throws {
        let bucket = Bucket(bytesPerSecond: Double(bytesPerSecond))
        self.bucket = bucket
        server = try LoopbackServer { connection in
            while let request = connection.readRequest() {
                let sizes = Self.sizes(of: request.body)
                let accepted = bucket.take(sizes, wholly: refusesWholeRequests)
                let isRefused = refusesWholeRequests && accepted < sizes.count
                connection.write(isRefused ? Self.refusal : Self.answer(accepted, of: sizes.count))
            }
        }
    }

    var url: String { server.url }

    var counts: Counts { bucket.state.withLock { $0.counts } }

    /// The sizes of the records: what is between quotes behind `Records`, but for `Data`, in base64.
    private static func sizes(of body: [UInt8]) -> [Int] {
        body.split(separator: UInt8(ascii: "\"")).dropFirst(6)
            .filter { $0.count > 4 || $0.last == UInt8(ascii: "=") }
            .map { $0.count / 4 * 3 - $0.suffix(2).count { $0 == UInt8(ascii: "=") } }
    }

    private static let refusal = response(
        "500 Internal Server Error",
        #"{"__type":"ServiceUnavailableException","message":"Slow down."}"#
    )

    private static func answer(_ accepted: Int, of records: Int) -> [UInt8] {
        let id = #"{"RecordId":"0123456789abcdef"}"#
        let refused = #"{"ErrorCode":"ServiceUnavailableException","ErrorMessage":"Slow down."}"#
        let entries = (0..<records).map { $0 < accepted ? id : refused }.joined(separator: ",")
        return response(
            "200 OK",
            #"{"FailedPutCount":\#(records - accepted),"Encrypted":false,"RequestResponses":[\#(entries)]}"#
        )
    }

    private static func response(_ status: String, _ body: String) -> [UInt8] {
        Array("HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
    }
}
