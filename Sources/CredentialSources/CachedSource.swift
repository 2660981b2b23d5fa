import AWS

/// A place whose credentials are worth keeping: what there is to ask is asked through its cache.
protocol CachedSource: CredentialsProvider {
    var cache: CredentialsCache { get }
}

extension CachedSource {
    package func credentials() async throws(CredentialsError) -> Credentials { try await cache.credentials() }

    package func invalidate() async { await cache.invalidate() }
}
