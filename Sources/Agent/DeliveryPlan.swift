package import AWS
package import Configuration
import CredentialSources
import Firehose
import HTTP
package import Records

/// Where the records of a configuration go, found out before anything is started.
package struct DeliveryPlan: Sendable {
    package let target: DeliveryTarget
    package let credentials: any CredentialsProvider
    private let options: HTTPOptions

    /// Without a region anywhere the calling thread waits some seconds for the EC2 instance to say one.
    package init(for configuration: AgentConfiguration, environment: [String: String]) throws(EndpointError) {
        let endpoint: String? =
            switch configuration.endpoint {
            case .service(let url): url
            case .directory(let path): "file://\(path)"
            case nil: nil
            }
        target = try Self.target(at: endpoint, configuration.region, environment)
        options = HTTPOptions(configuration.tls, environment)
        credentials = Self.credentials(for: configuration, target, options, environment)
    }

    /// Where records go; as a last resort, the EC2 instance is asked for its region.
    private static func target(
        at endpoint: String?,
        _ region: String?,
        _ environment: [String: String]
    ) throws(EndpointError) -> DeliveryTarget {
        do throws(EndpointError) {
            return try EndpointResolver(endpoint: endpoint, region: region, environment: environment).resolve()
        } catch {
            guard error == .noRegion, let region = InstanceRegion.find(environment) else { throw error }
            return try EndpointResolver(endpoint: endpoint, region: region, environment: environment).resolve()
        }
    }

    private static func credentials(
        for configuration: AgentConfiguration,
        _ target: DeliveryTarget,
        _ options: HTTPOptions,
        _ environment: [String: String]
    ) -> any CredentialsProvider {
        var region = configuration.region
        if case .service(let endpoint) = target { region = endpoint.region }
        let context = CredentialsContext(
            environment: environment,
            client: NetworkClient(options),
            region: region,
            stsEndpoint: configuration.stsEndpoint
        )
        let chain = CredentialsChain(
            accessKeyID: configuration.credentials?.accessKeyID,
            secretAccessKey: configuration.credentials?.secretAccessKey,
            context
        )
        guard let role = configuration.role else { return chain }
        return AssumedRoleCredentials(
            Role(arn: role.arn, sessionName: "firetail", externalID: role.externalID),
            with: chain,
            place: "assumeRoleARN of the configuration",
            context
        )
    }

    /// The destination, ready to be sent to; the network is not touched yet.
    ///
    /// `onClockOffset` is told by how many seconds the service is ahead of this machine's clock, whenever that changes.
    package func makeDestination(
        version: String,
        onClockOffset: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws -> any Destination {
        switch target {
        case .directory(let path):
            DirectoryDestination(directory: path)
        case .service(let endpoint):
            try FirehoseDestination(
                endpoint: endpoint,
                credentials: credentials,
                options: options,
                userAgent: "firetail/\(version)",
                onClockOffset: onClockOffset
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

extension HTTPOptions {
    /// What a configuration says of TLS, and the environment where it says nothing.
    fileprivate init(_ files: TLSFiles, _ environment: [String: String]) {
        var certificate: ClientCertificate?
        if let file = files.certificateFile, let key = files.keyFile {
            certificate = ClientCertificate(certificateFile: file, keyFile: key)
        }
        self.init(caFile: files.caFile ?? SharedSettings.caFile(environment), clientCertificate: certificate)
    }
}
