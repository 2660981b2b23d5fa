/// How a connection behaves; TLS certificates are always verified.
package struct HTTPOptions: Sendable {
    /// A PEM file of the authorities to trust instead of the system's, such as `AWS_CA_BUNDLE` names.
    package var caFile: String?

    /// What is shown to servers and proxies that want to know who calls; nil for nothing.
    package var clientCertificate: ClientCertificate?

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
        clientCertificate: ClientCertificate? = nil,
        connectTimeout: Duration = .seconds(10),
        stallTimeout: Duration = .seconds(30),
        requestTimeout: Duration? = nil,
        responseLimit: Int = 8 << 20,
        proxy: HTTPProxy = .environment
    ) {
        self.caFile = caFile
        self.clientCertificate = clientCertificate
        self.connectTimeout = connectTimeout
        self.stallTimeout = stallTimeout
        self.requestTimeout = requestTimeout
        self.responseLimit = responseLimit
        self.proxy = proxy
    }
}

/// A certificate and the key that belongs to it, in PEM files; the key has no passphrase.
package struct ClientCertificate: Sendable, Equatable {
    package var certificateFile: String
    package var keyFile: String

    package init(certificateFile: String, keyFile: String) {
        self.certificateFile = certificateFile
        self.keyFile = keyFile
    }
}
