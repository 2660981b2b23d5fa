import AWS
import CredentialSources
import Platform

/// The credentials of a role that is assumed with those of another provider, renewed before they expire.
public struct AssumeRoleCredentialsProvider: AWSCredentialsProvider, BuiltInCredentialsProvider {
    let source: any CredentialsProvider

    /// Takes what to assume, and with what; nothing is asked before it is needed.
    ///
    /// - Parameters:
    ///   - roleArn: such as `arn:aws:iam::123456789012:role/shipper`.
    ///   - credentialsProvider: what signs the request for it.
    ///   - sessionName: what the session is called in CloudTrail, 2 to 64 characters; nil for a name of ours.
    ///   - externalId: what the role's owner wants to hear; nil for nothing.
    ///   - durationSeconds: how long each session lasts, 900 to 43,200; nil for an hour.
    ///   - region: whose Security Token Service is asked; nil for that of the environment or the profile.
    public init(
        roleArn: String,
        credentialsProvider: any AWSCredentialsProvider = DefaultCredentialsProvider(),
        sessionName: String? = nil,
        externalId: String? = nil,
        durationSeconds: Int? = nil,
        region: String? = nil
    ) {
        let role = Role(
            arn: roleArn,
            sessionName: sessionName,
            externalID: externalId,
            durationSeconds: durationSeconds
        )
        self.init(role, credentialsProvider, CredentialsContext(environment: processEnvironment(), region: region))
    }

    init(_ role: Role, _ provider: any AWSCredentialsProvider, _ context: CredentialsContext) {
        source = AssumedRoleCredentials(role, with: provider.adapted, place: "the given role", context)
    }

    /// The credentials of the session.
    ///
    /// - Throws: ``FirehoseClientError/credentials(_:)`` if the role cannot be assumed.
    public func resolve() async throws -> any AWSCredentials { try await resolveFromSource() }
}

/// The credentials of a role that is assumed with a token in a file, as in EKS (IRSA); the file is read for each renewal.
public struct WebIdentityCredentialsProvider: AWSCredentialsProvider, BuiltInCredentialsProvider {
    let source: any CredentialsProvider

    /// Takes `AWS_WEB_IDENTITY_TOKEN_FILE`, `AWS_ROLE_ARN` and `AWS_ROLE_SESSION_NAME` as they are now.
    public init() {
        self.init(CredentialsContext(environment: processEnvironment()))
    }

    init(_ context: CredentialsContext) {
        source = WebIdentityCredentials.ofEnvironment(context)
    }

    /// Takes what to assume, and where the token is.
    ///
    /// - Parameters:
    ///   - roleArn: such as `arn:aws:iam::123456789012:role/shipper`.
    ///   - tokenFile: the path of a file that somebody else keeps fresh.
    ///   - sessionName: what the session is called in CloudTrail, 2 to 64 characters; nil for a name of ours.
    ///   - region: whose Security Token Service is asked; nil for that of the environment or the profile.
    public init(roleArn: String, tokenFile: String, sessionName: String? = nil, region: String? = nil) {
        source = WebIdentityCredentials(
            Role(arn: roleArn, sessionName: sessionName),
            tokenFile: tokenFile,
            place: "the given role",
            CredentialsContext(environment: processEnvironment(), region: region)
        )
    }

    /// The credentials of the session.
    ///
    /// - Throws: ``FirehoseClientError/credentials(_:)`` if the token cannot be read or the role not be assumed.
    public func resolve() async throws -> any AWSCredentials { try await resolveFromSource() }
}
