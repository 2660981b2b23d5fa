/// Where the records of an agent go, if not to the service's own endpoint.
package enum Endpoint: Sendable, Equatable {
    /// A URL without a path, such as `https://firehose.eu-central-1.amazonaws.com` or `http://localhost:8080`.
    case service(url: String)

    /// The absolute path of a directory.
    case directory(path: String)

    /// Reads a URL with or without `https://`, or `file:///directory`, whose path is taken as it is.
    static func parse(_ text: String) -> Conversion<Endpoint> {
        guard !text.utf8.contains(UInt8(ascii: "@")) else {
            return .refused([
                Refusal(
                    "credentials do not belong in an endpoint; use awsAccessKeyId and awsSecretAccessKey",
                    hidesValue: true
                )
            ])
        }
        if let path = text.dropping(prefix: "file://") { return directory(path) }
        let scheme = text.dropping(prefix: "http://") == nil ? "https://" : "http://"
        var authority = text.dropping(prefix: "http://") ?? text.dropping(prefix: "https://") ?? text
        if authority.hasSuffix("/") { authority.removeLast() }
        return isAuthority(authority) ? .value(.service(url: scheme + authority)) : .refused()
    }

    private static func directory(_ path: String) -> Conversion<Endpoint> {
        guard let path = path.asDirectory else {
            return .refused("a directory is written with its absolute path: file:///some/directory")
        }
        return .value(.directory(path: path))
    }

    /// Whether the text is a host, and perhaps a port.
    private static func isAuthority(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        let hostEnd: Int
        if bytes.first == UInt8(ascii: "[") {
            guard let bracket = bytes.firstIndex(of: UInt8(ascii: "]")), bracket > 2,
                bytes[1..<bracket].allSatisfy({ $0.isHexDigit || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") })
            else { return false }
            hostEnd = bracket + 1
        } else {
            hostEnd = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.count
            guard isHost(bytes[..<hostEnd]) else { return false }
        }
        return hostEnd == bytes.count || isPort(bytes[hostEnd...])
    }

    /// Whether the bytes are labels of letters, digits and hyphens with a dot between two.
    private static func isHost(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
            !label.isEmpty && label.first != UInt8(ascii: "-")
                && label.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
        }
    }

    private static func isPort(_ bytes: ArraySlice<UInt8>) -> Bool {
        let digits = bytes.dropFirst()
        guard bytes.first == UInt8(ascii: ":"), digits.allSatisfy(\.isDigit) else { return false }
        guard let port = Int(String(decoding: digits, as: UTF8.self)) else { return false }
        return (1...65_535).contains(port)
    }
}
