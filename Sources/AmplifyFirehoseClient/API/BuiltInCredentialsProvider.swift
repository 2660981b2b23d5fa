import AWS
import FoundationEssentials

/// A provider that asks one of the package's own, which needs no adapter then.
protocol BuiltInCredentialsProvider: AWSCredentialsProvider {
    var source: any CredentialsProvider { get }
}

extension BuiltInCredentialsProvider {
    /// What the source has, in public form.
    func resolveFromSource() async throws(FirehoseClientError) -> any AWSCredentials {
        do {
            return ResolvedCredentials.make(from: try await source.credentials())
        } catch {
            throw .credentials("\(error)")
        }
    }
}

/// Keys, or with a token those of a session; no text shows the secrets.
struct ResolvedCredentials: AWSCredentials {
    fileprivate let credentials: Credentials

    var accessKeyId: String { credentials.accessKeyID }
    var secretAccessKey: String { credentials.secretAccessKey }

    /// Keys alone, or with the token and the end that they have.
    static func make(from credentials: Credentials) -> any AWSCredentials {
        let keys = ResolvedCredentials(credentials: credentials)
        guard let token = credentials.sessionToken else { return keys }
        let session = ResolvedSessionCredentials(keys: keys, sessionToken: token)
        guard let end = credentials.expiration else { return session }
        let date = Date(timeIntervalSince1970: TimeInterval(end.components.seconds))
        return ResolvedTemporaryCredentials(session: session, expiration: date)
    }
}

/// Keys and the token of a session; no text shows the secrets.
struct ResolvedSessionCredentials: AWSSessionCredentials {
    fileprivate let keys: ResolvedCredentials
    let sessionToken: String

    var accessKeyId: String { keys.accessKeyId }
    var secretAccessKey: String { keys.secretAccessKey }
}

/// Keys, and the token of a session that ends; no text shows the secrets.
struct ResolvedTemporaryCredentials: AWSTemporaryCredentials {
    fileprivate let session: ResolvedSessionCredentials
    let expiration: Date

    var accessKeyId: String { session.accessKeyId }
    var secretAccessKey: String { session.secretAccessKey }
    var sessionToken: String { session.sessionToken }
}

extension ResolvedCredentials: CustomStringConvertible, CustomReflectable {
    var description: String { "\(credentials)" }
    var customMirror: Mirror { Mirror(self, children: ["accessKeyId": accessKeyId]) }
}

extension ResolvedSessionCredentials: CustomStringConvertible, CustomReflectable {
    var description: String { "\(keys)" }
    var customMirror: Mirror { Mirror(self, children: ["accessKeyId": accessKeyId]) }
}

extension ResolvedTemporaryCredentials: CustomStringConvertible, CustomReflectable {
    var description: String { "\(session)" }
    var customMirror: Mirror { Mirror(self, children: ["accessKeyId": accessKeyId, "expiration": expiration]) }
}
