import AWS
import HTTP
import Platform

/// What the sources of credentials have in common that reach beyond this process's own variables.
package struct CredentialsContext: Sendable {
    /// The variables of the process.
    var environment: [String: String]

    /// What asks metadata services and STS.
    var client: any WebClient

    /// The region of STS; nil for that of the environment or the profile.
    var region: String?

    /// An endpoint in place of Amazon's for STS; nil for the one that the environment and the profile say.
    var stsEndpoint: String?

    /// The time since 1970, UTC.
    var now: @Sendable () -> Duration

    package init(
        environment: [String: String],
        client: (any WebClient)? = nil,
        region: String? = nil,
        stsEndpoint: String? = nil,
        now: @escaping @Sendable () -> Duration = { WallClock.now() }
    ) {
        self.environment = environment
        self.client = client ?? NetworkClient(HTTPOptions(caFile: SharedSettings.caFile(environment)))
        self.region = region?.trimmedSetting
        self.stsEndpoint = stsEndpoint?.trimmedSetting
        self.now = now
    }
}

/// The variables may hold secrets, so neither text nor `dump` shows them.
extension CredentialsContext: CustomStringConvertible, CustomReflectable {
    package var description: String { "what sources of credentials have in common" }

    package var customMirror: Mirror {
        Mirror(self, children: ["region": region as Any, "stsEndpoint": stsEndpoint as Any])
    }
}

extension CredentialsContext {
    /// Keeps what a source gives until shortly before it expires.
    ///
    /// `undatedLife` is how long credentials are kept of which the source does not say when they expire.
    func cache(
        keepingUndatedFor undatedLife: Duration,
        of source: @escaping CredentialsCache.Source
    ) -> CredentialsCache {
        CredentialsCache(now: now, keepingUndatedFor: undatedLife, of: source)
    }
}
