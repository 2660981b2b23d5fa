package import AWS

/// The credentials of a role that is assumed with others.
package struct AssumedRoleCredentials: CachedSource {
    private let base: any CredentialsProvider
    let cache: CredentialsCache

    /// Assumes a role with the credentials of `base`; `place` is the setting that says so, for messages.
    package init(_ role: Role, with base: any CredentialsProvider, place: String, _ context: CredentialsContext) {
        self.base = base
        cache = context.cache(keepingUndatedFor: .seconds(900)) { () throws(CredentialsError) in
            try await Self.assume(role, with: base, place: place, context)
        }
    }

    /// Assumes the role; the credentials that it is assumed with are asked for anew only once STS refuses them.
    private static func assume(
        _ role: Role,
        with base: any CredentialsProvider,
        place: String,
        _ context: CredentialsContext
    ) async throws(CredentialsError) -> Credentials {
        let service = SecurityTokenService(context)
        let place = "role \(role.arn) of \(place)"
        var hasRefreshed = false
        while true {
            let keys = try await keys(of: base, place: place)
            do {
                return try await service.assume(role, with: keys, place: place)
            } catch {
                guard error.isAboutKeys, !hasRefreshed else { throw .broken(place: place, reason: "\(error)") }
                hasRefreshed = true
                await base.invalidate()
            }
        }
    }

    private static func keys(
        of base: any CredentialsProvider,
        place: String
    ) async throws(CredentialsError) -> Credentials {
        do {
            return try await base.credentials()
        } catch {
            guard case .notFound(let places) = error else { throw error }
            let list = places.isEmpty ? "" : ": looked for \(places.joined(separator: ", then "))"
            throw .broken(place: place, reason: "there are no credentials to assume it with\(list)")
        }
    }
}
