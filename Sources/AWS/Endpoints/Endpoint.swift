/// Where requests of a service go, and the region they are signed for.
package struct Endpoint: Sendable, Equatable {
    package enum Scheme: String, Sendable {
        case http, https
    }

    package var scheme: Scheme

    /// The host and, unless it is the scheme's own, the port: the value of the `Host` header, to be sent as signed.
    package var host: String

    package var region: String

    package init(scheme: Scheme = .https, host: String, region: String) {
        self.scheme = scheme
        self.host = host
        self.region = region
    }

    /// Scheme, host and port, with nothing after them.
    package var url: String { "\(scheme.rawValue)://\(host)" }

    /// Whether records leave this machine unencrypted; worth a warning.
    package var isUnencrypted: Bool { scheme == .http && !isLoopback }

    /// Whether the host is this machine itself.
    package var isLoopback: Bool {
        if host.hasPrefix("[") { return host == "[::1]" || host.hasPrefix("[::1]:") }
        let name = host.prefix { $0 != ":" }
        return name == "localhost" || name.hasSuffix(".localhost") || name.isLoopbackAddress
    }
}

extension Substring {
    /// Whether it is an IPv4 address of 127.0.0.0/8, and not a name that begins like one.
    fileprivate var isLoopbackAddress: Bool {
        let parts = split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}

/// What an operator's endpoint stands for: the service, or a directory for trying things out.
package enum DeliveryTarget: Sendable, Equatable {
    case service(Endpoint)

    /// The absolute path of a `file://` URL.
    case directory(path: String)
}

/// Why the settings name no endpoint.
package enum EndpointError: Error, Equatable {
    /// Nothing says which region it is.
    case noRegion

    /// A setting has a value that means nothing.
    case invalid(setting: String, value: String, expected: String)

    /// An endpoint of one's own is used as it is, so a variable that chooses among Amazon's has no meaning beside it.
    case conflict(endpointSetting: String, variable: String)

    /// The profile was needed, for its region or its endpoint, but cannot be read.
    case sharedFile(SharedFileError)
}

extension EndpointError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noRegion:
            "no AWS region: set region in the configuration, or AWS_REGION, or region in the profile of ~/.aws/config"
        case .invalid(let setting, let value, let expected):
            "\(setting) is '\(value)'; expected \(expected)"
        case .conflict(let endpointSetting, let variable):
            "\(variable) cannot be combined with \(endpointSetting), which is used as it is; remove one of them"
        case .sharedFile(let error):
            "\(error); or set region and firehose.endpoint in the configuration, which then need no shared files"
        }
    }
}
