/// Which way requests take to their server.
package enum HTTPProxy: Sendable, Equatable {
    /// As `https_proxy`, `HTTPS_PROXY`, `no_proxy` and so on say.
    case environment

    /// None, whatever the environment says.
    case direct

    /// This one, whatever the environment says.
    case server(ProxyServer)

    /// Reads what somebody wrote: a proxy, or nothing for none.
    package init(_ text: String) throws(HTTPError) {
        self = text.isEmpty ? .direct : .server(try ProxyServer(text))
    }
}

/// A proxy, and what it wants to know of its users.
package struct ProxyServer: Sendable, Equatable {
    /// Scheme, host and port.
    let url: String

    /// `user:password`, percent-encoded; nil for none.
    ///
    /// libcurl gets it apart from the rest, so that none of its messages can quote it.
    let userAndPassword: String?

    private static let schemes: Set = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]

    /// Reads `[scheme://][user[:password]@]host[:port]`; without a scheme it is `http`.
    ///
    /// - Throws: `HTTPError.unusable`, which does not show the text if it has a password.
    package init(_ text: String) throws(HTTPError) {
        guard let parts = Self.parts(of: text) else {
            let shown = text.contains("@") ? "(not shown, since it has an @)" : "“\(text)”"
            throw .unusable(
                reason: "the proxy is \(shown); expected a URL such as http://proxy.example:3128 or "
                    + "http://user:password@proxy.example:3128, with http, https, socks4, socks4a, socks5 or socks5h"
            )
        }
        url = "\(parts.scheme)://\(parts.address)"
        userAndPassword = parts.user
    }

    private static func parts(of text: String) -> (scheme: String, address: String, user: String?)? {
        var rest = text[...]
        var scheme = "http"
        if let colon = rest.firstIndex(of: ":"), rest[colon...].hasPrefix("://") {
            scheme = rest[..<colon].lowercased()
            rest = rest[colon...].dropFirst("://".count)
        }
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        let at = rest.lastIndex(of: "@")
        let address = at.map { rest[$0...].dropFirst() } ?? rest
        guard schemes.contains(scheme), isAddress(address) else { return nil }
        return (scheme, String(address), at.map { String(rest[..<$0]) })
    }

    /// Whether it is a host, an IPv6 address in brackets perhaps, with or without a port.
    private static func isAddress(_ text: Substring) -> Bool {
        let end = text.firstIndex(of: "]").map(text.index(after:)) ?? text.firstIndex(of: ":") ?? text.endIndex
        let host = text[..<end]
        let port = text[end...]
        guard !host.isEmpty, host.utf8.allSatisfy(\.isInHost) else { return false }
        return port.isEmpty || port.hasPrefix(":") && UInt16(port.dropFirst()).map { $0 > 0 } ?? false
    }
}

/// No text shows the password.
extension ProxyServer: CustomStringConvertible, CustomReflectable {
    package var description: String { url }

    package var customMirror: Mirror { Mirror(self, children: ["url": url]) }
}

extension UInt8 {
    /// Whether a host's name or address may have it.
    fileprivate var isInHost: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
            UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"):
            true
        default: false
        }
    }
}
