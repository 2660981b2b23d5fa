// Names that the service may add to: a structure with constants, so that an unknown one is a value like any other.
// `rawValue` is always the service's own text.

extension FirehoseClientTypes {
    /// The state of a delivery stream.
    public struct DeliveryStreamStatus: RawRepresentable, Hashable, Sendable {
        /// The service's text.
        public let rawValue: String

        /// Takes any text, also one without a constant here.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// `CREATING`.
        public static let creating = Self(rawValue: "CREATING")
        /// `CREATING_FAILED`.
        public static let creatingFailed = Self(rawValue: "CREATING_FAILED")
        /// `DELETING`.
        public static let deleting = Self(rawValue: "DELETING")
        /// `DELETING_FAILED`.
        public static let deletingFailed = Self(rawValue: "DELETING_FAILED")
        /// `ACTIVE`.
        public static let active = Self(rawValue: "ACTIVE")
    }

    /// How a delivery stream gets its records.
    public struct DeliveryStreamType: RawRepresentable, Hashable, Sendable {
        /// The service's text.
        public let rawValue: String

        /// Takes any text, also one without a constant here.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// `DirectPut`.
        public static let directPut = Self(rawValue: "DirectPut")
        /// `KinesisStreamAsSource`.
        public static let kinesisStreamAsSource = Self(rawValue: "KinesisStreamAsSource")
        /// `MSKAsSource`.
        public static let mskAsSource = Self(rawValue: "MSKAsSource")
        /// `DatabaseAsSource`.
        public static let databaseAsSource = Self(rawValue: "DatabaseAsSource")
    }

    /// Whether a delivery stream encrypts.
    public struct DeliveryStreamEncryptionStatus: RawRepresentable, Hashable, Sendable {
        /// The service's text.
        public let rawValue: String

        /// Takes any text, also one without a constant here.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// `ENABLED`.
        public static let enabled = Self(rawValue: "ENABLED")
        /// `ENABLING`.
        public static let enabling = Self(rawValue: "ENABLING")
        /// `ENABLING_FAILED`.
        public static let enablingFailed = Self(rawValue: "ENABLING_FAILED")
        /// `DISABLED`.
        public static let disabled = Self(rawValue: "DISABLED")
        /// `DISABLING`.
        public static let disabling = Self(rawValue: "DISABLING")
        /// `DISABLING_FAILED`.
        public static let disablingFailed = Self(rawValue: "DISABLING_FAILED")
    }

    /// Whose key encrypts.
    public struct KeyType: RawRepresentable, Hashable, Sendable {
        /// The service's text.
        public let rawValue: String

        /// Takes any text, also one without a constant here.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// `AWS_OWNED_CMK`.
        public static let awsOwnedCmk = Self(rawValue: "AWS_OWNED_CMK")
        /// `CUSTOMER_MANAGED_CMK`.
        public static let customerManagedCmk = Self(rawValue: "CUSTOMER_MANAGED_CMK")
    }

    /// How objects in S3 are compressed.
    public struct CompressionFormat: RawRepresentable, Hashable, Sendable {
        /// The service's text.
        public let rawValue: String

        /// Takes any text, also one without a constant here.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// `UNCOMPRESSED`.
        public static let uncompressed = Self(rawValue: "UNCOMPRESSED")
        /// `GZIP`.
        public static let gzip = Self(rawValue: "GZIP")
        /// `ZIP`.
        public static let zip = Self(rawValue: "ZIP")
        /// `Snappy`.
        public static let snappy = Self(rawValue: "Snappy")
        /// `HADOOP_SNAPPY`.
        public static let hadoopSnappy = Self(rawValue: "HADOOP_SNAPPY")
    }

    /// What kind of failure it is; its text says which.
    public struct DeliveryStreamFailureType: RawRepresentable, Hashable, Sendable {
        /// The service's text.
        public let rawValue: String

        /// Takes any text, also one without a constant here.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// `UNKNOWN_ERROR`.
        public static let unknownError = Self(rawValue: "UNKNOWN_ERROR")
    }
}
