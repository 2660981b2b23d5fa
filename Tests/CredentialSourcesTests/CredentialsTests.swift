import TestSupport
import Testing

@testable import AWS
@testable import CredentialSources

@Suite struct CredentialsTests {
    static let secrets = Credentials(
        accessKeyID: "AKIDEXAMPLE",
        secretAccessKey: "hush",
        sessionToken: "hist",
        source: "a test"
    )

    @Test func `no text shows a secret`() {
        var dumped = ""
        dump(Self.secrets, to: &dumped)
        dump([Self.secrets], to: &dumped)
        var signer = RequestSigner(region: "eu-west-1")
        _ = signer.sign(SignableRequest(headers: [], payloadHash: ""), with: Self.secrets, at: 0)
        dump(signer, to: &dumped)
        dump(ConfiguredCredentials(accessKeyID: "id", secretAccessKey: "hush"), to: &dumped)
        dump(
            EnvironmentCredentials(environment: [
                "AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "hush", "AWS_SESSION_TOKEN": "hist",
            ]),
            to: &dumped
        )
        let text =
            "\(Self.secrets) \(String(reflecting: Self.secrets)) \(signer) \(String(reflecting: signer)) \(dumped)"
        #expect(!text.contains("hush"))
        #expect(!text.contains("hist"))
        #expect("\(Self.secrets)" == "AKIDEXAMPLE (temporary) from a test")
    }

    /// What a provider answers, in short: `id/secret/token`, or the kind of error.
    private func outcome(_ provider: some CredentialsProvider) async -> String {
        do {
            let found = try await provider.credentials()
            let parts = [found.accessKeyID, found.secretAccessKey, found.sessionToken]
            return parts.compactMap(\.self).joined(separator: "/")
        } catch {
            switch error {
            case .notFound: return "not found"
            case .broken(_, let reason): return "broken: \(reason)"
            }
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var input: [String: String]
        var expected: String

        init(_ testDescription: String, _ input: [String: String], _ expected: String) {
            self.testDescription = testDescription
            self.input = input
            self.expected = expected
        }
    }

    @Test(arguments: [
        Case("both", ["id": "i", "secret": "s"], "i/s"),
        Case("blanks around", ["id": " i", "secret": "s\n"], "i/s"),
        Case("neither", [:], "not found"),
        Case("both blank", ["id": "", "secret": " "], "not found"),
        Case("no secret", ["id": "i"], "broken: awsSecretAccessKey is missing; set both or neither"),
        Case("no id", ["secret": "s"], "broken: awsAccessKeyId is missing; set both or neither"),
    ])
    func `the configuration has both keys or neither`(example: Case) async {
        let provider = ConfiguredCredentials(
            accessKeyID: example.input["id"],
            secretAccessKey: example.input["secret"]
        )
        #expect(await outcome(provider) == example.expected)
    }

    @Test(arguments: [
        Case("keys", ["AWS_ACCESS_KEY_ID": "i", "AWS_SECRET_ACCESS_KEY": "s"], "i/s"),
        Case(
            "temporary keys",
            ["AWS_ACCESS_KEY_ID": "i", "AWS_SECRET_ACCESS_KEY": "s", "AWS_SESSION_TOKEN": "t"],
            "i/s/t"
        ),
        Case(
            "the old name of the token",
            ["AWS_ACCESS_KEY_ID": "i", "AWS_SECRET_ACCESS_KEY": "s", "AWS_SECURITY_TOKEN": "t"],
            "i/s/t"
        ),
        Case(
            "a blank token",
            ["AWS_ACCESS_KEY_ID": " i\t", "AWS_SECRET_ACCESS_KEY": "s\r\n", "AWS_SESSION_TOKEN": "  "],
            "i/s"
        ),
        Case("nothing", [:], "not found"),
        Case("blank", ["AWS_ACCESS_KEY_ID": " ", "AWS_SECRET_ACCESS_KEY": " "], "not found"),
        Case("a secret alone", ["AWS_SECRET_ACCESS_KEY": "s"], "not found"),
        Case(
            "an id alone",
            ["AWS_ACCESS_KEY_ID": "i", "AWS_SECRET_ACCESS_KEY": ""],
            "broken: AWS_ACCESS_KEY_ID is set without AWS_SECRET_ACCESS_KEY; set both"
        ),
        Case(
            "a line break inside",
            ["AWS_ACCESS_KEY_ID": "i", "AWS_SECRET_ACCESS_KEY": "s", "AWS_SESSION_TOKEN": "t\r\nX-Evil: 1"],
            "broken: the session token contains a blank, a line break or another character that no key has; "
                + "copy it again"
        ),
    ])
    func `the environment's keys`(example: Case) async {
        #expect(await outcome(EnvironmentCredentials(environment: example.input)) == example.expected)
    }

    @Test func `the chain prefers the configuration, then the environment, then the files`() async throws {
        let home = try TemporaryHome(credentials: "[default]\naws_access_key_id = f\naws_secret_access_key = s")
        let variables = ["AWS_ACCESS_KEY_ID": "e", "AWS_SECRET_ACCESS_KEY": "s"]
        let both = home.environment.merging(variables) { $1 }
        #expect(
            await outcome(
                CredentialsChain(accessKeyID: "c", secretAccessKey: "s", CredentialsContext(environment: both))
            ) == "c/s"
        )
        #expect(await outcome(CredentialsChain(CredentialsContext(environment: both))) == "e/s")
        #expect(await outcome(CredentialsChain(CredentialsContext(environment: home.environment))) == "f/s")
    }

    @Test func `what is configured but broken ends the chain`() async throws {
        let home = try TemporaryHome(credentials: "[default]\naws_access_key_id = f\naws_secret_access_key = s")
        let environment = home.environment.merging(["AWS_ACCESS_KEY_ID": "e"]) { $1 }
        await #expect(
            throws: CredentialsError.broken(
                place: "the environment",
                reason: "AWS_ACCESS_KEY_ID is set without AWS_SECRET_ACCESS_KEY; set both"
            )
        ) { try await CredentialsChain(CredentialsContext(environment: environment)).credentials() }
    }

    @Test func `the chain says where it looked`() async {
        let environment = ["HOME": "/nowhere", "AWS_EC2_METADATA_DISABLED": "true"]
        let error = await #expect(throws: CredentialsError.self) {
            try await CredentialsChain(CredentialsContext(environment: environment)).credentials()
        }
        #expect(
            error.map { "\($0)" } == """
                no AWS credentials: looked for awsAccessKeyId and awsSecretAccessKey of the configuration, \
                then AWS_ACCESS_KEY_ID in the environment, \
                then profile 'default' in /nowhere/.aws/credentials and /nowhere/.aws/config, \
                then AWS_WEB_IDENTITY_TOKEN_FILE in the environment, \
                then AWS_CONTAINER_CREDENTIALS_RELATIVE_URI or AWS_CONTAINER_CREDENTIALS_FULL_URI in the environment; \
                set one of them
                """
        )
    }
}
