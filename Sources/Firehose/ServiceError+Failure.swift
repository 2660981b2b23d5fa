import AWS
package import Records

extension ServiceError {
    /// The same for whoever sends batches; `place`, the stream and the host, begins the reason.
    package func failure(at place: String) -> DeliveryFailure {
        DeliveryFailure(
            kind,
            reason: "\(place): \(self)",
            retryAfter: retryAfter,
            answer: code.map { DeliveryFailure.Answer(code: $0.text, status: status, requestID: requestID) }
        )
    }

    private var kind: DeliveryFailure.Kind {
        switch Remedy(for: self) {
        case .slowDown: .throttled
        case .retry: .unreachable
        case .refreshCredentials, .correctClock: .credentials
        case .split: .tooLarge
        case .configure: .configuration
        case .setAside: .invalid
        }
    }
}

extension ServiceError: CustomStringConvertible {
    /// What happened; without the service's words where they may quote a record.
    package var description: String {
        let name = code.map { "\($0.text) (HTTP \(status))" } ?? "HTTP \(status) without an error code"
        guard code != nil, !message.isEmpty, kind != .invalid, kind != .tooLarge else { return name }
        return "\(name): \(LogText.printable(message))"
    }
}
