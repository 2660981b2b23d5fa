import AWS
import CredentialSources
import Firehose
import FoundationEssentials

extension AWSCredentialsProvider {
    /// The same for the inside of the package: the built-in ones without their wrapping, any other with a cache.
    var adapted: any CredentialsProvider {
        if let builtIn = self as? any BuiltInCredentialsProvider { return builtIn.source }
        return CredentialsCache { () async throws(CredentialsError) in try await credentials() }
    }

    private func credentials() async throws(CredentialsError) -> Credentials {
        let given: any AWSCredentials
        do {
            given = try await resolve()
        } catch {
            throw .broken(place: Place.text, reason: Place.reason(of: error))
        }
        return try Credentials(
            checkingAccessKeyID: given.accessKeyId,
            secretAccessKey: given.secretAccessKey,
            sessionToken: (given as? any AWSSessionCredentials)?.sessionToken,
            expiration: (given as? any AWSTemporaryCredentials)?.expiration.sinceEpoch,
            place: Place.text
        )
    }
}

/// How a provider of the program's own is spoken of.
private enum Place {
    static let text = "the given credentials provider"

    /// What an error says about itself.
    ///
    /// One that says nothing would be printed with all that it holds, which may be a secret; its type is all we tell then.
    static func reason(of error: any Error) -> String {
        guard let words = error as? any CustomStringConvertible else {
            return "it threw \(String(reflecting: type(of: error))), which does not say what happened"
        }
        return LogText.printable(words.description, limit: 300)
    }
}

extension Date {
    /// The time since 1970, UTC; nil for what is practically never.
    fileprivate var sinceEpoch: Duration? {
        // Beyond this lie about three thousand years, infinity and what is no number.
        guard abs(timeIntervalSince1970) < 1e11 else { return nil }
        return .seconds(timeIntervalSince1970)
    }
}
