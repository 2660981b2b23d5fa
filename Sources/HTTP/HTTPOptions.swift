/// How a connection behaves; TLS certificates are always verified.
package struct HTTPOptions: Sendable {
    /// A PEM file of the authorities to trust instead of the system's, such as `AWS_CA_BUNDLE` names.
    package var caFile: String?

    /// How long making a connection may take, TLS included.
    package var connectTimeout: Duration

    /// How long a request may make no progress at all, in whole seconds.
    package var stallTimeout: Duration

    /// Bytes of the largest answer that is taken.
    package var responseLimit: Int

    /// Whether the proxies of the environment (`https_proxy`, `HTTPS_PROXY`, `no_proxy`, …) are used.
    package var usesProxies: Bool

    package init(
        caFile: String? = nil,
        connectTimeout: Duration = .seconds(10),
        stallTimeout: Duration = .seconds(30),
        responseLimit: Int = 8 << 20,
        usesProxies: Bool = true
    ) {
        self.caFile = caFile
        self.connectTimeout = connectTimeout
        self.stallTimeout = stallTimeout
        self.responseLimit = responseLimit
        self.usesProxies = usesProxies
    }
}
