import Firehose
import HTTP
package import Records

extension FirehoseClientError {
    /// Why a call has no result; `host` is where it went.
    init(_ error: CallError, at host: String) {
        switch error {
        case .service(let error): self = .service(FirehoseServiceError(error))
        case .unreadable(let requestID):
            let name = requestID.map { " (request \($0))" } ?? ""
            self = .unreadableAnswer("\(host) answered with HTTP 200, but not to this request\(name)")
        case .credentials(let error): self = .credentials("\(error)")
        case .transport(let error): self.init(error, at: host)
        case .cancelled: self = .cancelled
        case .closed: self = .closed
        }
    }

    private init(_ error: HTTPError, at host: String) {
        let text = "\(host): \(error)"
        switch error {
        case .unusable: self = .transport(.unusable, text)
        case .unresolved: self = .transport(.unresolved, text)
        case .unconnected: self = .transport(.unconnected, text)
        case .insecure: self = .transport(.insecure, text)
        case .timedOut: self = .transport(.timedOut, text)
        case .cut: self = .transport(.broken, text)
        case .tooLarge: self = .transport(.answerTooLarge, text)
        case .cancelled: self = .cancelled
        }
    }

    /// Why a batch was not accepted.
    ///
    /// An answer of the service becomes `.service`; every other failure says nothing about the records.
    package init(_ failure: DeliveryFailure) {
        if let answer = failure.answer {
            self = .service(
                FirehoseServiceError(answer, reason: failure.reason, retryAfter: failure.retryAfter)
            )
            return
        }
        switch failure.kind {
        case .credentials: self = .credentials(failure.reason)
        case .configuration: self = .transport(.unusable, failure.reason)
        case .throttled, .unreachable, .tooLarge, .invalid: self = .transport(.broken, failure.reason)
        }
    }
}
