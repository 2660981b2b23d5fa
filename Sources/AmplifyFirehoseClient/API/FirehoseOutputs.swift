/// The answer to ``FirehoseClient/putRecord(input:)``.
public struct PutRecordOutput: Sendable, Equatable {
    /// Whether the stream encrypted the record.
    public var encrypted: Bool?

    /// The record's name at the service.
    public var recordId: String?

    /// For tests of what uses it.
    public init(encrypted: Bool? = nil, recordId: String? = nil) {
        self.encrypted = encrypted
        self.recordId = recordId
    }
}

/// The answer to ``FirehoseClient/putRecordBatch(input:)``.
public struct PutRecordBatchOutput: Sendable, Equatable {
    /// Whether the stream encrypted the records.
    public var encrypted: Bool?

    /// How many records were refused, to be sent again.
    public var failedPutCount: Int?

    /// One for each record that was sent, in the same order.
    public var requestResponses: [FirehoseClientTypes.PutRecordBatchResponseEntry]?

    /// For tests of what uses it.
    public init(
        encrypted: Bool? = nil,
        failedPutCount: Int? = nil,
        requestResponses: [FirehoseClientTypes.PutRecordBatchResponseEntry]? = nil
    ) {
        self.encrypted = encrypted
        self.failedPutCount = failedPutCount
        self.requestResponses = requestResponses
    }
}

/// The answer to ``FirehoseClient/describeDeliveryStream(input:)``.
public struct DescribeDeliveryStreamOutput: Sendable, Equatable {
    /// The stream.
    public var deliveryStreamDescription: FirehoseClientTypes.DeliveryStreamDescription?

    /// For tests of what uses it.
    public init(deliveryStreamDescription: FirehoseClientTypes.DeliveryStreamDescription? = nil) {
        self.deliveryStreamDescription = deliveryStreamDescription
    }
}

/// The answer to ``FirehoseClient/listDeliveryStreams(input:)``.
public struct ListDeliveryStreamsOutput: Sendable, Equatable {
    /// The names, sorted.
    public var deliveryStreamNames: [String]?

    /// Whether there are more, after the last of these.
    public var hasMoreDeliveryStreams: Bool?

    /// For tests of what uses it.
    public init(deliveryStreamNames: [String]? = nil, hasMoreDeliveryStreams: Bool? = nil) {
        self.deliveryStreamNames = deliveryStreamNames
        self.hasMoreDeliveryStreams = hasMoreDeliveryStreams
    }
}
