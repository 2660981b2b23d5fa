import Foundation
import HTTP
import TestSupport
import Testing

@testable import AWS
@testable import CredentialSources

/// Secrets are marked, every source meets every failure, and no text that comes of it has the mark.
@Suite(.timeLimit(.minutes(2))) struct SecrecyTests {
    private static let mark = "HUSH"
    private static let arn = "arn:aws:iam::123456789012:role/shipper"

    /// Everything that a server may say instead of what it should: with its own secrets, and with ours.
    private static let answers: [(status: Int, body: String)] = {
        let keys = #""SecretAccessKey": "HUSH-S", "Token": "HUSH-T", "SessionToken": "HUSH-T""#
        let bodies = [
            "", "HUSH-RAW", "<html>HUSH-RAW</html>", "{\(keys)}", "{\(keys)", "[\"HUSH-S\"]",
            #"{"AccessKeyId": "i", \#(keys), "Expiration": "HUSH"}"#,
            #"{"AccessKeyId": "i", "SecretAccessKey": "HUSH S"}"#,
            #"{"AccessKeyId": "i", "SecretAccessKey": "s", "Token": "HUSH\u0000", "SessionToken": "HUSH\n"}"#,
            #"{"Version": 1, "AccessKeyId": "i", \#(keys), "Expiration": 1}"#,
            #"{"Code": "No", "Message": "no", \#(keys)}"#,
            #"{"code": "no", "message": "you sent ECHO"}"#,
            "<r><Error><Code>No</Code><Message>you sent ECHO</Message></Error></r>",
            "<r><Credentials><AccessKeyId>i</AccessKeyId><SecretAccessKey>HUSH</SecretAccessKey></Credentials></r>",
            "<r><Credentials><AccessKeyId>i</AccessKeyId><SecretAccessKey>HUSH S</SecretAccessKey>"
                + "<SessionToken>HUSH</SessionToken><Expiration>2030-01-01T00:00:00Z</Expiration></Credentials></r>",
            "<Credentials><SecretAccessKey>HUSH",
        ]
        return [200, 400, 403, 404].flatMap { status in bodies.map { (status, $0) } }
    }()

    /// A client whose every request gets one answer; with none it fails as if there were no network.
    private struct Parrot: WebClient {
        let answer: WebAnswer?

        func send(_ request: WebRequest) throws(HTTPError) -> WebAnswer {
            guard let answer else { throw .insecure(reason: "no") }
            // What it was sent, it may send back.
            var sent = request.headers.filter { $0.name != "Host" && $0.name != "Accept" }.map(\.value)
            sent += String(decoding: request.body, as: UTF8.self).split(separator: "&").map(String.init)
            let body = String(decoding: answer.body, as: UTF8.self)
            return WebAnswer(
                status: answer.status,
                body: Array(body.replacing("ECHO", with: sent.joined(separator: " ")).utf8)
            )
        }
    }

    /// Every source that asks somebody, with marked secrets to prove who it is.
    private static func sources(_ scene: SourceScene, _ client: any WebClient) throws -> [any CredentialsProvider] {
        let token = try scene.write("HUSH-FILE", to: "token")
        var context = scene.context
        context.client = client
        context.environment.merge([
            "AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://localhost/c",
            "AWS_CONTAINER_AUTHORIZATION_TOKEN": "HUSH-TOKEN",
            "AWS_WEB_IDENTITY_TOKEN_FILE": token, "AWS_ROLE_ARN": arn,
        ]) { $1 }
        let keys = GivenCredentials(accessKeyID: "i", secretAccessKey: "HUSH-KEY", sessionToken: "HUSH-SESSION")
        return [
            ContainerCredentials(context), InstanceCredentials(context), WebIdentityCredentials.ofEnvironment(context),
            AssumedRoleCredentials(Role(arn: arn), with: keys, place: "a test", context),
            AssumedRoleCredentials(Role(arn: arn), with: ContainerCredentials(context), place: "a test", context),
            CredentialsChain.usual(context), CredentialsChain(accessKeyID: "i", secretAccessKey: "HUSH KEY", context),
        ]
    }

    private func check(_ provider: any CredentialsProvider, _ circumstances: String) async {
        var texts = ["\(provider)", String(reflecting: provider)]
        dump(provider, to: &texts[0])
        do {
            let found = try await provider.credentials()
            texts += ["\(found)", String(reflecting: found)]
            dump(found, to: &texts[0])
        } catch {
            texts += ["\(error)", String(reflecting: error)]
        }
        dump(provider, to: &texts[0])
        for text in texts where text.contains(Self.mark) {
            Issue.record("\(circumstances): \(text)")
        }
    }

    @Test func `no answer makes a source show a secret`() async throws {
        let scene = try SourceScene()
        for answer in Self.answers + [(0, "")] {
            let answered = WebAnswer(status: answer.status, body: Array(answer.body.utf8))
            let client = Parrot(answer: answer.status == 0 ? nil : answered)
            for source in try Self.sources(scene, client) {
                await check(source, "\(type(of: source)) after \(answer)")
            }
        }
    }

    @Test func `no request without an answer shows a secret`() async throws {
        let scene = try SourceScene()
        // The server ends each connection without a word.
        for source in try Self.sources(scene, scene.traffic) {
            await check(source, "\(type(of: source)) without an answer")
        }
    }

    @Test(arguments: [
        "[default]\naws_secret_access_key = HUSH",
        "[default]\naws_access_key_id = i\naws_secret_access_key = HUSH HUSH",
        "[default]\naws_access_key_id = i\naws_secret_access_key = HUSH\n  HUSH", "[default]\nHUSH", "[default\nHUSH",
        "[default]\naws_access_key_id = i\naws_secret_access_key = HUSH\naws_session_token = HUSH\u{7}",
        "[default]\ncredential_process = echo 'HUSH-OUTPUT'",
        "[default]\ncredential_process = sh -c 'exit 1' HUSH-ARGUMENT",
        "[default]\ncredential_process = HUSH-PROGRAM", "[default]\naws_session_token = HUSH\nrole_arn = r",
        "[default]\nrole_arn = r\nsource_profile = b\n[profile b]\naws_secret_access_key = HUSH",
        "[default]\nrole_arn = r\nsource_profile = b\n[profile b]\naws_access_key_id = i\naws_secret_access_key = HUSH",
        "[default]\nrole_arn = r\ncredential_source = EcsContainer\naws_secret_access_key = HUSH",
    ])
    func `no fault of a profile shows a secret`(configuration: String) async throws {
        let scene = try SourceScene(configuration: configuration)
        var context = scene.context
        context.client = Parrot(answer: nil)
        await check(ProfileCredentials(context), configuration)
    }

    @Test(arguments: [
        ["AWS_ACCESS_KEY_ID": "i", "AWS_SECRET_ACCESS_KEY": "HUSH HUSH"],
        ["AWS_ACCESS_KEY_ID": "i", "AWS_SESSION_TOKEN": "HUSH"],
        ["AWS_ACCESS_KEY_ID": "i", "AWS_SECRET_ACCESS_KEY": "HUSH", "AWS_SESSION_TOKEN": "HUSH\nHUSH"],
        ["AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://user:HUSH@localhost/"],
        ["AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://localhost/", "AWS_CONTAINER_AUTHORIZATION_TOKEN": "HUSH\nHUSH"],
        ["AWS_EC2_METADATA_SERVICE_ENDPOINT": "http://user:HUSH@localhost/"],
        ["AWS_ROLE_ARN": "r", "AWS_WEB_IDENTITY_TOKEN_FILE": "/dev/null"],
    ])
    func `no fault of the environment shows a secret`(variables: [String: String]) async throws {
        let scene = try SourceScene(environment: variables)
        var context = scene.context
        context.client = Parrot(answer: nil)
        await check(CredentialsChain.usual(context), "\(variables)")
    }

    @Test func `a token file that is none is not shown`() async throws {
        for text in ["HUSH\nHUSH", "\u{1}HUSH", ""] {
            let scene = try SourceScene()
            let path = try scene.write(text, to: "token")
            var context = scene.context
            context.client = Parrot(answer: nil)
            let provider = WebIdentityCredentials(Role(arn: Self.arn), tokenFile: path, place: "a test", context)
            await check(provider, text)
        }
    }
}
