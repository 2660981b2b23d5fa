/// Asks places one after the other for credentials.
///
/// A place without any passes the question on. One that has some but broken ends it: an operator who meant those
/// would not want others used.
package struct CredentialsChain: CredentialsProvider {
    private let providers: [any CredentialsProvider]

    package init(_ providers: [any CredentialsProvider]) {
        self.providers = providers
    }

    /// The usual order: the agent's own configuration, the environment, the shared files.
    ///
    /// - Parameters:
    ///   - accessKeyID: `awsAccessKeyId` of the configuration.
    ///   - secretAccessKey: `awsSecretAccessKey` of the configuration.
    ///   - environment: the variables of the process.
    package init(accessKeyID: String? = nil, secretAccessKey: String? = nil, environment: [String: String]) {
        self.init([
            ConfiguredCredentials(accessKeyID: accessKeyID, secretAccessKey: secretAccessKey),
            EnvironmentCredentials(environment: environment),
            SharedFileCredentials(environment: environment),
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
