import Firehose
import FoundationEssentials
import JSON

// How what the service describes is read. A member that is missing or of another type than it should be is unknown; one
// that is not known here is passed over.

extension JSONValue {
    /// The text, if it is one.
    var string: String? {
        if case .string(let text) = content { text } else { nil }
    }
}

extension JSONObject {
    func string(_ name: String) -> String? { self[name]?.value.string }

    func bool(_ name: String) -> Bool? {
        if case .bool(let value) = self[name]?.value.content { value } else { nil }
    }

    func integer(_ name: String) -> Int? {
        if case .number(let number) = self[name]?.value.content { number.integer } else { nil }
    }

    /// A time, given as seconds since 1970.
    func date(_ name: String) -> Date? {
        guard case .number(let number) = self[name]?.value.content, let seconds = Double(number.text),
            seconds.isFinite
        else {
            return nil
        }
        return Date(timeIntervalSince1970: seconds)
    }

    func array(_ name: String) -> [JSONValue]? {
        if case .array(let values) = self[name]?.value.content { values } else { nil }
    }

    func object(_ name: String) -> JSONObject? {
        if case .object(let object) = self[name]?.value.content { object } else { nil }
    }

    /// One of the names that the service may add to.
    fileprivate func name<Name: RawRepresentable<String>>(_ name: String) -> Name? {
        string(name).flatMap { Name(rawValue: $0) }
    }
}

extension FirehoseClientTypes.DeliveryStreamDescription {
    init(_ object: JSONObject) {
        createTimestamp = object.date("CreateTimestamp")
        deliveryStreamARN = object.string("DeliveryStreamARN")
        deliveryStreamEncryptionConfiguration = object.object("DeliveryStreamEncryptionConfiguration").map { .init($0) }
        deliveryStreamName = object.string("DeliveryStreamName")
        deliveryStreamStatus = object.name("DeliveryStreamStatus")
        deliveryStreamType = object.name("DeliveryStreamType")
        destinations = object.array("Destinations")?.compactMap { .init($0) }
        failureDescription = object.object("FailureDescription").map { .init($0) }
        hasMoreDestinations = object.bool("HasMoreDestinations")
        lastUpdateTimestamp = object.date("LastUpdateTimestamp")
        source = object.object("Source").map { .init($0) }
        versionId = object.string("VersionId")
    }
}

extension FirehoseClientTypes.DeliveryStreamEncryptionConfiguration {
    fileprivate init(_ object: JSONObject) {
        failureDescription = object.object("FailureDescription").map { .init($0) }
        keyARN = object.string("KeyARN")
        keyType = object.name("KeyType")
        status = object.name("Status")
    }
}

extension FirehoseClientTypes.FailureDescription {
    fileprivate init(_ object: JSONObject) {
        details = object.string("Details")
        type = object.name("Type")
    }
}

extension FirehoseClientTypes.SourceDescription {
    fileprivate init(_ object: JSONObject) {
        if let stream = object.object("KinesisStreamSourceDescription") {
            self.init(kind: .kinesisStream, sourceARN: stream.string("KinesisStreamARN"))
        } else if let cluster = object.object("MSKSourceDescription") {
            self.init(kind: .msk, sourceARN: cluster.string("MSKClusterARN"))
        } else if object.object("DatabaseSourceDescription") != nil {
            self.init(kind: .database)
        } else if object.object("DirectPutSourceDescription") != nil {
            self.init(kind: .directPut)
        } else {
            self.init(kind: .unknown)
        }
    }
}

extension FirehoseClientTypes.DestinationDescription {
    fileprivate init?(_ value: JSONValue) {
        guard case .object(let object) = value.content else { return nil }
        destinationId = object.string("DestinationId")
        kind = DestinationKind { object.object($0) != nil }.map { Kind($0) } ?? .unknown
        extendedS3DestinationDescription = object.object("ExtendedS3DestinationDescription").map { .init($0) }
        s3DestinationDescription = object.object("S3DestinationDescription").map { .init($0) }
    }
}

extension FirehoseClientTypes.DestinationDescription.Kind {
    fileprivate init(_ kind: DestinationKind) {
        self =
            switch kind {
            case .s3: .s3
            case .extendedS3: .extendedS3
            case .redshift: .redshift
            case .elasticsearch: .elasticsearch
            case .openSearch: .openSearch
            case .openSearchServerless: .openSearchServerless
            case .splunk: .splunk
            case .httpEndpoint: .httpEndpoint
            case .snowflake: .snowflake
            case .iceberg: .iceberg
            }
    }
}

extension FirehoseClientTypes.S3DestinationDescription {
    fileprivate init(_ object: JSONObject) {
        bucketARN = object.string("BucketARN")
        bufferingHints = object.object("BufferingHints").map { .init($0) }
        compressionFormat = object.name("CompressionFormat")
        errorOutputPrefix = object.string("ErrorOutputPrefix")
        prefix = object.string("Prefix")
        roleARN = object.string("RoleARN")
    }
}

extension FirehoseClientTypes.BufferingHints {
    fileprivate init(_ object: JSONObject) {
        self.init(
            intervalInSeconds: object.integer("IntervalInSeconds"),
            sizeInMBs: object.integer("SizeInMBs")
        )
    }
}
