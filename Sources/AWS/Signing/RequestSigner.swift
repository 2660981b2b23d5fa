import Crypto

/// Signs requests to one service in one region with AWS Signature Version 4.
///
/// It keeps the key derived from the day and the secret, so a signature costs one HMAC where deriving costs four more.
package struct RequestSigner: Sendable {
    private static let algorithm = "AWS4-HMAC-SHA256"

    /// A derived key and what it was derived from.
    private struct DerivedKey {
        let day: String
        let credentials: Credentials
        let key: Digest
    }

    private let region: String
    private let service: String
    private let normalizesPath: Bool
    private var derivedKey: DerivedKey?

    /// - Parameters:
    ///   - region: the region in the signature, such as `eu-west-1`.
    ///   - service: the service's name in the signature.
    ///   - normalizesPath: false only for S3, which takes paths as they are.
    package init(region: String, service: String = "firehose", normalizesPath: Bool = true) {
        self.region = region
        self.service = service
        self.normalizesPath = normalizesPath
    }

    /// Signs a request.
    ///
    /// - Parameters:
    ///   - request: its headers must be sent as they stand there.
    ///   - credentials: what to sign with.
    ///   - unixSeconds: the time at the service, which refuses one that is more than minutes off.
    /// - Returns: the headers to send in addition: `X-Amz-Date`, `X-Amz-Security-Token` with temporary credentials,
    ///   and `Authorization`.
    package mutating func sign(
        _ request: SignableRequest,
        with credentials: Credentials,
        at unixSeconds: Int
    ) -> [SignableRequest.Header] {
        let date = SigningDate(unixSeconds: unixSeconds)
        var added = [SignableRequest.Header("X-Amz-Date", date.text)]
        if let token = credentials.sessionToken { added.append(.init("X-Amz-Security-Token", token)) }

        var complete = request
        complete.headers += added
        let canonical = CanonicalRequest(complete, normalizingPath: normalizesPath)
        let signature = signature(of: stringToSign(canonical, at: date), with: credentials, on: date.day)
        let authorization =
            "\(Self.algorithm) Credential=\(credentials.accessKeyID)/\(scope(on: date.day)), "
            + "SignedHeaders=\(canonical.signedHeaders), Signature=\(signature)"
        return added + [.init("Authorization", authorization)]
    }

    /// What the signature is computed over.
    func stringToSign(_ request: CanonicalRequest, at date: SigningDate) -> String {
        """
        \(Self.algorithm)
        \(date.text)
        \(scope(on: date.day))
        \(SHA256.hash(of: request.text.utf8.span).hex)
        """
    }

    /// The signature, as lower-case hexadecimal digits.
    mutating func signature(of stringToSign: String, with credentials: Credentials, on day: String) -> String {
        let key = key(for: credentials, on: day)
        return HMAC.code(for: stringToSign.utf8.span, key: key.bytes.span).hex
    }

    /// What a signature is good for.
    private func scope(on day: String) -> String {
        "\(day)/\(region)/\(service)/aws4_request"
    }

    /// The derived key, from memory if it is still the right one.
    private mutating func key(for credentials: Credentials, on day: String) -> Digest {
        if let derivedKey, derivedKey.day == day, derivedKey.credentials == credentials { return derivedKey.key }
        let secret = "AWS4" + credentials.secretAccessKey
        var key = HMAC.code(for: day.utf8.span, key: secret.utf8.span)
        for part in [region, service, "aws4_request"] {
            key = HMAC.code(for: part.utf8.span, key: key.bytes.span)
        }
        derivedKey = DerivedKey(day: day, credentials: credentials, key: key)
        return key
    }
}

/// Neither text nor `dump` shows the key.
extension RequestSigner: CustomStringConvertible, CustomReflectable {
    package var description: String { "signer for \(service) in \(region)" }

    package var customMirror: Mirror { Mirror(self, children: ["service": service, "region": region]) }
}
