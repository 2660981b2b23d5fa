/// The name of an error of the service; one that has no constant here is made from its text.
public struct FirehoseErrorCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// Such as `ResourceNotFoundException`; `Unknown` for an error answer that names none.
    public let rawValue: String

    /// Takes the name as the service writes it.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The name.
    public var description: String { rawValue }

    /// The answer is an error but does not name one, as those of proxies and load balancers.
    public static let unknown = Self(rawValue: "Unknown")

    // MARK: Firehose

    /// There is no such delivery stream in this region.
    public static let resourceNotFound = Self(rawValue: "ResourceNotFoundException")
    /// The delivery stream is being changed.
    public static let resourceInUse = Self(rawValue: "ResourceInUseException")
    /// A value in the request is not valid.
    public static let invalidArgument = Self(rawValue: "InvalidArgumentException")
    /// The key of the stream's encryption cannot be used.
    public static let invalidKMSResource = Self(rawValue: "InvalidKMSResourceException")
    /// The stream takes its records from somewhere else.
    public static let invalidSource = Self(rawValue: "InvalidSourceException")
    /// A quota of the account is used up.
    public static let limitExceeded = Self(rawValue: "LimitExceededException")
    /// The stream is at its limit, or the service is.
    public static let serviceUnavailable = Self(rawValue: "ServiceUnavailableException")
    /// A fault of the service; one of its records may have it too.
    public static let internalFailure = Self(rawValue: "InternalFailure")

    // MARK: Every service

    /// The credentials do not permit this.
    public static let accessDenied = Self(rawValue: "AccessDeniedException")
    /// The session of the credentials has ended.
    public static let expiredToken = Self(rawValue: "ExpiredTokenException")
    /// The access key is not known.
    public static let unrecognizedClient = Self(rawValue: "UnrecognizedClientException")
    /// The access key or the session token is not known.
    public static let invalidClientTokenId = Self(rawValue: "InvalidClientTokenId")
    /// The secret is wrong, or the clock.
    public static let invalidSignature = Self(rawValue: "InvalidSignatureException")
    /// The request is too old, or the clock is wrong.
    public static let requestExpired = Self(rawValue: "RequestExpired")
    /// Too many requests.
    public static let throttling = Self(rawValue: "ThrottlingException")
    /// The request breaks a rule of the service.
    public static let validation = Self(rawValue: "ValidationException")
    /// The request is not what the service can read.
    public static let serialization = Self(rawValue: "SerializationException")
}
