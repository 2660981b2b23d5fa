/// What a delivery stream delivers to; the raw value is the member of its description that says so.
///
/// The first that is there counts: the service describes an extended bucket as a plain one, too.
package enum DestinationKind: String, Sendable, CaseIterable {
    case extendedS3 = "ExtendedS3DestinationDescription"
    case redshift = "RedshiftDestinationDescription"
    case elasticsearch = "ElasticsearchDestinationDescription"
    case openSearch = "AmazonopensearchserviceDestinationDescription"
    case openSearchServerless = "AmazonOpenSearchServerlessDestinationDescription"
    case splunk = "SplunkDestinationDescription"
    case httpEndpoint = "HttpEndpointDestinationDescription"
    case snowflake = "SnowflakeDestinationDescription"
    case iceberg = "IcebergDestinationDescription"
    case s3 = "S3DestinationDescription"

    /// The kind of a destination whose description has these members; nil for something newer.
    package init?(describedBy hasMember: (String) -> Bool) {
        guard let kind = Self.allCases.first(where: { hasMember($0.rawValue) }) else { return nil }
        self = kind
    }

    /// Such as `an OpenSearch domain`.
    package var words: String {
        switch self {
        case .s3, .extendedS3: "an S3 bucket"
        case .redshift: "Redshift, by way of an S3 bucket"
        case .elasticsearch: "an Elasticsearch domain"
        case .openSearch: "an OpenSearch domain"
        case .openSearchServerless: "an OpenSearch Serverless collection"
        case .splunk: "Splunk"
        case .httpEndpoint: "an HTTP endpoint"
        case .snowflake: "Snowflake"
        case .iceberg: "Iceberg tables"
        }
    }

    /// Whether each record becomes one document, event or row there, so that lines that share one are not told apart.
    package var takesRecordsAsEvents: Bool {
        switch self {
        case .s3, .extendedS3, .redshift: false
        case .elasticsearch, .openSearch, .openSearchServerless, .splunk, .httpEndpoint, .snowflake, .iceberg: true
        }
    }
}
