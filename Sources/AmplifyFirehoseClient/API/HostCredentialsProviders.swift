import AWS
import CredentialSources
import Platform

/// The credentials of the task or pod that the program runs in: ECS, EKS Pod Identity, Greengrass.
public struct ContainerCredentialsProvider: AWSCredentialsProvider, BuiltInCredentialsProvider {
    let source: any CredentialsProvider

    /// Takes `AWS_CONTAINER_CREDENTIALS_RELATIVE_URI` and its like as they are now.
    public init() {
        self.init(CredentialsContext(environment: processEnvironment()))
    }

    init(_ context: CredentialsContext) {
        source = ContainerCredentials(context)
    }

    /// The credentials.
    ///
    /// - Throws: ``FirehoseClientError/credentials(_:)`` if the variables are not set, or the service has none.
    public func resolve() async throws -> any AWSCredentials { try await resolveFromSource() }
}

/// The credentials of the role of the EC2 instance that the program runs on, by version 2 of its metadata service.
///
/// In a container the service answers only if the instance's hop limit is 2 or more.
public struct InstanceCredentialsProvider: AWSCredentialsProvider, BuiltInCredentialsProvider {
    let source: any CredentialsProvider

    /// Takes `AWS_EC2_METADATA_SERVICE_ENDPOINT` and its like as they are now.
    public init() {
        self.init(CredentialsContext(environment: processEnvironment()))
    }

    init(_ context: CredentialsContext) {
        source = InstanceCredentials(context)
    }

    /// The credentials.
    ///
    /// - Throws: ``FirehoseClientError/credentials(_:)`` if this is no instance, or it has no role.
    public func resolve() async throws -> any AWSCredentials { try await resolveFromSource() }
}

/// The credentials that a program prints, in the form of `credential_process`.
public struct ProcessCredentialsProvider: AWSCredentialsProvider, BuiltInCredentialsProvider {
    let source: any CredentialsProvider

    /// Takes a command, which is run when credentials are needed, and again before they expire.
    ///
    /// - Parameter command: as in a shell; it has 60 s, and is run without a shell if it is made of plain words.
    public init(command: String) {
        source = ProcessCredentials(
            command: command,
            place: "the given command",
            CredentialsContext(environment: processEnvironment())
        )
    }

    /// The credentials.
    ///
    /// - Throws: ``FirehoseClientError/credentials(_:)`` if the program fails or prints something else.
    public func resolve() async throws -> any AWSCredentials { try await resolveFromSource() }
}
