import Flushing
import Logging
import Platform
import Records

/// Writes into the log what no error tells the user, and calls the handler of dropped records.
struct Journal: Sendable {
    private let log: Log
    private let onDrop: (@Sendable (DroppedRecords) -> Void)?

    /// `log` takes the lines without their newlines; nil is standard error.
    init(log write: (@Sendable (String) -> Void)?, onDrop: (@Sendable (DroppedRecords) -> Void)?) {
        log = Log(level: .warning, component: "firehose") { line in
            guard let write else { return StandardError.write(line) }
            write(String(decoding: line.dropLast(), as: UTF8.self))
        }
        self.onDrop = onDrop
    }

    /// Notes what happened to the records of one stream.
    func note(_ event: FlushRoundEvent) {
        switch event {
        case .delivered:
            break
        case .partlyRefused(let stream, let refused, let records, let code):
            log.warning(
                "delivery stream \(stream): \(refused) of \(Self.count(records)) refused, to be sent again: \(code)",
                key: "partly refused \(stream)"
            )
        case .failed(let stream, let failure):
            log.warning("refused, to be sent again: \(failure.reason)", key: "failed \(stream)")
        case .dropped(let stream, let records, let code):
            log.error(
                "delivery stream \(stream): \(Self.count(records)) deleted, refused more often than maxRetries allows: \(code)",
                key: "dropped \(stream)"
            )
            onDrop?(
                DroppedRecords(streamName: stream.text, count: records, reason: .retriesExhausted(errorCode: code))
            )
        }
    }

    /// Notes why a flush that nobody waited for did not come to its end.
    func note(_ error: FlushRoundError) {
        let error = FirehoseError(error)
        log.warning("the flush failed, and the records stay cached: \(error)", key: "flush failed")
    }

    private static func count(_ records: Int) -> String { records == 1 ? "1 record" : "\(records) records" }
}
