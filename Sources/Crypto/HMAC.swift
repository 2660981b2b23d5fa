import CCrypto

/// Authenticates messages with HMAC-SHA256.
package enum HMAC {
    /// The authentication code of `message` under `key`.
    package static func code(for message: Span<UInt8>, key: Span<UInt8>) -> Digest {
        var digest = Digest(bytes: InlineArray(repeating: 0))
        var bytes = digest.bytes.mutableSpan
        unsafe bytes.withUnsafeMutableBufferPointer { output in
            unsafe key.withUnsafeBufferPointer { key in
                unsafe message.withUnsafeBufferPointer { message in
                    unsafe compute(message, key, into: output)
                }
            }
        }
        return digest
    }

    /// The corresponding C function is `HMAC`, which takes a missing key for the one of the call before.
    private static func compute(
        _ message: UnsafeBufferPointer<UInt8>,
        _ key: UnsafeBufferPointer<UInt8>,
        into output: UnsafeMutableBufferPointer<UInt8>
    ) {
        let noKey: StaticString = ""
        let keyStart = unsafe key.baseAddress ?? noKey.utf8Start
        let result = unsafe CCrypto.HMAC(
            EVP_sha256(),
            keyStart,
            CInt(key.count),
            message.baseAddress,
            message.count,
            output.baseAddress,
            nil
        )
        unsafe precondition(result != nil, "OpenSSL cannot compute HMAC-SHA256")
    }
}
