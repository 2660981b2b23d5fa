import AWS
import Firehose
import HTTP
import Platform

extension FirehoseClient {
    /// Where a client sends to, what it signs with, and how patient it is.
    public struct FirehoseClientConfiguration: Sendable {
        /// Whether a call that failed is made again before it throws.
        public enum RetryMode: Sendable, Hashable {
            /// One attempt.
            case none
            /// As AWS's SDKs do: after faults of the network and the service, with growing pauses and a quota.
            case standard
        }

        /// Such as `eu-west-1`; empty for that of `AWS_REGION` or of the profile in `~/.aws/config`.
        public var region: String

        /// A URL such as `http://localhost:4566` in place of Amazon's.
        ///
        /// Nil for `AWS_ENDPOINT_URL_FIREHOSE`, then `AWS_ENDPOINT_URL`, then `endpoint_url` of the profile, then the region's
        /// own (`AWS_USE_FIPS_ENDPOINT` and `AWS_USE_DUALSTACK_ENDPOINT` choose among those).
        public var endpoint: String?

        /// What requests are signed with.
        public var credentialsProvider: any AWSCredentialsProvider

        /// How long making a connection may take, TLS included.
        public var connectTimeout: Duration = .seconds(10)

        /// How long a request may make no progress at all, in whole seconds.
        public var stallTimeout: Duration = .seconds(30)

        /// How long one attempt may take as a whole; nil for as long as it makes progress.
        public var requestTimeout: Duration?

        /// Whether failed calls are made again; `AWS_RETRY_MODE` chooses among modes of SDKs that are one here.
        public var retryMode: RetryMode = .standard

        /// Attempts of one call, the first included: at least 1; without meaning for ``RetryMode/none``.
        ///
        /// Nil for `AWS_MAX_ATTEMPTS`, then `max_attempts` of the profile, then 3.
        public var maxAttempts: Int?

        /// The proxy to use, such as `http://user:password@proxy.example:3128` or `socks5h://localhost:1080`.
        ///
        /// Nil for what `https_proxy`, `no_proxy` and so on say; empty for none.
        public var proxy: String?

        /// A PEM file of the authorities to trust in place of the system's; nil for that of `AWS_CA_BUNDLE`
        /// or of `ca_bundle` in the profile, if any.
        public var caFile: String?

        /// What to show to servers that want to know who calls; nil for nothing.
        public var clientCertificate: ClientCertificate?

        /// A certificate and its key, in PEM files; the key has no passphrase.
        public struct ClientCertificate: Sendable, Hashable {
            /// The path of the certificate, with what leads from it to its authority.
            public var certificateFile: String

            /// The path of the key.
            public var keyFile: String

            /// Names the files, which are read when the client is made.
            public init(certificateFile: String, keyFile: String) {
                self.certificateFile = certificateFile
                self.keyFile = keyFile
            }
        }

        /// The standard configuration for a region.
        public init(region: String, credentialsProvider: any AWSCredentialsProvider = DefaultCredentialsProvider()) {
            self.region = region
            self.credentialsProvider = credentialsProvider
        }
    }
}

/// The configuration of a ``FirehoseClient``.
public typealias FirehoseClientConfiguration = FirehoseClient.FirehoseClientConfiguration

/// No text shows the credentials or the proxy's password.
extension FirehoseClientConfiguration: CustomStringConvertible, CustomReflectable {
    /// The region and the endpoint.
    public var description: String { "Firehose client for \(endpoint ?? "the endpoint of") \(region)" }

    /// What holds no secret.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "region": region, "endpoint": endpoint as Any, "connectTimeout": connectTimeout,
                "stallTimeout": stallTimeout, "requestTimeout": requestTimeout as Any, "retryMode": retryMode,
                "maxAttempts": maxAttempts as Any, "caFile": caFile as Any,
            ]
        )
    }
}

extension FirehoseClientConfiguration {
    /// What calls the service as configured; the network is not touched.
    func makeService(environment: [String: String]) throws(FirehoseClientError) -> FirehoseService {
        let endpoint = try serviceEndpoint(environment)
        do {
            return try FirehoseService(
                endpoint: endpoint,
                credentials: credentialsProvider.adapted,
                options: try httpOptions(environment),
                userAgent: Self.userAgent
            )
        } catch {
            throw .validation("\(error)")
        }
    }

    /// How the library calls itself to the service.
    private static let userAgent = "firetail-swift/0.1.0"

    private func serviceEndpoint(_ environment: [String: String]) throws(FirehoseClientError) -> Endpoint {
        let resolver = EndpointResolver(
            endpoint: endpoint,
            endpointSetting: "the endpoint",
            region: region,
            environment: environment
        )
        do {
            return try resolver.resolveService()
        } catch {
            throw .validation("\(error)")
        }
    }

    private func httpOptions(_ environment: [String: String]) throws(HTTPError) -> HTTPOptions {
        HTTPOptions(
            caFile: caFile ?? SharedSettings.caFile(environment),
            clientCertificate: clientCertificate.map { certificate in
                HTTP.ClientCertificate(certificateFile: certificate.certificateFile, keyFile: certificate.keyFile)
            },
            connectTimeout: connectTimeout,
            stallTimeout: stallTimeout,
            requestTimeout: requestTimeout,
            proxy: try proxy.map { proxy throws(HTTPError) in try HTTPProxy(proxy) } ?? .environment
        )
    }

    /// When calls are made again.
    func retryStrategy(_ environment: [String: String]) throws(FirehoseClientError) -> RetryStrategy {
        if retryMode == .none { return RetryStrategy(maxAttempts: 1) }
        if let maxAttempts { return RetryStrategy(maxAttempts: maxAttempts) }
        // Shared files that cannot be read say nothing here: whoever needs them says what is wrong.
        let settings = try? SharedSettings(environment: environment)
        guard let setting = settings?.value("AWS_MAX_ATTEMPTS", or: "max_attempts") else { return RetryStrategy() }
        guard let count = Int(setting.value), count >= 1 else {
            throw .validation("\(setting.name) is “\(setting.value)”; expected a whole number, 1 or more")
        }
        return RetryStrategy(maxAttempts: count)
    }
}
