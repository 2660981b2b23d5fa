/// How a connection behaves; TLS certificates are always verified.
package struct HTTPOptions: Sendable {
    /// A PEM file of the authorities to trust instead of the system's, such as `AWS_CA_BUNDLE` names.
    package var caFile: String?

    /// How long making a connection may take, TLS included.
    package var connectTimeout: Duration

    /// How long a request may make no progress at all, in whole seconds.
    package var stallTimeout: Duration

    /// How long a request may take as a whole; nil for as long as it makes progress.
    package var requestTimeout: Duration?

    /// Bytes of the largest answer that is taken.
    package var responseLimit: Int

    package var proxy: HTTPProxy

    package init(
        caFile: String? = nil,
        connectTimeout: Duration = .seconds(10),
        stallTimeout: Duration = .seconds(30),
        requestTimeout: Duration? = nil,
        responseLimit: Int = 8 << 20,
        proxy: HTTPProxy = .environment
    ) {
        self.caFile = caFile
        self.connectTimeout = connectTimeout
        self.stallTimeout = stallTimeout
        self.requestTimeout = requestTimeout
        self.responseLimit = responseLimit
        self.proxy = proxy
    }
}
