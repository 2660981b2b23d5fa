import TestSupport
import Testing

@testable import AWS
@testable import CredentialSources

/// Where the credentials of a profile come from, as the SDKs agree on it.
@Suite struct ProfileChainTests {
    struct SharedCase: Decodable, Sendable, CustomTestStringConvertible {
        struct Input: Decodable, Sendable {
            var profiles: [String: [String: String]]
            var selected_profile: String
        }

        struct Output: Decodable, Sendable {
            var ProfileChain: [Link]?
            var Error: String?
        }

        struct Link: Decodable, Sendable, Equatable {
            var AccessKey: [String: String]?
            var AssumeRole: [String: String]?
            var WebIdentityToken: [String: String]?
            var NamedSource: String?
            var Sso: [String: String]?
        }

        var docs: String
        var input: Input
        var output: Output

        var testDescription: String { docs }
    }

    static let sharedCases = (try? Vectors.json("profiles/assume-role-tests.json", as: [SharedCase].self)) ?? []

    @Test(.enabled(if: Vectors.areThere, "\(Vectors.absence)")) func `all shared cases are there`() {
        #expect(Self.sharedCases.count == 28)
    }

    /// Where the SDKs go on to single sign-on, this refuses with advice.
    @Test(.enabled(if: Vectors.areThere, "\(Vectors.absence)"), arguments: sharedCases)
    func `follows profiles as the SDKs do`(example: SharedCase) throws {
        var sections = ProfileSections()
        for (name, properties) in example.input.profiles {
            sections.open(.profile(name))
            for (property, value) in properties { sections.set(property, to: value, in: .profile(name)) }
        }
        let outcome = Result { () throws(ProfileChain.Fault) in
            try ProfileChain.follow(example.input.selected_profile, in: sections)
        }
        guard let links = example.output.ProfileChain else {
            if case .success(let chain) = outcome { #expect(chain == nil, "it is to be an error, or nothing") }
            return
        }
        guard links.first?.Sso == nil else {
            let fault = #expect(throws: ProfileChain.Fault.self) { try outcome.get() }
            #expect(fault?.reason.contains("needs a person to log in") == true)
            return
        }
        let chain = try #require(try outcome.get())
        let expected = links.map { link in
            var link = link
            link.AccessKey?["account_id"] = nil
            return link
        }
        #expect(Self.links(of: chain) == expected)
    }

    private static func links(of chain: ProfileChain) -> [SharedCase.Link] {
        let base =
            switch chain.base {
            case .keys(let id, let secret, _):
                SharedCase.Link(AccessKey: ["access_key_id": id, "secret_access_key": secret])
            case .environment: SharedCase.Link(NamedSource: "Environment")
            case .instance: SharedCase.Link(NamedSource: "Ec2InstanceMetadata")
            case .container: SharedCase.Link(NamedSource: "EcsContainer")
            case .process: SharedCase.Link()
            case .webIdentity(let role, let file):
                SharedCase.Link(
                    WebIdentityToken: fields(of: role).merging(["web_identity_token_file": file]) { $1 }
                )
            }
        return [base] + chain.roles.map { SharedCase.Link(AssumeRole: fields(of: $0)) }
    }

    private static func fields(of role: Role) -> [String: String] {
        var fields = ["role_arn": role.arn]
        fields["role_session_name"] = role.sessionName
        fields["external_id"] = role.externalID
        return fields
    }

    // MARK: Our own

    @Test func `neither a fault nor a dump of a chain shows a secret`() throws {
        var sections = ProfileSections()
        sections.set("aws_secret_access_key", to: "hush", in: .profile("a"))
        let fault = #expect(throws: ProfileChain.Fault.self) { try ProfileChain.follow("a", in: sections) }
        sections.set("aws_access_key_id", to: "id", in: .profile("a"))
        let chain = try ProfileChain.follow("a", in: sections)
        var dumped = ""
        dump(fault, to: &dumped)
        dump(chain, to: &dumped)
        #expect(!"\(dumped) \(String(describing: chain)) \(String(reflecting: chain))".contains("hush"))
    }

    @Test(arguments: ["a", "a b", "a b c"])
    func `a circle of sources ends, and is shown`(names: String) throws {
        let profiles = names.split(separator: " ").map(String.init)
        var sections = ProfileSections()
        for (index, name) in profiles.enumerated() {
            sections.set("role_arn", to: "arn:aws:iam::1:role/\(name)", in: .profile(name))
            sections.set("source_profile", to: profiles[(index + 1) % profiles.count], in: .profile(name))
        }
        let fault = #expect(throws: ProfileChain.Fault.self) { try ProfileChain.follow("a", in: sections) }
        let isAlone = profiles.count == 1
        #expect(
            fault?.reason.hasPrefix(isAlone ? "it is its own" : "the source_profiles go round in a circle: a") == true
        )
    }
}
