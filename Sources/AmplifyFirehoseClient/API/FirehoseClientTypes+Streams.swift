public import FoundationEssentials

extension FirehoseClientTypes {
    /// A delivery stream, as far as the service tells.
    public struct DeliveryStreamDescription: Sendable, Equatable {
        /// When it was made.
        public var createTimestamp: Date?
        /// Its full name, with region and account.
        public var deliveryStreamARN: String?
        /// How it encrypts what it holds.
        public var deliveryStreamEncryptionConfiguration: DeliveryStreamEncryptionConfiguration?
        /// Its name.
        public var deliveryStreamName: String?
        /// Only an active one takes records.
        public var deliveryStreamStatus: DeliveryStreamStatus?
        /// How it gets its records.
        public var deliveryStreamType: DeliveryStreamType?
        /// Where records go.
        public var destinations: [DestinationDescription]?
        /// Why it could not be made or deleted.
        public var failureDescription: FailureDescription?
        /// Whether there are more destinations than described.
        public var hasMoreDestinations: Bool?
        /// When it was last changed.
        public var lastUpdateTimestamp: Date?
        /// Where records come from, if not from `PutRecord` and `PutRecordBatch`.
        public var source: SourceDescription?
        /// Changes with each change of the stream.
        public var versionId: String?

        /// Nothing known yet; for tests of what uses it.
        public init() {}
    }

    /// How a delivery stream encrypts what it holds.
    public struct DeliveryStreamEncryptionConfiguration: Sendable, Equatable {
        /// Why it could not be changed.
        public var failureDescription: FailureDescription?
        /// The key of a customer.
        public var keyARN: String?
        /// Whose key it is.
        public var keyType: KeyType?
        /// Whether it encrypts.
        public var status: DeliveryStreamEncryptionStatus?

        /// Nothing known yet; for tests of what uses it.
        public init() {}
    }

    /// Why something about a delivery stream could not be done.
    public struct FailureDescription: Sendable, Equatable {
        /// For a person.
        public var details: String?
        /// Such as `KMS_ACCESS_DENIED`.
        public var type: DeliveryStreamFailureType?

        /// Nothing known yet; for tests of what uses it.
        public init() {}
    }

    /// Where a delivery stream gets its records.
    public struct SourceDescription: Sendable, Equatable {
        /// What it is.
        public enum Kind: Sendable, Hashable {
            /// Callers of the API put records into it.
            case directPut
            /// A Kinesis data stream.
            case kinesisStream
            /// A topic of Amazon MSK.
            case msk
            /// The changes of a database.
            case database
            /// Something newer than this library.
            case unknown
        }

        /// What it is.
        public var kind: Kind
        /// The full name of the Kinesis stream or the MSK cluster.
        public var sourceARN: String?

        /// For tests of what uses it.
        public init(kind: Kind, sourceARN: String? = nil) {
            self.kind = kind
            self.sourceARN = sourceARN
        }
    }
}

extension FirehoseClientTypes {
    /// One place that a delivery stream delivers to.
    public struct DestinationDescription: Sendable, Equatable {
        /// What it is.
        public enum Kind: Sendable, Hashable {
            /// A bucket, described in the older way only.
            case s3
            /// A bucket.
            case extendedS3
            /// Amazon Redshift, by way of a bucket.
            case redshift
            /// A domain of Amazon Elasticsearch Service.
            case elasticsearch
            /// A domain of Amazon OpenSearch Service.
            case openSearch
            /// A collection of Amazon OpenSearch Serverless.
            case openSearchServerless
            /// Splunk.
            case splunk
            /// A web server.
            case httpEndpoint
            /// Snowflake.
            case snowflake
            /// Tables of Apache Iceberg.
            case iceberg
            /// Something newer than this library.
            case unknown
        }

        /// Its name within the stream.
        public var destinationId: String?
        /// What it is.
        public var kind: Kind
        /// A bucket with all that is set for it; only for that kind.
        public var extendedS3DestinationDescription: ExtendedS3DestinationDescription?
        /// A bucket; the service gives it beside the extended one as well.
        public var s3DestinationDescription: S3DestinationDescription?

        /// For tests of what uses it.
        public init(destinationId: String? = nil, kind: Kind) {
            self.destinationId = destinationId
            self.kind = kind
        }
    }

    /// An extended destination, as far as it has what a plain one has.
    public typealias ExtendedS3DestinationDescription = S3DestinationDescription

    /// A bucket that records go to.
    public struct S3DestinationDescription: Sendable, Equatable {
        /// The bucket.
        public var bucketARN: String?
        /// When an object is written.
        public var bufferingHints: BufferingHints?
        /// How objects are compressed.
        public var compressionFormat: CompressionFormat?
        /// What the names of objects with refused records begin with.
        public var errorOutputPrefix: String?
        /// What the names of objects begin with.
        public var prefix: String?
        /// In whose name objects are written.
        public var roleARN: String?

        /// Nothing known yet; for tests of what uses it.
        public init() {}
    }

    /// When what has gathered is delivered: at whichever comes first.
    public struct BufferingHints: Sendable, Equatable {
        /// Seconds, 0 to 900.
        public var intervalInSeconds: Int?
        /// MiB, 1 to 128.
        public var sizeInMBs: Int?

        /// For tests of what uses it.
        public init(intervalInSeconds: Int? = nil, sizeInMBs: Int? = nil) {
            self.intervalInSeconds = intervalInSeconds
            self.sizeInMBs = sizeInMBs
        }
    }
}
