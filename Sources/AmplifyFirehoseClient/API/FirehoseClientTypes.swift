public import FoundationEssentials

/// What the inputs and outputs of ``FirehoseClient`` are made of.
public enum FirehoseClientTypes {
    /// One record.
    public struct Record: Sendable, Equatable {
        /// Up to 1,024,000 bytes, before base64; required, but may be empty.
        public var data: Data?

        /// Limits are checked when it is sent.
        public init(data: Data? = nil) {
            self.data = data
        }
    }

    /// What became of one record of a batch: it has either an id or an error.
    public struct PutRecordBatchResponseEntry: Sendable, Equatable {
        /// Such as `ServiceUnavailableException`; nil for a record that was accepted.
        public var errorCode: String?

        /// The service's words for the error.
        public var errorMessage: String?

        /// The record's name at the service; nil for one that was refused.
        public var recordId: String?

        /// For tests of what uses it.
        public init(errorCode: String? = nil, errorMessage: String? = nil, recordId: String? = nil) {
            self.errorCode = errorCode
            self.errorMessage = errorMessage
            self.recordId = recordId
        }
    }
}

/// A record's content does not get into a log by accident.
extension FirehoseClientTypes.Record: CustomStringConvertible, CustomReflectable {
    /// How many bytes there are.
    public var description: String { data.map { "record of \($0.count) bytes" } ?? "record without data" }

    /// The same.
    public var customMirror: Mirror { Mirror(self, children: ["bytes": data?.count as Any]) }
}
