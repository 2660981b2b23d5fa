package import Records

/// What the service can be asked to do; the raw value is its name there.
package enum FirehoseOperation: String, Sendable, CaseIterable {
    case putRecord = "PutRecord"
    case putRecordBatch = "PutRecordBatch"
    case describeDeliveryStream = "DescribeDeliveryStream"
    case listDeliveryStreams = "ListDeliveryStreams"

    /// The value of the header that names it.
    var target: String { "Firehose_20150804.\(rawValue)" }
}

/// What a request carries.
package enum FirehoseRequest: Sendable {
    /// `PutRecordBatch`; the body is written straight into the connection's memory.
    case batch(RecordBatch, to: StreamName)

    /// Any operation, with its body as JSON.
    case json(FirehoseOperation, body: [UInt8])

    var operation: FirehoseOperation {
        switch self {
        case .batch: .putRecordBatch
        case .json(let operation, _): operation
        }
    }
}
