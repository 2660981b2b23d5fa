package import AWS
package import HTTP
package import Records

/// Why a call of the service has no result.
package enum CallError: Error, Equatable {
    /// The service answered with an error.
    case service(ServiceError)

    /// It answered 200, but not to this request; what was asked may have happened.
    case unreadable(requestID: String?)

    /// There is nothing to sign with.
    case credentials(CredentialsError)

    /// There is no answer; what was asked may have happened.
    case transport(HTTPError)

    /// The calling task was cancelled; what was asked may have happened.
    case cancelled

    /// `FirehoseService.close()` came first; nothing was sent.
    case closed
}

extension CallError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .service(let error): error.description
        case .unreadable: "HTTP 200, but not with an answer to this request"
        case .credentials(let error): error.description
        case .transport(let error): error.description
        case .cancelled: "interrupted"
        case .closed: "the client is closed"
        }
    }
}

extension CallError {
    /// The same for whoever sends batches; `place`, the stream and the host, begins the reason.
    package func failure(at place: String) -> DeliveryFailure {
        switch self {
        case .service(let error): error.failure(at: place)
        case .credentials: DeliveryFailure(.credentials, reason: "\(place): \(self)")
        case .transport(.unusable): DeliveryFailure(.configuration, reason: "\(place): \(self)")
        case .unreadable, .transport, .cancelled, .closed:
            DeliveryFailure(.unreachable, reason: "\(place): \(self)")
        }
    }

    /// How the call may be made again at once; nil if that would be of no use.
    package var retry: RetryStrategy.Cause? {
        switch self {
        case .service(let error):
            switch Remedy(for: error) {
            case .slowDown: .throttling
            case .retry: .transient
            case .refreshCredentials, .correctClock, .split, .configure, .setAside: nil
            }
        case .unreadable, .transport(.unresolved), .transport(.unconnected), .transport(.timedOut), .transport(.cut):
            .transient
        case .transport(.unusable), .transport(.insecure), .transport(.tooLarge), .transport(.cancelled),
            .credentials, .cancelled, .closed:
            nil
        }
    }
}
