package import AWS

/// Asks places one after the other for credentials.
///
/// A place without any passes the question on. One that has some but broken ends it: an operator who meant those
/// would not want others used.
package struct CredentialsChain: CredentialsProvider {
    private let providers: [any CredentialsProvider]

    package init(_ providers: [any CredentialsProvider]) {
        self.providers = providers
    }

    /// The usual order: the agent's own configuration, the environment, the shared files, a web identity, the container,
    /// the EC2 instance.
    ///
    /// - Parameters:
    ///   - accessKeyID: `awsAccessKeyId` of the configuration.
    ///   - secretAccessKey: `awsSecretAccessKey` of the configuration.
    ///   - context: the variables of the process, and the way to the network.
    package init(accessKeyID: String? = nil, secretAccessKey: String? = nil, _ context: CredentialsContext) {
        self.init(
            [ConfiguredCredentials(accessKeyID: accessKeyID, secretAccessKey: secretAccessKey)]
                + Self.usual(context).providers
        )
    }

    /// The usual order of all programs: the environment, the shared files, a web identity, the container, the EC2 instance.
    package static func usual(_ context: CredentialsContext) -> CredentialsChain {
        CredentialsChain([
            EnvironmentCredentials(environment: context.environment),
            ProfileCredentials(context),
            WebIdentityCredentials.ofEnvironment(context),
            ContainerCredentials(context),
            InstanceCredentials(context),
        ])
    }

    package func credentials() async throws(CredentialsError) -> Credentials {
        var visited: [String] = []
        for provider in providers {
            do {
                return try await provider.credentials()
            } catch .notFound(let places) {
                visited += places
            }
        }
        throw .notFound(places: visited)
    }

    package func invalidate() async {
        for provider in providers {
            await provider.invalidate()
        }
    }
}
