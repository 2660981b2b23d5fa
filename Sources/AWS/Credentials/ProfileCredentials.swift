/// The keys of a profile in the files shared with other AWS tools.
///
/// They are read again once a minute and after a refusal, so keys that are rotated in the file are taken up. While a
/// file cannot be used, because it is just being written perhaps, the keys read before go on being used.
package actor SharedFileCredentials: CredentialsProvider {
    /// How long keys are used before the files are read again.
    package static let lifetime = Duration.seconds(60)

    private let files: SharedFiles
    private let now: @Sendable () -> ContinuousClock.Instant
    private var known: (credentials: Credentials, readAt: ContinuousClock.Instant)?

    /// - Parameters:
    ///   - environment: the variables that name the files and the profile.
    ///   - now: the clock, for tests.
    package init(
        environment: [String: String],
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        files = SharedFiles(environment: environment)
        self.now = now
    }

    package func credentials() throws(CredentialsError) -> Credentials {
        let instant = now()
        if let known, instant < known.readAt + Self.lifetime { return known.credentials }
        do {
            let credentials = try read()
            known = (credentials, instant)
            return credentials
        } catch {
            guard let credentials = known?.credentials else { throw error }
            known = (credentials, instant)
            return credentials
        }
    }

    package func invalidate() async {
        known = nil
    }

    private func read() throws(CredentialsError) -> Credentials {
        let profile: [String: String]?
        do {
            profile = try files.profile()
        } catch {
            throw .broken(place: files.place, reason: "\(error)")
        }
        if let profile { return try credentials(of: profile) }
        guard !files.isProfileChosen else {
            throw .broken(place: files.place, reason: "AWS_PROFILE names this profile but neither file has it")
        }
        throw .notFound(places: [files.place])
    }

    private func credentials(of profile: [String: String]) throws(CredentialsError) -> Credentials {
        try refuse(Self.sourcesBeforeKeys, in: profile)
        guard let accessKeyID = profile.setting("aws_access_key_id") else {
            try refuse(Self.sourcesAfterKeys, in: profile)
            throw .notFound(places: [files.place])
        }
        guard let secretAccessKey = profile.setting("aws_secret_access_key") else {
            throw .broken(
                place: files.place,
                reason: "aws_access_key_id is set without aws_secret_access_key; set both"
            )
        }
        return try Credentials(
            checkingAccessKeyID: accessKeyID,
            secretAccessKey: secretAccessKey,
            sessionToken: profile.setting("aws_session_token"),
            place: files.place
        )
    }

    /// Properties that say where credentials come from and win over keys in the same profile.
    private static let sourcesBeforeKeys = [
        "role_arn", "source_profile", "credential_source", "web_identity_token_file", "sso_session", "sso_start_url",
        "sso_account_id",
    ]

    /// Properties that count only in a profile without keys.
    private static let sourcesAfterKeys = ["credential_process", "login_session"]

    /// Stops at a profile that means credentials which we cannot get.
    private func refuse(_ properties: [String], in profile: [String: String]) throws(CredentialsError) {
        guard let property = properties.first(where: { profile.setting($0) != nil }) else { return }
        throw .broken(
            place: files.place,
            reason: "\(property) is not supported yet; use a profile with aws_access_key_id and aws_secret_access_key"
        )
    }
}
