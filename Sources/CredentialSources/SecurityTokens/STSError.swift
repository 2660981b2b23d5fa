import AWS
import HTTP

/// Why STS gave no credentials.
enum STSError: Error, Equatable {
    /// It answered with an error; the message has no secret of ours.
    case service(code: String, status: Int, message: String)

    /// It answered 200, but without credentials that can be read.
    case unreadable

    /// There was no answer.
    case transport(host: String, HTTPError)

    /// Nothing says where it is.
    case endpoint(EndpointError)

    /// - Returns: nil if the answer is no error.
    init?(_ answer: WebAnswer, hiding secrets: [String]) {
        guard answer.status != 200 else { return nil }
        let texts = try? XMLTexts(answer.body)
        self = .service(
            code: LogText.printable(texts?["Error/Code"] ?? "", limit: 100),
            status: answer.status,
            message: LogText.printable(texts?["Error/Message"] ?? "", hiding: secrets, limit: 300)
        )
    }

    /// Whether the same request may succeed a moment later, and after which pause.
    var retry: RetryStrategy.Cause? {
        guard case .service(let code, let status, _) = self else { return nil }
        if ["Throttling", "ThrottlingException", "RequestLimitExceeded"].contains(code) || status == 429 {
            return .throttling
        }
        return status >= 500 || code.hasPrefix("IDPCommunicationError") ? .transient : nil
    }

    /// Whether the right time in the signature may succeed, and nothing else; nil if that would not matter.
    var isCertainlyAboutTime: Bool? {
        guard case .service(let code, _, _) = self else { return nil }
        switch code {
        case "RequestExpired", "RequestInTheFuture", "RequestTimeTooSkewed": return true
        case "SignatureDoesNotMatch", "InvalidSignatureException", "AuthFailure": return false
        default: return nil
        }
    }

    /// Whether other credentials may succeed.
    var isAboutKeys: Bool {
        guard case .service(let code, _, _) = self else { return false }
        return ["ExpiredToken", "ExpiredTokenException", "InvalidClientTokenId", "UnrecognizedClientException"]
            .contains(code)
    }
}

extension STSError: CustomStringConvertible {
    var description: String {
        switch self {
        case .service(let code, let status, let message):
            let name = code.isEmpty ? "HTTP \(status) without an error code" : "\(code) (HTTP \(status))"
            return "STS answered \(name)" + (message.isEmpty ? "" : ": \(message)")
        case .unreadable: return "STS answered with HTTP 200, but without credentials that can be read"
        case .transport(let host, let error): return "STS at \(host): \(error)"
        case .endpoint(let error): return "\(error)"
        }
    }
}
