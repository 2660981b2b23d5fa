import AWS
import CredentialSources
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AmplifyFirehoseClient

@Suite(.timeLimit(.minutes(1))) struct APICredentialsTests {
    private struct Keys: AWSCredentials {
        var accessKeyId = "AKKEYS"
        var secretAccessKey = "hush"
    }

    private struct SessionKeys: AWSSessionCredentials {
        var accessKeyId = "AKSESSION"
        var secretAccessKey = "hush"
        var sessionToken = "token"
    }

    private struct TemporaryKeys: AWSTemporaryCredentials {
        var accessKeyId = "AKTEMPORARY"
        var secretAccessKey = "hush"
        var sessionToken: String
        var expiration: Date
    }

    /// A provider as a program writes one.
    private final class Provider: AWSCredentialsProvider {
        private let count = Mutex(0)
        private let give: @Sendable (Int) throws -> any AWSCredentials

        init(_ give: @escaping @Sendable (Int) throws -> any AWSCredentials) {
            self.give = give
        }

        var askedCount: Int { count.withLock { $0 } }

        func resolve() async throws -> any AWSCredentials {
            let number = count.withLock { count in
                count += 1
                return count
            }
            return try give(number)
        }
    }

    private func scene(_ provider: any AWSCredentialsProvider) throws -> APIScene {
        try APIScene { $0.credentialsProvider = provider }
    }

    private func tokens(_ scene: APIScene) -> [String?] {
        scene.service.requests.map { $0.headers["x-amz-security-token"] }
    }

    @Test func `keys without a session are asked for before each request`() async throws {
        let provider = Provider { _ in Keys() }
        let scene = try scene(provider)
        for _ in 0..<3 { _ = try await scene.client.listDeliveryStreams() }
        #expect(provider.askedCount == 3)
        #expect(tokens(scene) == [nil, nil, nil])
        #expect(scene.service.requests[0].headers["authorization"]?.contains("Credential=AKKEYS/") == true)
    }

    @Test func `keys of a session that does not say when it ends`() async throws {
        let provider = Provider { _ in SessionKeys() }
        let scene = try scene(provider)
        for _ in 0..<2 { _ = try await scene.client.listDeliveryStreams() }
        #expect(provider.askedCount == 2)
        #expect(tokens(scene) == ["token", "token"])
    }

    @Test(arguments: [3600, 1e15, .infinity])
    func `temporary keys are asked for once, and once more when they are refused`(life: TimeInterval) async throws {
        let provider = Provider {
            TemporaryKeys(sessionToken: "token\($0)", expiration: Date(timeIntervalSinceNow: life))
        }
        let scene = try scene(provider)
        let isKept = life == 3600
        for _ in 0..<3 { _ = try await scene.client.listDeliveryStreams() }
        #expect(provider.askedCount == (isKept ? 1 : 3), "what never expires is left to its provider")
        scene.service.enqueue(.fail(status: 403, code: "ExpiredTokenException"))
        _ = try await scene.client.listDeliveryStreams()
        #expect(provider.askedCount == (isKept ? 2 : 5))
        #expect(tokens(scene).last == "token\(provider.askedCount)")
    }

    private enum Silent: Error { case lost(secret: String) }

    private struct Telling: Error, CustomStringConvertible {
        let description = "the vault is sealed"
    }

    @Test func `what a provider throws is told, but never what an error merely holds`() async throws {
        let telling = try scene(Provider { _ in throw Telling() })
        await #expect(
            throws: FirehoseClientError.credentials(
                "the AWS credentials in the given credentials provider cannot be used: the vault is sealed"
            )
        ) { try await telling.client.listDeliveryStreams() }
        let silent = try scene(Provider { _ in throw Silent.lost(secret: "hush") })
        let error = await #expect(throws: FirehoseClientError.self) { try await silent.client.listDeliveryStreams() }
        let text = try #require(error?.description)
        #expect(text.contains("Silent") && !text.contains("hush"))
        #expect(silent.service.requests.isEmpty)
    }

    @Test(arguments: [("", "hush", ""), ("id", "", ""), ("id", "hu\nsh", ""), ("id", "hush", "to ken")])
    func `keys that cannot be keys are refused without showing them`(id: String, secret: String, token: String)
        async throws
    {
        let scene = try scene(StaticCredentialsProvider(accessKeyId: id, secretAccessKey: secret, sessionToken: token))
        let error = await #expect(throws: FirehoseClientError.self) { try await scene.client.listDeliveryStreams() }
        guard case .credentials(let text) = error else {
            Issue.record("expected credentials, not \(String(describing: error))")
            return
        }
        #expect(text.contains("the given keys") && !text.contains("hush") && !text.contains("to ken"))
    }

    @Test func `the built-in providers give what they find`() async throws {
        let directory = try TemporaryDirectory()
        try directory.append(
            "[default]\naws_access_key_id=d\naws_secret_access_key=s\n[p]\naws_access_key_id=p\n"
                + "aws_secret_access_key=s\naws_session_token=t\n",
            to: "credentials"
        )
        let files = ["AWS_SHARED_CREDENTIALS_FILE": directory.path("credentials"), "AWS_CONFIG_FILE": "/nowhere"]
        let variables = ["AWS_ACCESS_KEY_ID": "e", "AWS_SECRET_ACCESS_KEY": "s"]
        func id(_ provider: some AWSCredentialsProvider) async throws -> String {
            try await provider.resolve().accessKeyId
        }
        #expect(try await id(StaticCredentialsProvider(accessKeyId: "i", secretAccessKey: "s")) == "i")
        #expect(try await id(EnvironmentCredentialsProvider(environment: variables)) == "e")
        #expect(try await id(ProfileCredentialsProvider(profileName: nil, environment: files)) == "d")
        #expect(try await id(ProfileCredentialsProvider(profileName: "p", environment: files)) == "p")
        #expect(try await id(DefaultCredentialsProvider(environment: files)) == "d")
        #expect(try await id(DefaultCredentialsProvider(environment: files.merging(variables) { $1 })) == "e")
        let session = try await ProfileCredentialsProvider(profileName: "p", environment: files).resolve()
        #expect((session as? any AWSSessionCredentials)?.sessionToken == "t")
        await #expect(throws: FirehoseClientError.self) {
            try await ProfileCredentialsProvider(profileName: "q", environment: files).resolve()
        }
        await #expect(throws: FirehoseClientError.self) {
            try await EnvironmentCredentialsProvider(environment: [:]).resolve()
        }
    }

    /// A container's service and STS in one.
    private func credentialsService() throws -> LoopbackServer {
        try LoopbackServer { connection in
            while let request = connection.readRequest() {
                let keys =
                    #"{"AccessKeyId": "C", "SecretAccessKey": "hush", "Token": "t", "Expiration": "2099-01-01T00:00:00Z"}"#
                let role = """
                    <r><Credentials><AccessKeyId>R</AccessKeyId><SecretAccessKey>hush</SecretAccessKey>
                    <SessionToken>t</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></r>
                    """
                let body = request.line.hasPrefix("GET") ? keys : role
                connection.write(Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))
            }
        }
    }

    @Test func `providers that ask others give credentials that end`() async throws {
        let service = try credentialsService()
        let directory = try TemporaryDirectory()
        try directory.append("jwt", to: "token")
        let context = CredentialsContext(
            environment: [
                "AWS_CONTAINER_CREDENTIALS_FULL_URI": "\(service.url)/c", "AWS_ROLE_ARN": "arn:aws:iam::1:role/r",
                "AWS_WEB_IDENTITY_TOKEN_FILE": directory.path("token"), "HOME": "/nowhere",
            ],
            region: "eu-west-1",
            stsEndpoint: service.url
        )
        let container = ContainerCredentialsProvider(context)
        let providers: [(any AWSCredentialsProvider, String)] = [
            (container, "C"), (WebIdentityCredentialsProvider(context), "R"),
            (AssumeRoleCredentialsProvider(Role(arn: "arn:aws:iam::1:role/r"), container, context), "R"),
        ]
        var text = ""
        for (provider, id) in providers {
            let found = try #require(try await provider.resolve() as? any AWSTemporaryCredentials)
            #expect(found.accessKeyId == id && found.sessionToken == "t")
            #expect(found.expiration == Date(timeIntervalSince1970: 4_070_908_800))
            dump(found, to: &text)
            dump(provider, to: &text)
            text += "\(found) \(String(reflecting: found))"
        }
        #expect(!text.contains("hush"))
    }

    @Test func `a program gives its keys, and what it prints else is not shown`() async throws {
        let keys = #"{"Version": 1, "AccessKeyId": "p", "SecretAccessKey": "s"}"#
        #expect(try await ProcessCredentialsProvider(command: "echo '\(keys)'").resolve().accessKeyId == "p")
        let error = await #expect(throws: FirehoseClientError.self) {
            try await ProcessCredentialsProvider(command: "echo hush").resolve()
        }
        #expect(error.map { "\($0)" }?.contains("hush") == false)
    }

    @Test func `the instance's credentials are not looked for where that is forbidden`() async throws {
        let context = CredentialsContext(environment: ["AWS_EC2_METADATA_DISABLED": "true"])
        await #expect(throws: FirehoseClientError.self) { try await InstanceCredentialsProvider(context).resolve() }
    }

    @Test func `no text shows a secret`() async throws {
        var text = ""
        let variables = [
            "AWS_ACCESS_KEY_ID": "e", "AWS_SECRET_ACCESS_KEY": "hush", "AWS_SESSION_TOKEN": "hist", "HOME": "/nowhere",
        ]
        let providers: [any AWSCredentialsProvider] = [
            APIScene.keys, EnvironmentCredentialsProvider(environment: variables),
            DefaultCredentialsProvider(environment: variables),
            StaticCredentialsProvider(accessKeyId: "i", secretAccessKey: "hush"),
        ]
        for provider in providers {
            let credentials = try await provider.resolve()
            dump(provider, to: &text)
            dump(credentials, to: &text)
            text += "\(provider) \(String(reflecting: provider)) \(credentials) \(String(reflecting: credentials))"
        }
        #expect(!text.contains("hush") && !text.contains("hist"))
    }
}
