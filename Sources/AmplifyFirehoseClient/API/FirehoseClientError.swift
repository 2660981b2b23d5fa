/// What an operation of ``FirehoseClient`` throws; no text ever has a record's content or a secret in it.
public enum FirehoseClientError: Error, Sendable, Equatable {
    /// An argument or a setting breaks a rule; nothing was sent.
    ///
    /// The text names it, its value and what was expected.
    case validation(String)

    /// The service answered with an error.
    case service(FirehoseServiceError)

    /// There are no credentials to sign with; nothing was sent.
    case credentials(String)

    /// There is no answer; what was asked may have happened, unless the failure says that there was no connection.
    case transport(FirehoseTransportFailure, String)

    /// The answer has status 200 but is none to this request; what was asked may have happened.
    case unreadableAnswer(String)

    /// The client was closed before; nothing was sent.
    case closed

    /// The calling task was cancelled; what was asked may have happened.
    case cancelled
}

/// Why a request has no answer.
public enum FirehoseTransportFailure: Sendable, Hashable {
    /// The request or an option cannot work anywhere.
    case unusable
    /// The name of the host, or of the proxy, has no address.
    case unresolved
    /// Nobody takes connections there.
    case unconnected
    /// No trusted TLS connection came about.
    case insecure
    /// The connection could not be made in time, no byte moved for a while, or the whole took too long.
    case timedOut
    /// The connection broke after the request was begun.
    case broken
    /// The answer was larger than any should be.
    case answerTooLarge
}

extension FirehoseClientError {
    /// Whether the same call may succeed later without anyone changing anything.
    public var isRetryable: Bool {
        switch self {
        case .service(let error): error.isRetryable
        case .transport(let failure, _): failure.isRetryable
        case .unreadableAnswer: true
        case .validation, .credentials, .closed, .cancelled: false
        }
    }

    /// What happened.
    public var errorDescription: String {
        switch self {
        case .validation(let text), .credentials(let text), .unreadableAnswer(let text), .transport(_, let text): text
        case .service(let error): error.description
        case .closed: "the Firehose client is closed"
        case .cancelled: "the task that made the call was cancelled"
        }
    }

    /// What to do about it.
    public var recoverySuggestion: String {
        switch self {
        case .validation: "correct it and call again"
        case .service(let error): error.recoverySuggestion
        case .credentials: "give the client credentials that may use the stream"
        case .transport(let failure, _): failure.suggestion
        case .unreadableAnswer: "check what stands between here and the service; records may have arrived"
        case .closed: "make a new client"
        case .cancelled: "call again if the result is still wanted; records may have arrived"
        }
    }
}

extension FirehoseClientError: CustomStringConvertible {
    /// What happened and what to do about it, in one line.
    public var description: String { "\(errorDescription); \(recoverySuggestion)" }
}

extension FirehoseTransportFailure {
    fileprivate var isRetryable: Bool {
        switch self {
        case .unresolved, .unconnected, .timedOut, .broken: true
        case .unusable, .insecure, .answerTooLarge: false
        }
    }

    fileprivate var suggestion: String {
        switch self {
        case .unusable: "correct the client's configuration"
        case .unresolved, .unconnected: "check the region, the endpoint, the proxy and the network"
        case .insecure: "check the endpoint, and the CA file if the network has authorities of its own"
        case .timedOut, .broken: "check the network and call again; records may arrive twice"
        case .answerTooLarge: "check what stands between here and the service"
        }
    }
}
