import Foundation
import TestSupport
import Testing

@testable import AWS
@testable import CredentialSources

/// Credentials of roles, and of programs.
@Suite(.timeLimit(.minutes(2))) struct RoleSourceTests {
    private static let arn = "arn:aws:iam::123456789012:role/shipper"
    private static let keys = GivenCredentials(
        accessKeyID: "BASE",
        secretAccessKey: "BASESECRET",
        sessionToken: "BASETOKEN"
    )

    // MARK: Roles

    @Test func `a role is assumed with signed words`() async throws {
        let scene = try SourceScene()
        scene.traffic.add(scene.role())
        let role = Role(arn: Self.arn, sessionName: "s", externalID: "x/1", durationSeconds: 900)
        let found = try await AssumedRoleCredentials(role, with: Self.keys, place: "a test", scene.context)
            .credentials()
        #expect(found.accessKeyID == "ROLE" && found.secretAccessKey == "SECRET" && found.sessionToken == "TOKEN")
        #expect(found.expiration == scene.time + .seconds(3600))
        #expect(found.source == "role \(Self.arn) of a test")
        let asked = try #require(scene.traffic.asked.first)
        #expect(asked.url == "https://sts.eu-west-1.amazonaws.com/")
        #expect(asked.headers["host"] == "sts.eu-west-1.amazonaws.com")
        #expect(asked.headers["x-amz-security-token"] == "BASETOKEN")
        let signature = try #require(asked.headers["authorization"])
        #expect(signature.contains("Credential=BASE/20300317/eu-west-1/sts/aws4_request, "))
        #expect(
            asked.body
                == "Action=AssumeRole&Version=2011-06-15&RoleArn=arn%3Aaws%3Aiam%3A%3A123456789012%3Arole%2Fshipper"
                + "&RoleSessionName=s&ExternalId=x%2F1&DurationSeconds=900"
        )
    }

    @Test func `those that assume a role are asked for anew once STS refuses them`() async throws {
        let variables = ["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/c"]
        let scene = try SourceScene(environment: variables)
        scene.traffic.add(
            scene.container("OLD"),
            SourceScene.refusal("ExpiredToken"),
            scene.container("NEW"),
            scene.role()
        )
        let base = ContainerCredentials(scene.context)
        let provider = AssumedRoleCredentials(Role(arn: Self.arn), with: base, place: "a test", scene.context)
        #expect(try await provider.credentials().accessKeyID == "ROLE")
        #expect(try await base.credentials().accessKeyID == "NEW")
    }

    @Test(arguments: [("SignatureDoesNotMatch", true), ("RequestExpired", true), ("AccessDenied", false)])
    func `a signature that a wrong clock has spoilt is made again with the time of STS`(
        code: String,
        isAboutTime: Bool
    ) async throws {
        let scene = try SourceScene()
        var refusal = SourceScene.refusal(code)
        // Two hours after the time that this machine believes in.
        refusal.date = "Sun, 17 Mar 2030 19:46:40 GMT"
        scene.traffic.add(refusal, scene.role())
        let provider = AssumedRoleCredentials(Role(arn: Self.arn), with: Self.keys, place: "a test", scene.context)
        #expect((await reason(provider) == nil) == isAboutTime)
        let dates = scene.traffic.asked.compactMap { $0.headers["x-amz-date"] }
        #expect(dates == ["20300317T174640Z"] + (isAboutTime ? ["20300317T194640Z"] : []))
    }

    @Test func `a lasting refusal of STS is told`() async throws {
        let scene = try SourceScene(SourceScene.refusal("AccessDenied", "you &lt;not&gt; you"))
        let provider = AssumedRoleCredentials(Role(arn: Self.arn), with: Self.keys, place: "a test", scene.context)
        #expect(
            await reason(provider) == "the AWS credentials in role \(Self.arn) of a test cannot be used: "
                + "STS answered AccessDenied (HTTP 403): you <not> you"
        )
    }

    @Test func `STS may stumble twice, also over the identity provider`() async throws {
        let scene = try SourceScene(
            SourceScene.refusal("IDPCommunicationError", status: 400),
            SourceScene.failure(503)
        )
        scene.traffic.add(scene.role())
        let token = try scene.write("jwt", to: "token")
        let provider = WebIdentityCredentials(Role(arn: Self.arn), tokenFile: token, place: "a test", scene.context)
        #expect(try await provider.credentials().accessKeyID == "ROLE")
        #expect(scene.traffic.asked.count == 3)
        #expect(scene.traffic.asked.allSatisfy { $0.headers["authorization"] == nil })
    }

    @Test(arguments: [
        "", "{}", "<a/>", "<a><Credentials><AccessKeyId>i</AccessKeyId></Credentials></a>",
        "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>",
    ])
    func `an answer of STS that is none is told`(body: String) async throws {
        let scene = try SourceScene(SourceScene.text(body))
        let provider = AssumedRoleCredentials(Role(arn: Self.arn), with: Self.keys, place: "a test", scene.context)
        #expect(await reason(provider)?.hasSuffix("without credentials that can be read") == true)
    }

    @Test func `without credentials to assume it with, a role says where they were looked for`() async throws {
        let scene = try SourceScene()
        let nowhere = EnvironmentCredentials(environment: [:])
        let provider = AssumedRoleCredentials(Role(arn: Self.arn), with: nowhere, place: "a test", scene.context)
        #expect(
            await reason(provider)?.hasSuffix(
                "there are no credentials to assume it with: looked for AWS_ACCESS_KEY_ID in the environment"
            ) == true
        )
    }

    @Test(arguments: [
        (nil, nil, "https://sts.amazonaws.com/", "us-east-1"),
        ("eu-west-1", nil, "https://sts.eu-west-1.amazonaws.com/", "eu-west-1"),
        ("eu-west-1", "sts.us-east-2.amazonaws.com", "https://sts.us-east-2.amazonaws.com/", "us-east-2"),
        ("eu-west-1", "https://sts.amazonaws.com", "https://sts.amazonaws.com/", "us-east-1"),
        ("eu-west-1", "http://localhost:4566", "http://localhost:4566/", "eu-west-1"),
    ])
    func `STS is asked where the settings say, and signed for that region`(
        region: String?,
        endpoint: String?,
        url: String,
        signedFor: String
    ) async throws {
        let scene = try SourceScene()
        scene.traffic.add(scene.role())
        var context = scene.context
        context.region = region
        context.stsEndpoint = endpoint
        _ = try await AssumedRoleCredentials(Role(arn: Self.arn), with: Self.keys, place: "", context).credentials()
        let asked = try #require(scene.traffic.asked.first)
        #expect(asked.url == url)
        #expect(asked.headers["authorization"]?.contains("/\(signedFor)/sts/") == true)
    }

    @Test func `a chain of roles is assumed one after the other`() async throws {
        let scene = try SourceScene(
            configuration: """
                [default]
                role_arn = \(Self.arn)-2
                source_profile = middle
                [profile middle]
                role_arn = \(Self.arn)-1
                source_profile = base
                [profile base]
                aws_access_key_id = BASE
                aws_secret_access_key = s
                """
        )
        scene.traffic.add(scene.role("ONE"), scene.role("TWO"))
        let provider = ProfileCredentials(scene.context)
        #expect(try await provider.credentials().accessKeyID == "TWO")
        let signatures = scene.traffic.asked.compactMap { $0.headers["authorization"] }
        #expect(signatures.count == 2)
        #expect(signatures[0].contains("Credential=BASE/") && signatures[1].contains("Credential=ONE/"))
        #expect(scene.traffic.asked.map { $0.body.contains("shipper-2") } == [false, true])
    }

    // MARK: Web identities

    @Test func `a web identity's token is read afresh for each renewal`() async throws {
        let scene = try SourceScene()
        let path = try scene.write("first", to: "token")
        var context = scene.context
        context.environment.merge(
            ["AWS_WEB_IDENTITY_TOKEN_FILE": path, "AWS_ROLE_ARN": Self.arn, "AWS_ROLE_SESSION_NAME": "pod"]
        ) { $1 }
        let provider = WebIdentityCredentials.ofEnvironment(context)
        scene.traffic.add(scene.role("ONE"), scene.role("TWO"))
        #expect(try await provider.credentials().accessKeyID == "ONE")
        _ = try scene.write("second\n", to: "token")
        await provider.invalidate()
        #expect(try await provider.credentials().accessKeyID == "TWO")
        let tokens = scene.traffic.asked.map { $0.body.components(separatedBy: "&WebIdentityToken=").last }
        #expect(tokens == ["first", "second"])
        #expect(scene.traffic.asked.allSatisfy { $0.body.contains("RoleSessionName=pod&") })
    }

    @Test func `a token file without a role, or that is not there, is an error`() async throws {
        let scene = try SourceScene()
        var context = scene.context
        context.environment["AWS_WEB_IDENTITY_TOKEN_FILE"] = "/nowhere/token"
        #expect(await reason(WebIdentityCredentials.ofEnvironment(context))?.contains("without AWS_ROLE_ARN") == true)
        context.environment["AWS_ROLE_ARN"] = Self.arn
        #expect(
            await reason(WebIdentityCredentials.ofEnvironment(context))?.hasSuffix("/nowhere/token: no such file")
                == true
        )
    }

    // MARK: Programs

    private func process(_ command: String) throws -> ProcessCredentials {
        ProcessCredentials(command: command, place: "a test", try SourceScene().context)
    }

    @Test func `a program's keys are asked for once, and again when they are refused`() async throws {
        let scene = try SourceScene()
        let counter = try scene.write("", to: "counter")
        let command = """
            echo x >> '\(counter)'; \
            echo '{"Version": 1, "AccessKeyId": "'$(wc -l < '\(counter)')'", "SecretAccessKey": "s"}'
            """
        let provider = ProcessCredentials(command: command, place: "a test", scene.context)
        for _ in 0..<3 { #expect(try await provider.credentials().accessKeyID == "1") }
        scene.pass(.seconds(1_000_000))
        #expect(try await provider.credentials().accessKeyID == "1")
        await provider.invalidate()
        #expect(try await provider.credentials().accessKeyID == "2")
    }

    @Test func `plain words are run without a shell`() async throws {
        let scene = try SourceScene()
        let file = try scene.write(#"{"Version": 1, "AccessKeyId": "i", "SecretAccessKey": "s"}"#, to: "keys")
        #expect(try await process("cat \(file)").credentials().accessKeyID == "i")
        #expect(
            await reason(try process("exit 0"))?.hasSuffix("it cannot be started: No such file or directory") == true
        )
        #expect(await reason(try process("exit '0'"))?.contains("it is not a JSON object") == true)
    }

    @Test(arguments: [
        ("exit '3'", "it ended with code 3"), ("kill -9 $$", "it ended with code 137"),
        ("yes", "it wrote more than 65536 bytes"), ("echo '{}'", "Version is not 1"),
        (#"echo '{"Version": "1"}'"#, "Version is not 1"),
        (#"echo '{"Version": 1, "SecretAccessKey": "s"}'"#, "AccessKeyId is missing in the answer"),
    ])
    func `what is wrong with a program is told`(command: String, expected: String) async throws {
        #expect(await reason(try process(command))?.hasSuffix(": \(expected)") == true)
    }
}
