/// What an operation of ``AmplifyFirehoseClient`` throws.
///
/// Each case carries what happened, what to do about it, and the error that caused it if there is one. No text ever has a
/// record's content or a secret in it.
public enum FirehoseError: Error {
    /// An argument breaks a limit of the service or of the client; nothing was stored or sent.
    case validation(String, String, (any Error)? = nil)

    /// The record would take the cache past its limit; nothing was stored and nothing evicted.
    case cacheLimitExceeded(String, String, (any Error)? = nil)

    /// The cache on the disk cannot be opened, read or written.
    case cache(String, String, (any Error)? = nil)

    /// Anything else: no answer from the service, no credentials, a cancelled task, a closed client.
    case unknown(String, String, (any Error)? = nil)
}

extension FirehoseError {
    /// What happened.
    public var errorDescription: String { parts.description }

    /// What to do about it.
    public var recoverySuggestion: String { parts.suggestion }

    /// The error that caused this one.
    public var underlyingError: (any Error)? { parts.cause }

    private var parts: (description: String, suggestion: String, cause: (any Error)?) {
        switch self {
        case .validation(let description, let suggestion, let cause),
            .cacheLimitExceeded(let description, let suggestion, let cause),
            .cache(let description, let suggestion, let cause),
            .unknown(let description, let suggestion, let cause):
            (description, suggestion, cause)
        }
    }
}

extension FirehoseError: CustomStringConvertible {
    /// What happened and what to do about it, in one line.
    public var description: String { "\(errorDescription); \(recoverySuggestion)" }
}
