import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AWS
@testable import CredentialSources

@Suite struct ProfileCredentialsTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var configuration: String?
        var credentials: String?
        var profile: String?
        var found: Credentials?
        var reason: String?
    }

    private static let keys = "aws_access_key_id = i\naws_secret_access_key = s\n"
    private static let login =
        "needs a person to log in, which a service has none of; use a role, or another profile with "
        + "credential_process = aws configure export-credentials --profile default --format process"

    private static func found(token: String? = nil) -> Credentials {
        Credentials(accessKeyID: "i", secretAccessKey: "s", sessionToken: token, source: "")
    }

    @Test(arguments: [
        Case(testDescription: "keys in the credentials file", credentials: "[default]\n\(keys)", found: found()),
        Case(testDescription: "keys in the configuration file", configuration: "[default]\n\(keys)", found: found()),
        Case(
            testDescription: "temporary keys, names in any case",
            credentials: "[default]\n\(keys.uppercased())AWS_SESSION_TOKEN = t",
            found: Credentials(accessKeyID: "I", secretAccessKey: "S", sessionToken: "t", source: "")
        ),
        Case(
            testDescription: "the credentials file wins",
            configuration: "[default]\naws_access_key_id = other\naws_session_token = t",
            credentials: "[default]\n\(keys)",
            found: found(token: "t")
        ),
        Case(
            testDescription: "another profile",
            configuration: "[profile work]\n\(keys)",
            credentials: "[default]\naws_access_key_id = other\naws_secret_access_key = other",
            profile: "work",
            found: found()
        ),
        Case(testDescription: "neither file"),
        Case(testDescription: "a default profile without keys", configuration: "[default]\nregion = eu-west-1"),
        Case(testDescription: "no default profile", credentials: "[work]\n\(keys)"),
        Case(
            testDescription: "a chosen profile that is missing",
            credentials: "[default]\n\(keys)",
            profile: "work",
            reason: "AWS_PROFILE names this profile but neither file has it"
        ),
        Case(
            testDescription: "an id alone",
            credentials: "[default]\naws_access_key_id = i\naws_secret_access_key =",
            reason: "aws_access_key_id is set without aws_secret_access_key; set both"
        ),
        Case(
            testDescription: "a key with a second line",
            credentials: "[default]\naws_access_key_id = i\n  j\naws_secret_access_key = s",
            reason:
                "the access key id contains a blank, a line break or another character that no key has; copy it again"
        ),
        Case(
            testDescription: "a role, beside keys",
            credentials: "[default]\n\(keys)role_arn = arn:aws:iam::1:role/r",
            reason: "role_arn needs source_profile or credential_source; set one of them"
        ),
        Case(
            testDescription: "single sign-on, in the other file",
            configuration: "[default]\nsso_session = s",
            credentials: "[default]\n\(keys)",
            reason: "sso_session \(login)"
        ),
        Case(
            testDescription: "a login of a person",
            configuration: "[default]\nlogin_session = s",
            reason: "login_session \(login)"
        ),
        Case(
            testDescription: "a secret alone",
            credentials: "[default]\naws_secret_access_key = s",
            reason: "aws_secret_access_key is set without aws_access_key_id; set both"
        ),
        Case(
            testDescription: "a code that a person types",
            configuration: "[default]\nrole_arn = r\nsource_profile = default\nmfa_serial = m",
            reason: "mfa_serial needs a person to type a code, which a service has none of; remove it"
        ),
        Case(
            testDescription: "a length that STS does not give",
            configuration: "[default]\nrole_arn = r\nsource_profile = default\nduration_seconds = 60",
            reason: "duration_seconds is '60'; expected a number from 900 to 43200"
        ),
        Case(
            testDescription: "a source that is none",
            configuration: "[default]\nrole_arn = r\ncredential_source = Moon",
            reason: "credential_source is 'Moon'; expected Environment, Ec2InstanceMetadata or EcsContainer"
        ),
        Case(
            testDescription: "a fault in another profile",
            configuration: "[default]\nrole_arn = r\nsource_profile = other\n[profile other]",
            reason: "profile 'other': it is a source_profile but says nothing of credentials"
        ),
        Case(
            testDescription: "a process, beside keys",
            configuration: "[default]\ncredential_process = /bin/keys",
            credentials: "[default]\n\(keys)",
            found: found()
        ),
    ])
    func `a profile's keys`(example: Case) async throws {
        let home = try TemporaryHome(configuration: example.configuration, credentials: example.credentials)
        var environment = home.environment
        environment["AWS_PROFILE"] = example.profile
        let place = SharedFiles(environment: environment).place
        let provider = ProfileCredentials(CredentialsContext(environment: environment))
        if var expected = example.found {
            expected.source = place
            #expect(try await provider.credentials() == expected)
        } else if let reason = example.reason {
            await #expect(throws: CredentialsError.broken(place: place, reason: reason)) {
                try await provider.credentials()
            }
        } else {
            await #expect(throws: CredentialsError.notFound(places: [place])) { try await provider.credentials() }
        }
    }

    @Test func `a file that breaks the grammar is named with its line`() async throws {
        let home = try TemporaryHome(credentials: "[default]\noops")
        let path = home.url.appending(path: ".aws/credentials").path
        let error = await #expect(throws: CredentialsError.self) {
            try await ProfileCredentials(CredentialsContext(environment: home.environment)).credentials()
        }
        #expect(error.map { "\($0)" }?.hasSuffix("\(path), line 2: there is no '='; write name = value") == true)
    }

    @Test func `a file that cannot be read is an error, not an empty one`() async throws {
        let home = try TemporaryHome()
        try FileManager.default.createDirectory(
            at: home.url.appending(path: ".aws/credentials"),
            withIntermediateDirectories: false
        )
        let error = await #expect(throws: CredentialsError.self) {
            try await ProfileCredentials(CredentialsContext(environment: home.environment)).credentials()
        }
        #expect(error.map { "\($0)" }?.contains("/.aws/credentials: cannot be read: Is a directory; make it") == true)
    }

    // MARK: Keys that change

    /// A provider over a credentials file, and the time it believes.
    private struct Rotation {
        let home: TemporaryHome
        let clock = Clock()
        let provider: ProfileCredentials

        final class Clock: Sendable {
            let now = Mutex(ContinuousClock.now)

            func advance(by duration: Duration) {
                now.withLock { $0 += duration }
            }
        }

        init() throws {
            home = try TemporaryHome()
            provider = ProfileCredentials(CredentialsContext(environment: home.environment)) { [clock] in
                clock.now.withLock { $0 }
            }
        }

        func write(_ id: String) throws {
            try home.write("[default]\naws_access_key_id = \(id)\naws_secret_access_key = s", to: "credentials")
        }

        func id() async throws -> String { try await provider.credentials().accessKeyID }
    }

    @Test func `keys are read again after a minute`() async throws {
        let rotation = try Rotation()
        try rotation.write("old")
        #expect(try await rotation.id() == "old")
        try rotation.write("new")
        rotation.clock.advance(by: .milliseconds(59_999))
        #expect(try await rotation.id() == "old")
        rotation.clock.advance(by: .milliseconds(1))
        #expect(try await rotation.id() == "new")
    }

    @Test func `keys are read again when they were refused`() async throws {
        let rotation = try Rotation()
        try rotation.write("old")
        #expect(try await rotation.id() == "old")
        try rotation.write("new")
        await CredentialsChain([rotation.provider]).invalidate()
        #expect(try await rotation.id() == "new")
    }

    @Test func `keys go on being used while the file cannot be`() async throws {
        let rotation = try Rotation()
        try rotation.write("old")
        #expect(try await rotation.id() == "old")
        try rotation.home.write("[default", to: "credentials")
        rotation.clock.advance(by: .seconds(60))
        #expect(try await rotation.id() == "old")
        try rotation.home.remove("credentials")
        rotation.clock.advance(by: .seconds(60))
        #expect(try await rotation.id() == "old")
        await rotation.provider.invalidate()
        await #expect(throws: CredentialsError.self) { try await rotation.id() }
    }

    @Test func `keys that appear later are found at once`() async throws {
        let rotation = try Rotation()
        await #expect(throws: CredentialsError.self) { try await rotation.id() }
        try rotation.write("new")
        #expect(try await rotation.id() == "new")
    }
}
