/// What would make a refused request succeed.
package enum Remedy: Sendable, Equatable {
    /// Sending less for a while.
    case slowDown
    /// Sending it again.
    case retry
    /// Other credentials.
    case refreshCredentials
    /// The right time in the signature; unless the error certainly means that, only if the clocks are known to differ.
    case correctClock(isCertain: Bool)
    /// Smaller requests.
    case split
    /// An operator.
    case configure
    /// Other records: at least one of these will never be taken.
    case setAside

    /// What an error of the service calls for.
    ///
    /// An error that is not known holds the records back: to lose them is worse than to wait for a person.
    package init(for error: ServiceError) {
        let code = error.code?.text ?? ""
        if error.status == 413 || Self.isAboutSize(error) {
            self = .split
        } else if let known = Self.known[code] {
            self = known
        } else if error.code?.isThrottle == true || error.status == 429 {
            self = .slowDown
        } else if code.hasPrefix("KMS") {
            self = .configure
        } else if error.status >= 500 || error.status == 408 || error.status < 400 {
            self = .retry
        } else {
            // A 400 without a code is no answer of the service but of something on the way to it.
            self = error.code == nil && error.status == 400 ? .retry : .configure
        }
    }

    private static func isAboutSize(_ error: ServiceError) -> Bool {
        guard let code = error.code?.text else { return false }
        if code.hasPrefix("RequestEntityTooLarge") { return true }
        guard code.hasPrefix("InvalidArgument") || code.hasPrefix("Validation") else { return false }
        return ["4 MB", "4MB", "4 MiB", "4194304", "1024000", "1000 KB", "1000 KiB"].contains { size in
            error.message.contains(size)
        }
    }

    private static let known: [String: Remedy] = [
        "ExpiredToken": .refreshCredentials,
        "ExpiredTokenException": .refreshCredentials,
        "InvalidClientTokenId": .refreshCredentials,
        "UnrecognizedClientException": .refreshCredentials,
        "MissingAuthenticationToken": .refreshCredentials,
        "MissingAuthenticationTokenException": .refreshCredentials,
        "RequestExpired": .correctClock(isCertain: true),
        "RequestInTheFuture": .correctClock(isCertain: true),
        "RequestTimeTooSkewed": .correctClock(isCertain: true),
        "InvalidSignatureException": .correctClock(isCertain: false),
        "SignatureDoesNotMatch": .correctClock(isCertain: false),
        "AuthFailure": .correctClock(isCertain: false),
        "RequestTimeout": .retry,
        "RequestTimeoutException": .retry,
        "InternalFailure": .retry,
        "InvalidArgumentException": .setAside,
        "ValidationException": .setAside,
        "ValidationError": .setAside,
        "SerializationException": .setAside,
    ]
}
