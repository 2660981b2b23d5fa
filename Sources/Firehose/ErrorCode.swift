import AWS

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
