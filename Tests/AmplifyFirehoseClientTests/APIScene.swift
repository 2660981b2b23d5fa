import AmplifyFirehoseClient
import Foundation
import TestSupport

/// A client and the small Firehose that it calls.
struct APIScene {
    let service: FirehoseStandIn
    let client: FirehoseClient

    /// `change` has the last word about the configuration.
    init(_ change: (inout FirehoseClientConfiguration) -> Void = { _ in }) throws {
        service = try FirehoseStandIn()
        client = try FirehoseClient(config: Self.configuration(for: service.url, change))
    }

    /// Reaches `url` with keys and no proxy.
    static func configuration(
        for url: String,
        _ change: (inout FirehoseClientConfiguration) -> Void = { _ in }
    ) -> FirehoseClientConfiguration {
        var configuration = FirehoseClientConfiguration(region: "eu-west-1", credentialsProvider: keys)
        configuration.endpoint = url
        configuration.proxy = ""
        configuration.retryMode = .none
        change(&configuration)
        return configuration
    }

    static let keys = StaticCredentialsProvider(accessKeyId: "AKID", secretAccessKey: "hush", sessionToken: "hist")

    static func records(_ texts: String...) -> [FirehoseClientTypes.Record] {
        texts.map { FirehoseClientTypes.Record(data: Data($0.utf8)) }
    }
}
