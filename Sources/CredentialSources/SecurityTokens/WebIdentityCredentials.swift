package import AWS

/// The credentials of a role that is assumed with a token of an identity provider, as in EKS (IRSA).
///
/// The token is read from its file each time, since Kubernetes writes a new one before the old one expires.
package struct WebIdentityCredentials: CachedSource {
    let cache: CredentialsCache

    /// Assumes a role with the token in a file; `place` is the setting that says so, for messages.
    package init(_ role: Role, tokenFile: String, place: String, _ context: CredentialsContext) {
        let file = TokenFile(path: tokenFile, setting: "web_identity_token_file or AWS_WEB_IDENTITY_TOKEN_FILE")
        cache = context.cache(keepingUndatedFor: .seconds(900)) { () throws(CredentialsError) in
            let token = try file.read()
            let place = "role \(role.arn) of \(place)"
            do {
                return try await SecurityTokenService(context).assume(role, withToken: token, place: place)
            } catch {
                throw .broken(place: place, reason: "\(error)")
            }
        }
    }

    /// What `AWS_WEB_IDENTITY_TOKEN_FILE`, `AWS_ROLE_ARN` and `AWS_ROLE_SESSION_NAME` say.
    package static func ofEnvironment(_ context: CredentialsContext) -> any CredentialsProvider {
        let variable = "AWS_WEB_IDENTITY_TOKEN_FILE"
        guard let file = context.environment.setting(variable) else {
            return SettledCredentials(.notFound(places: ["\(variable) in the environment"]))
        }
        guard let arn = context.environment.setting("AWS_ROLE_ARN") else {
            return SettledCredentials(
                .broken(place: "the environment", reason: "\(variable) is set without AWS_ROLE_ARN; set both")
            )
        }
        let role = Role(arn: arn, sessionName: context.environment.setting("AWS_ROLE_SESSION_NAME"))
        return WebIdentityCredentials(role, tokenFile: file, place: "AWS_ROLE_ARN in the environment", context)
    }
}

/// A place of which it is settled that it gives nothing.
struct SettledCredentials: CredentialsProvider {
    private let error: CredentialsError

    init(_ error: CredentialsError) {
        self.error = error
    }

    func credentials() throws(CredentialsError) -> Credentials { throw error }
}
