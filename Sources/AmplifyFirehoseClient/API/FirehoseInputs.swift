/// What ``FirehoseClient/putRecord(input:)`` sends.
public struct PutRecordInput: Sendable, Equatable {
    /// 1 to 64 letters, digits, `_`, `.` and `-`; required.
    public var deliveryStreamName: String?

    /// Required.
    public var record: FirehoseClientTypes.Record?

    /// Limits are checked when it is sent.
    public init(deliveryStreamName: String? = nil, record: FirehoseClientTypes.Record? = nil) {
        self.deliveryStreamName = deliveryStreamName
        self.record = record
    }
}

/// What ``FirehoseClient/putRecordBatch(input:)`` sends.
public struct PutRecordBatchInput: Sendable, Equatable {
    /// 1 to 64 letters, digits, `_`, `.` and `-`; required.
    public var deliveryStreamName: String?

    /// 1 to 500, of at most 4,194,304 bytes together; required.
    public var records: [FirehoseClientTypes.Record]?

    /// Limits are checked when it is sent.
    public init(deliveryStreamName: String? = nil, records: [FirehoseClientTypes.Record]? = nil) {
        self.deliveryStreamName = deliveryStreamName
        self.records = records
    }
}

/// What ``FirehoseClient/describeDeliveryStream(input:)`` asks for.
public struct DescribeDeliveryStreamInput: Sendable, Equatable {
    /// 1 to 64 letters, digits, `_`, `.` and `-`; required.
    public var deliveryStreamName: String?

    /// The id of a destination, to see those after it: 1 to 100 letters, digits and hyphens.
    public var exclusiveStartDestinationId: String?

    /// How many destinations to describe: 1 to 10,000.
    public var limit: Int?

    /// Limits are checked when it is sent.
    public init(deliveryStreamName: String? = nil, exclusiveStartDestinationId: String? = nil, limit: Int? = nil) {
        self.deliveryStreamName = deliveryStreamName
        self.exclusiveStartDestinationId = exclusiveStartDestinationId
        self.limit = limit
    }
}

/// What ``FirehoseClient/listDeliveryStreams(input:)`` asks for.
public struct ListDeliveryStreamsInput: Sendable, Equatable {
    /// Only streams that get their records so.
    public var deliveryStreamType: FirehoseClientTypes.DeliveryStreamType?

    /// The name of a stream, to see those after it.
    public var exclusiveStartDeliveryStreamName: String?

    /// How many names to list: 1 to 10,000; the service's own limit is 10.
    public var limit: Int?

    /// Limits are checked when it is sent.
    public init(
        deliveryStreamType: FirehoseClientTypes.DeliveryStreamType? = nil,
        exclusiveStartDeliveryStreamName: String? = nil,
        limit: Int? = nil
    ) {
        self.deliveryStreamType = deliveryStreamType
        self.exclusiveStartDeliveryStreamName = exclusiveStartDeliveryStreamName
        self.limit = limit
    }
}
