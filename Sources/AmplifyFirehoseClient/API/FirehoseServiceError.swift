import Firehose
import Records

/// An answer of the service that is an error.
public struct FirehoseServiceError: Error, Sendable, Equatable {
    /// Which error it is.
    public let code: FirehoseErrorCode

    /// The service's own words, which may quote what was sent; no description or dump of the error has them then.
    public let message: String

    /// The HTTP status, such as 400.
    public let httpStatus: Int

    /// How the service calls the request, for its support; nil if it did not say.
    public let requestID: String?

    /// How long the service asks to be left alone; nil if it did not.
    public let retryAfter: Duration?

    /// Whether the service takes no more for now.
    public let isThrottling: Bool

    /// Whether the same request may succeed later without anyone changing anything.
    public let isRetryable: Bool

    private let text: String
    let recoverySuggestion: String

    init(_ error: ServiceError) {
        self.init(error, message: error.message, text: "the service answered \(error)")
    }

    /// What the service said about a whole batch; `reason` tells it without quoting anything.
    init(_ answer: DeliveryFailure.Answer, reason: String, retryAfter: Duration?) {
        var error = ServiceError(status: answer.status, code: ErrorCode(answer.code))
        error.requestID = answer.requestID
        error.retryAfter = retryAfter
        self.init(error, message: reason, text: reason)
    }

    private init(_ error: ServiceError, message: String, text: String) {
        let remedy = Remedy(for: error)
        code = error.code.map { FirehoseErrorCode(rawValue: $0.text) } ?? .unknown
        self.message = message
        httpStatus = error.status
        requestID = error.requestID
        retryAfter = error.retryAfter
        isThrottling = remedy == .slowDown
        isRetryable = remedy == .slowDown || remedy == .retry
        self.text = text
        recoverySuggestion = remedy.suggestion
    }
}

extension FirehoseServiceError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// What happened, with the request's id.
    public var description: String { requestID.map { "\(text) (request \($0))" } ?? text }

    /// The same.
    public var debugDescription: String { description }

    /// The parts that quote nothing.
    public var customMirror: Mirror {
        Mirror(self, children: ["code": code, "httpStatus": httpStatus, "requestID": requestID as Any])
    }
}

extension Remedy {
    /// What a person or a program can do about it.
    fileprivate var suggestion: String {
        switch self {
        case .slowDown: "send less for a while, or have the stream's limits raised"
        case .retry: "send it again; records may arrive twice"
        case .refreshCredentials: "check the access key and the session token, or sign in again"
        case .correctClock: "check the secret access key and this machine's clock"
        case .split: "send fewer or smaller records at once"
        case .configure: "check the stream's name and region, its key, and what the credentials permit"
        case .setAside: "check the arguments; the same request will never be taken"
        }
    }
}
