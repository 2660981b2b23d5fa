/// The name of an error of the service, such as `ResourceNotFoundException`, without what protocols put around it.
package struct ErrorCode: Sendable, Hashable {
    package let text: String

    /// Takes `namespace#Name:http://…` as well as the bare name.
    package init(_ raw: String) {
        let withoutAddress = raw.prefix { $0 != ":" }
        let name = withoutAddress.split(separator: "#", omittingEmptySubsequences: false).last ?? ""
        text = LogText.printable(String(name), limit: 100)
    }

    /// Whether it says that the caller sends too much; Firehose's `ServiceUnavailableException` means just that.
    package var isThrottle: Bool { Self.throttles.contains(text) }

    private static let throttles: Set = [
        "ServiceUnavailableException", "ProvisionedThroughputExceededException", "KMSThrottlingException",
        "Throttling", "ThrottlingException", "ThrottledException", "RequestThrottledException", "RequestThrottled",
        "TooManyRequestsException", "TransactionInProgressException", "RequestLimitExceeded",
        "BandwidthLimitExceeded", "LimitExceededException", "SlowDown", "PriorRequestNotComplete",
        "EC2ThrottledException",
    ]
}

/// Text from outside, made fit for a line of a log.
package enum LogText {
    /// The first `limit` characters, with `?` for those that do not print.
    package static func printable(_ text: String, limit: Int = 200) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit).map { isPrintable($0) ? $0 : "?" }))
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
