import AWS

/// How the credentials of a profile come about: a base that gives some, and the roles that are assumed with them.
struct ProfileChain: Equatable, Sendable {
    /// Where the first credentials are from.
    enum Base: Equatable, Sendable {
        case keys(id: String, secret: String, token: String?)
        case environment
        case instance
        case container
        case process(command: String)
        case webIdentity(Role, tokenFile: String)
    }

    var base: Base

    /// In the order in which they are assumed.
    var roles: [Role]

    /// Why a profile means credentials but gives none.
    struct Fault: Error, Equatable, CustomStringConvertible {
        /// The profile that is to be mended.
        let profile: String
        let reason: String

        var description: String { "profile '\(profile)': \(reason)" }
    }

    /// Follows a profile to the base of its credentials.
    ///
    /// - Returns: nil if the profile is not there or says nothing of credentials.
    static func follow(_ name: String, in sections: ProfileSections) throws(Fault) -> ProfileChain? {
        var roles: [Role] = []
        var visited: [String] = []
        var next = name
        while true {
            guard let properties = sections.profile(next) else {
                guard let last = visited.last else { return nil }
                throw Fault(profile: last, reason: "its source_profile '\(next)' is in neither file")
            }
            guard !visited.contains(next) else {
                let path = (visited + [next]).joined(separator: ", ")
                throw Fault(profile: next, reason: "the source_profiles go round in a circle: \(path)")
            }
            let profile = Profile(name: next, properties: properties)
            // A source that has keys is used as it is, whatever else it says.
            if !visited.isEmpty, let keys = try profile.keys() { return ProfileChain(base: keys, roles: roles) }
            visited.append(next)
            switch try profile.origin() {
            case .none where visited.count == 1: return nil
            case .none: throw Fault(profile: next, reason: "it is a source_profile but says nothing of credentials")
            case .base(let base): return ProfileChain(base: base, roles: roles)
            case .role(let role, .base(let base)): return ProfileChain(base: base, roles: [role] + roles)
            case .role(let role, .profile(next)):
                guard let keys = try profile.keys() else {
                    throw Fault(profile: next, reason: "it is its own source_profile but has no keys")
                }
                return ProfileChain(base: keys, roles: [role] + roles)
            case .role(let role, .profile(let source)):
                roles.insert(role, at: 0)
                next = source
            }
        }
    }
}

/// Keys may be in it, so neither text nor `dump` shows the base.
extension ProfileChain: CustomStringConvertible, CustomReflectable {
    var description: String { "credentials by way of \(roles.count) roles" }

    var customMirror: Mirror { Mirror(self, children: ["roles": roles]) }
}

/// One profile, and what it says of credentials.
private struct Profile {
    let name: String
    let properties: [String: String]

    /// Where its credentials are from.
    enum Origin {
        case none
        case base(ProfileChain.Base)
        case role(Role, Source)
    }

    /// What a role is assumed with.
    enum Source {
        case base(ProfileChain.Base)
        case profile(String)
    }

    func origin() throws(ProfileChain.Fault) -> Origin {
        if let file = value("web_identity_token_file") {
            return .base(.webIdentity(try role(besides: "web_identity_token_file"), tokenFile: file))
        }
        if value("role_arn") != nil { return .role(try role(besides: "role_arn"), try source()) }
        if let property = Self.interactive.first(where: { value($0) != nil }) {
            throw needsLogin(property)
        }
        if value("credential_source") != nil { throw fault("credential_source is set without role_arn; set both") }
        if let keys = try keys() { return .base(keys) }
        if let command = value("credential_process") { return .base(.process(command: command)) }
        if value("login_session") != nil { throw needsLogin("login_session") }
        return .none
    }

    private func needsLogin(_ property: String) -> ProfileChain.Fault {
        fault(
            "\(property) needs a person to log in, which a service has none of; use a role, or another profile with "
                + "credential_process = aws configure export-credentials --profile \(name) --format process"
        )
    }

    private static let interactive = ["sso_session", "sso_start_url", "sso_account_id", "sso_role_name"]

    /// The keys that stand in it.
    func keys() throws(ProfileChain.Fault) -> ProfileChain.Base? {
        switch (value("aws_access_key_id"), value("aws_secret_access_key")) {
        case (let id?, let secret?): return .keys(id: id, secret: secret, token: value("aws_session_token"))
        case (_?, nil): throw fault("aws_access_key_id is set without aws_secret_access_key; set both")
        case (nil, _?): throw fault("aws_secret_access_key is set without aws_access_key_id; set both")
        case (nil, nil): return nil
        }
    }

    // MARK: Roles

    private func role(besides property: String) throws(ProfileChain.Fault) -> Role {
        guard let arn = value("role_arn") else { throw fault("\(property) is set without role_arn; set both") }
        if value("mfa_serial") != nil {
            throw fault("mfa_serial needs a person to type a code, which a service has none of; remove it")
        }
        var seconds: Int?
        if let text = value("duration_seconds") {
            seconds = Int(text)
            guard let seconds, (900...43_200).contains(seconds) else {
                throw fault("duration_seconds is '\(text)'; expected a number from 900 to 43200")
            }
        }
        return Role(
            arn: arn,
            sessionName: value("role_session_name"),
            externalID: value("external_id"),
            durationSeconds: seconds
        )
    }

    private func source() throws(ProfileChain.Fault) -> Source {
        switch (value("source_profile"), value("credential_source")) {
        case (let profile?, nil): return .profile(profile)
        case (nil, let name?): return .base(try named(name))
        case (nil, nil): throw fault("role_arn needs source_profile or credential_source; set one of them")
        case (_?, _?): throw fault("source_profile and credential_source exclude each other; remove one of them")
        }
    }

    private func named(_ source: String) throws(ProfileChain.Fault) -> ProfileChain.Base {
        switch source {
        case "Environment": return .environment
        case "Ec2InstanceMetadata": return .instance
        case "EcsContainer": return .container
        default:
            throw fault(
                "credential_source is '\(source)'; expected Environment, Ec2InstanceMetadata or EcsContainer"
            )
        }
    }

    private func value(_ name: String) -> String? { properties.setting(name) }

    private func fault(_ reason: String) -> ProfileChain.Fault { ProfileChain.Fault(profile: name, reason: reason) }
}
