package import AWS

/// The credentials of a profile in the files shared with other AWS tools: keys, or what the profile says gives some.
///
/// The files are read again once a minute and after a refusal, so what is changed in them is taken up. While a file cannot
/// be used, because it is just being written perhaps, what was read before goes on being used.
package actor ProfileCredentials: CredentialsProvider {
    /// How long the files are believed before they are read again.
    package static let lifetime = Duration.seconds(60)

    private let context: CredentialsContext
    private let files: SharedFiles
    private let now: @Sendable () -> ContinuousClock.Instant
    private var known: Known?

    private struct Known {
        let chain: ProfileChain
        let provider: any CredentialsProvider
        var readAt: ContinuousClock.Instant?
    }

    /// - Parameters:
    ///   - context: its variables name the files and the profile.
    ///   - now: the clock, for tests.
    package init(_ context: CredentialsContext, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.context = context
        files = SharedFiles(environment: context.environment)
        self.now = now
    }

    package func credentials() async throws(CredentialsError) -> Credentials {
        try await provider().credentials()
    }

    package func invalidate() async {
        guard let provider = known?.provider else { return }
        known?.readAt = nil
        await provider.invalidate()
    }

    /// What gives the credentials; the same as long as the files say the same.
    private func provider() throws(CredentialsError) -> any CredentialsProvider {
        let instant = now()
        if let known, let readAt = known.readAt, instant < readAt + Self.lifetime { return known.provider }
        do {
            let chain = try read()
            if known?.chain != chain {
                known = Known(chain: chain, provider: makeProvider(chain))
            }
        } catch {
            // After a refusal the files have to say something.
            guard known?.readAt != nil else { throw error }
        }
        known?.readAt = instant
        guard let provider = known?.provider else { throw .notFound(places: [files.place]) }
        return provider
    }

    private func read() throws(CredentialsError) -> ProfileChain {
        let sections: ProfileSections
        do {
            sections = try files.sections()
        } catch {
            throw .broken(place: files.place, reason: "\(error)")
        }
        do {
            if let chain = try ProfileChain.follow(files.profileName, in: sections) { return chain }
        } catch {
            throw .broken(
                place: files.place,
                reason: error.profile == files.profileName ? error.reason : "\(error)"
            )
        }
        guard sections.profile(files.profileName) != nil || !files.isProfileChosen else {
            throw .broken(place: files.place, reason: "AWS_PROFILE names this profile but neither file has it")
        }
        throw .notFound(places: [files.place])
    }

    // MARK: From what was read to what gives credentials

    private func makeProvider(_ chain: ProfileChain) -> any CredentialsProvider {
        var provider = makeProvider(chain.base)
        for role in chain.roles {
            provider = AssumedRoleCredentials(role, with: provider, place: files.place, context)
        }
        return provider
    }

    private func makeProvider(_ base: ProfileChain.Base) -> any CredentialsProvider {
        switch base {
        case .keys(let id, let secret, let token):
            GivenCredentials(accessKeyID: id, secretAccessKey: secret, sessionToken: token, place: files.place)
        case .environment: EnvironmentCredentials(environment: context.environment)
        case .instance: InstanceCredentials(context)
        case .container: ContainerCredentials(context)
        case .process(let command): ProcessCredentials(command: command, place: files.place, context)
        case .webIdentity(let role, let file):
            WebIdentityCredentials(role, tokenFile: file, place: files.place, context)
        }
    }
}
