import AWS
import CredentialSources
import Platform

/// Keys that never change.
public struct StaticCredentialsProvider: AWSCredentialsProvider, BuiltInCredentialsProvider {
    let source: any CredentialsProvider

    /// Takes the keys as they are; they are checked when they are first needed.
    ///
    /// - Parameters:
    ///   - accessKeyId: names the key.
    ///   - secretAccessKey: the secret that belongs to it.
    ///   - sessionToken: what comes with temporary keys; nil or empty for none.
    public init(accessKeyId: String, secretAccessKey: String, sessionToken: String? = nil) {
        source = GivenCredentials(
            accessKeyID: accessKeyId,
            secretAccessKey: secretAccessKey,
            sessionToken: sessionToken
        )
    }

    /// The keys.
    ///
    /// - Throws: ``FirehoseClientError/credentials(_:)`` if they cannot be keys.
    public func resolve() async throws -> any AWSCredentials { try await resolveFromSource() }
}

/// The keys in `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and, if temporary, `AWS_SESSION_TOKEN`.
public struct EnvironmentCredentialsProvider: AWSCredentialsProvider, BuiltInCredentialsProvider {
    let source: any CredentialsProvider

    /// Takes the variables as they are now.
    public init() {
        self.init(environment: processEnvironment())
    }

    init(environment: [String: String]) {
        source = EnvironmentCredentials(environment: environment)
    }

    /// The keys.
    ///
    /// - Throws: ``FirehoseClientError/credentials(_:)`` if there are none.
    public func resolve() async throws -> any AWSCredentials { try await resolveFromSource() }
}

/// The credentials of a profile in `~/.aws/credentials` and `~/.aws/config`, which are read again once a minute.
///
/// A profile has keys, or says what gives some: a role to assume, a web identity, a program to run.
public struct ProfileCredentialsProvider: AWSCredentialsProvider, BuiltInCredentialsProvider {
    let source: any CredentialsProvider

    /// - Parameter profileName: which one; nil for that of `AWS_PROFILE`, and without it `default`.
    public init(profileName: String? = nil) {
        self.init(profileName: profileName, environment: processEnvironment())
    }

    init(profileName: String?, environment: [String: String]) {
        var environment = environment
        if let profileName { environment["AWS_PROFILE"] = profileName }
        source = ProfileCredentials(CredentialsContext(environment: environment))
    }

    /// The keys.
    ///
    /// - Throws: ``FirehoseClientError/credentials(_:)`` if there are none, or a file cannot be read.
    public func resolve() async throws -> any AWSCredentials { try await resolveFromSource() }
}

/// The first of the usual places that has any: the environment, the profile of the shared files, a web identity (EKS), the
/// container (ECS, EKS Pod Identity), the EC2 instance.
///
/// A place that is configured but broken ends the search with its error.
public struct DefaultCredentialsProvider: AWSCredentialsProvider, BuiltInCredentialsProvider {
    let source: any CredentialsProvider

    /// Takes the variables as they are now; the files are read when they are needed.
    public init() {
        self.init(environment: processEnvironment())
    }

    init(environment: [String: String]) {
        source = CredentialsChain.usual(CredentialsContext(environment: environment))
    }

    /// The keys.
    ///
    /// - Throws: ``FirehoseClientError/credentials(_:)`` if no place has any, or the first that has some is broken.
    public func resolve() async throws -> any AWSCredentials { try await resolveFromSource() }
}
