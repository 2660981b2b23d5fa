/// An endpoint as an operator writes it: a host, or a URL with scheme `http`, `https` or `file`.
package enum EndpointAddress: Equatable {
    /// `host` is in lower case and has its port unless that is the scheme's own.
    case host(Endpoint.Scheme, String)
    case directory(path: String)

    /// - Parameters:
    ///   - text: what the operator wrote.
    ///   - setting: where, for the error.
    /// - Throws: `EndpointError.invalid` if it is neither.
    package init(_ text: String, setting: String) throws(EndpointError) {
        guard let address = Self.parse(text) else {
            throw .invalid(
                setting: setting,
                // Before an @ there would be a user name and a password.
                value: text.utf8.contains(UInt8(ascii: "@")) ? "(not shown, since it has an @)" : text,
                expected: "a host such as firehose.eu-west-1.amazonaws.com, or a URL http://host:port, "
                    + "https://host:port or file:///directory, with nothing after it"
            )
        }
        self = address
    }

    private static func parse(_ text: String) -> EndpointAddress? {
        let scheme = text.prefix { $0 != ":" }
        guard text[scheme.endIndex...].hasPrefix("://") else { return host(.https, text[...]) }
        let rest = text[scheme.endIndex...].dropFirst("://".count)
        switch scheme.lowercased() {
        case "http": return host(.http, rest)
        case "https": return host(.https, rest)
        case "file": return directory(rest)
        default: return nil
        }
    }

    private static func directory(_ text: Substring) -> EndpointAddress? {
        let path = PercentEncoding.decode(text.utf8)
        guard path.first == UInt8(ascii: "/"), !path.contains(0) else { return nil }
        return .directory(path: String(decoding: path, as: UTF8.self))
    }

    private static func host(_ scheme: Endpoint.Scheme, _ text: Substring) -> EndpointAddress? {
        let authority = text.hasSuffix("/") ? text.dropLast() : text
        let bracket = authority.firstIndex(of: "]").map(authority.index(after:))
        let end = bracket ?? authority.firstIndex(of: ":") ?? authority.endIndex
        let name = authority[..<end]
        guard isName(name) || isIPv6(name) else { return nil }
        guard end < authority.endIndex else { return .host(scheme, name.lowercased()) }
        guard let port = port(authority[end...]) else { return nil }
        let isStandard = port == (scheme == .http ? 80 : 443)
        return .host(scheme, name.lowercased() + (isStandard ? "" : ":\(port)"))
    }

    /// The number after a colon.
    private static func port(_ text: Substring) -> UInt16? {
        let digits = text.dropFirst()
        guard text.hasPrefix(":"), digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let port = UInt16(digits), port > 0
        else { return nil }
        return port
    }

    /// Whether it can be a host name or an IPv4 address.
    private static func isName(_ name: Substring) -> Bool {
        let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return labels.allSatisfy { label in !label.isEmpty && label.allSatisfy(\.isHostByte) }
    }

    /// Whether it looks like an IPv6 address in brackets.
    private static func isIPv6(_ name: Substring) -> Bool {
        let inside = name.dropFirst().dropLast().utf8
        return name.hasPrefix("[") && name.hasSuffix("]") && inside.contains(UInt8(ascii: ":"))
            && inside.allSatisfy { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") || $0.isHexadecimalDigit }
    }
}

extension UInt8 {
    /// Whether a label of a host name may contain it; `_` occurs inside private networks.
    fileprivate var isHostByte: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    fileprivate var isHexadecimalDigit: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
