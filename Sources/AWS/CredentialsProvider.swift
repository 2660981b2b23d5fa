/// A place that credentials come from.
package protocol CredentialsProvider: Sendable {
    /// The credentials to sign with now; asked before each request, so it answers from memory when it can.
    func credentials() async throws(CredentialsError) -> Credentials

    /// Forgets what is in memory, after the service refused it (`ExpiredToken`, `InvalidClientTokenId`).
    func invalidate() async
}

extension CredentialsProvider {
    /// Does nothing, which suits a place that cannot change while the program runs.
    package func invalidate() async {}
}

/// Why there are no credentials.
package enum CredentialsError: Error, Equatable {
    /// None of these places has any, in the order they were looked at; another place may have.
    case notFound(places: [String])

    /// A place has some but they cannot be used, and going on to another could mean someone else's.
    case broken(place: String, reason: String)
}

extension CredentialsError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notFound(let places):
            "no AWS credentials: looked for \(places.joined(separator: ", then ")); set one of them"
        case .broken(let place, let reason):
            "the AWS credentials in \(place) cannot be used: \(reason)"
        }
    }
}
