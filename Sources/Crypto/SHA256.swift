import CCrypto

/// Hashes bytes that come in pieces with SHA-256, and starts over after each hash.
///
/// Its state is allocated once and serves for every hash that follows.
@safe
package struct SHA256: ~Copyable {
    private let context: OpaquePointer

    package init() {
        guard let context = unsafe EVP_MD_CTX_new() else { preconditionFailure("no memory for a hash") }
        unsafe self.context = unsafe context
        expectSuccess(unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil))
    }

    deinit {
        unsafe EVP_MD_CTX_free(context)
    }

    /// Adds bytes to what is hashed.
    package mutating func update(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { buffer in
            expectSuccess(unsafe EVP_DigestUpdate(context, buffer.baseAddress, buffer.count))
        }
    }

    /// The hash of all bytes since the last one; what comes next belongs to another hash.
    package mutating func finish() -> Digest {
        var digest = Digest(bytes: InlineArray(repeating: 0))
        var bytes = digest.bytes.mutableSpan
        unsafe bytes.withUnsafeMutableBufferPointer { buffer in
            expectSuccess(unsafe EVP_DigestFinal_ex(context, buffer.baseAddress, nil))
        }
        expectSuccess(unsafe EVP_DigestInit_ex(context, nil, nil))
        return digest
    }

    /// The hash of bytes that are all there.
    package static func hash(of bytes: Span<UInt8>) -> Digest {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finish()
    }
}

/// Stops the program where OpenSSL reports a failure.
///
/// A hash over bytes in memory fails only without memory or without a working OpenSSL.
func expectSuccess(_ status: CInt) {
    precondition(status == 1, "OpenSSL cannot compute SHA-256")
}
