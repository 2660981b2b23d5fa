/// What a signature covers of an HTTP request.
package struct SignableRequest: Sendable {
    /// A header field.
    package struct Header: Sendable, Equatable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package var method: String

    /// The path as it is sent.
    package var path: String

    /// What follows `?`, as it is sent; empty for none.
    package var query: String

    /// The headers to sign, `Host` among them, exactly as they are sent.
    package var headers: [Header]

    /// SHA-256 of the body, as 64 lower-case hexadecimal digits.
    package var payloadHash: String

    package init(
        method: String = "POST",
        path: String = "/",
        query: String = "",
        headers: [Header],
        payloadHash: String
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.payloadHash = payloadHash
    }
}
