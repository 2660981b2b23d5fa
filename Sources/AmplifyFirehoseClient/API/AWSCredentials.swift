public import FoundationEssentials

/// Where credentials come from: one of the providers here, or one of your own.
///
/// ``AWSTemporaryCredentials`` are kept until shortly before they expire; any others are asked for before each request, so
/// a provider of those answers from memory when it can. Whatever it throws ends the call with
/// ``FirehoseClientError/credentials(_:)``.
public protocol AWSCredentialsProvider: Sendable {
    /// The credentials to sign with now.
    func resolve() async throws -> any AWSCredentials
}

/// What signs requests.
public protocol AWSCredentials: Sendable {
    /// Names the key; no secret.
    var accessKeyId: String { get }

    /// The secret that belongs to it.
    var secretAccessKey: String { get }
}

/// Credentials that go with a session token, and of which nothing says when they expire.
public protocol AWSSessionCredentials: AWSCredentials {
    /// Shows the service that the keys belong to a session; a secret too.
    var sessionToken: String { get }
}

/// Credentials of a session that ends.
public protocol AWSTemporaryCredentials: AWSSessionCredentials {
    /// When they cease to be valid.
    var expiration: Date { get }
}
