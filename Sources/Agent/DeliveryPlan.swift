package import AWS
package import Configuration
import Firehose
import HTTP
package import Records

/// Where the records of a configuration go, found out before anything is started.
package struct DeliveryPlan: Sendable {
    package let target: DeliveryTarget
    package let credentials: CredentialsChain
    private let caFile: String?

    package init(for configuration: AgentConfiguration, environment: [String: String]) throws(EndpointError) {
        let endpoint: String? =
            switch configuration.endpoint {
            case .service(let url): url
            case .directory(let path): "file://\(path)"
            case nil: nil
            }
        let resolver = EndpointResolver(endpoint: endpoint, region: configuration.region, environment: environment)
        target = try resolver.resolve()
        credentials = CredentialsChain(
            accessKeyID: configuration.credentials?.accessKeyID,
            secretAccessKey: configuration.credentials?.secretAccessKey,
            environment: environment
        )
        caFile = environment["AWS_CA_BUNDLE"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// What is wrong with where a configuration's records should go.
    package static func faults(
        of parsed: ParsedConfiguration,
        _ file: String,
        _ environment: [String: String]
    ) -> [String] {
        guard let configuration = parsed.configuration else { return [] }
        do throws(EndpointError) {
            _ = try DeliveryPlan(for: configuration, environment: environment)
            return []
        } catch {
            return ["\(file): \(error)"]
        }
    }

    /// The destination, ready to be sent to; the network is not touched yet.
    package func makeDestination(version: String) throws -> any Destination {
        switch target {
        case .directory(let path):
            DirectoryDestination(directory: path)
        case .service(let endpoint):
            try FirehoseDestination(
                endpoint: endpoint,
                credentials: credentials,
                options: HTTPOptions(caFile: caFile),
                userAgent: "firetail/\(version)"
            )
        }
    }

    /// Whether records leave this machine for all on the way to read.
    package var isUnencrypted: Bool {
        if case .service(let endpoint) = target { endpoint.isUnencrypted } else { false }
    }

    /// Such as `https://firehose.eu-west-1.amazonaws.com (region eu-west-1)`.
    package var description: String {
        switch target {
        case .directory(let path): "directory \(path)"
        case .service(let endpoint): "\(endpoint.url) (region \(endpoint.region))"
        }
    }
}
