/// Somewhere that batches of records go: Firehose, or a directory.
package protocol Destination: Sendable {
    /// Sends one batch and says what became of its records.
    ///
    /// A cancelled task gives up and answers `.failed` with `.unreachable`; the records' fate is then unknown.
    func deliver(_ batch: RecordBatch, to stream: StreamName) async -> Delivery
}

/// What became of one batch.
package enum Delivery: Sendable, Equatable {
    /// Every record is safe at the destination.
    case accepted

    /// Some records were refused; one entry for each record of the batch, in order. Nil is accepted.
    case partlyAccepted([Refusal?])

    /// No record is known to be accepted.
    case failed(DeliveryFailure)
}

/// Why one record of a batch was refused while others were accepted; it is to be sent again.
package struct Refusal: Sendable, Equatable {
    /// The service's error code, such as `ServiceUnavailableException`.
    package var code: String

    /// Whether it says that the stream is at its limit, so that sending should slow down.
    package var isThrottle: Bool

    package init(code: String, isThrottle: Bool) {
        self.code = code
        self.isThrottle = isThrottle
    }
}

/// Why a whole batch was not accepted.
package struct DeliveryFailure: Sendable, Equatable, Error {
    /// What the sender does about it.
    package enum Kind: Sendable, Equatable {
        /// The stream is at its limit: wait, from 1 s up.
        case throttled
        /// A server fault, or no answer that could be read: wait briefly, send again; the records may have arrived.
        case unreachable
        /// There are no credentials, or the service refused them: keep everything, wait, look for others.
        case credentials
        /// The stream, its permissions or its key are wrong: keep everything until an operator mends it.
        case configuration
        /// The request is larger than the service takes: send it in smaller parts.
        case tooLarge
        /// The service will never take at least one of these records: find it, and set it aside.
        case invalid
    }

    package var kind: Kind

    /// What happened, for a person: the error code and where; never a record's text or a secret.
    package var reason: String

    /// When the service asks to be left alone for a while.
    package var retryAfter: Duration?

    /// Whether the service itself has answered with this error; only then may records be charged for it.
    package var isAnswer: Bool

    package init(_ kind: Kind, reason: String, retryAfter: Duration? = nil, isAnswer: Bool = false) {
        self.kind = kind
        self.reason = reason
        self.retryAfter = retryAfter
        self.isAnswer = isAnswer
    }
}
