import Foundation
import TestSupport
import Testing

@testable import AWS
@testable import CredentialSources

/// Credentials from the services of containers and of EC2.
@Suite(.timeLimit(.minutes(2))) struct MetadataSourceTests {
    private static let containerVariables = ["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/v2/credentials/1"]

    // MARK: Containers

    @Test func `a container's credentials come with its token, which is read afresh each time`() async throws {
        let scene = try SourceScene()
        let path = try scene.write("first\n", to: "token")
        let variables = [
            "AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://169.254.170.23/v1/credentials",
            "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE": path, "AWS_CONTAINER_AUTHORIZATION_TOKEN": "unused",
        ]
        var context = scene.context
        context.environment.merge(variables) { $1 }
        scene.traffic.add(scene.container("ONE"), scene.container("TWO"))
        let provider = ContainerCredentials(context)
        #expect(try await provider.credentials().accessKeyID == "ONE")
        _ = try scene.write("second", to: "token")
        await provider.invalidate()
        #expect(try await provider.credentials().accessKeyID == "TWO")
        let asked = scene.traffic.asked
        #expect(asked.map { $0.headers["authorization"] } == ["first", "second"])
        #expect(asked.allSatisfy { $0.method == "GET" && $0.url == "http://169.254.170.23/v1/credentials" })
    }

    @Test func `a container's service may stumble twice`() async throws {
        let scene = try SourceScene(
            SourceScene.failure(500),
            SourceScene.text("<html>"),
            environment: Self.containerVariables
        )
        scene.traffic.add(scene.container())
        let found = try await ContainerCredentials(scene.context).credentials()
        #expect(found.accessKeyID == "ID" && found.sessionToken == "TOKEN")
        #expect(found.expiration == scene.time + .seconds(3600))
    }

    @Test(arguments: [
        (
            SourceScene.failure(403, #"{"code": "AccessDenied", "message": "not you"}"#),
            "it answered HTTP 403: AccessDenied: not you"
        ),
        (SourceScene.failure(400, "no"), "it answered HTTP 400"),
        (SourceScene.text(#"{"Code": "X", "Message": "y"}"#), "X: y"),
        (SourceScene.text(#"{"AccessKeyId": "i"}"#), "SecretAccessKey is missing in the answer"),
        (
            SourceScene.text(SourceScene.keys(expiration: "soon")),
            "Expiration is not a time such as 2030-01-31T12:00:00Z"
        ),
        (
            SourceScene.text(#"{"AccessKeyId": "i", "SecretAccessKey": "a b"}"#),
            "the secret access key contains a blank"
        ),
    ])
    func `what a container's service says instead of credentials is told`(
        answer: RecordedTraffic.Exchange,
        expected: String
    ) async throws {
        let scene = try SourceScene(answer, environment: Self.containerVariables)
        #expect(await reason(ContainerCredentials(scene.context))?.contains(": \(expected)") == true)
        #expect(scene.traffic.asked.count == 1)
    }

    @Test func `an answer without end is not taken`() async throws {
        let long = SourceScene.text(#"{"a": ""# + String(repeating: "x", count: 65_536) + #""}"#)
        let scene = try SourceScene(long, environment: Self.containerVariables)
        #expect(await reason(ContainerCredentials(scene.context))?.contains("larger than 65536 bytes") == true)
    }

    // MARK: Lifetimes

    @Test func `a life shorter than the margin is used for three quarters`() async throws {
        let scene = try SourceScene(environment: Self.containerVariables)
        let provider = ContainerCredentials(scene.context)
        scene.traffic.add(scene.container("1", life: .seconds(120)))
        #expect(try await provider.credentials().accessKeyID == "1")
        scene.pass(.seconds(89))
        #expect(try await provider.credentials().accessKeyID == "1")
        #expect(scene.traffic.asked.count == 1)
        scene.pass(.seconds(1))
        scene.traffic.add(scene.container("2", life: .seconds(120)))
        try await waitUntil("they are renewed") { try await provider.credentials().accessKeyID == "2" }
        #expect(scene.traffic.asked.count == 2)
    }

    @Test func `an expiry in the past, or none, does not press the source`() async throws {
        for life in [Duration.seconds(-3600), nil] {
            let scene = try SourceScene(environment: Self.containerVariables)
            scene.traffic.add(scene.container("1", life: life), scene.container("2", life: life))
            let provider = ContainerCredentials(scene.context)
            for _ in 0..<10 { #expect(try await provider.credentials().accessKeyID == "1") }
            #expect(scene.traffic.asked.count == 1)
            scene.pass(.seconds(900))
            #expect(try await provider.credentials().accessKeyID == "2")
        }
    }

    // MARK: EC2

    /// A session, the name of the role, and its keys.
    private func instance(_ id: String, expiration: String) -> [RecordedTraffic.Exchange] {
        [
            SourceScene.text("session"), SourceScene.text("shipper"),
            SourceScene.text(SourceScene.keys(id, expiration: expiration)),
        ]
    }

    @Test func `an instance's credentials come by version 2 of its service`() async throws {
        let scene = try SourceScene()
        for exchange in instance("I", expiration: scene.expiry(in: .seconds(7200))) { scene.traffic.add(exchange) }
        let found = try await InstanceCredentials(scene.context).credentials()
        #expect(found.accessKeyID == "I")
        #expect(found.source == "the metadata service of EC2 at http://169.254.169.254")
        let asked = scene.traffic.asked
        let base = "http://169.254.169.254/latest"
        let roles = "\(base)/meta-data/iam/security-credentials/"
        #expect(
            asked.map { "\($0.method) \($0.url)" } == ["PUT \(base)/api/token", "GET \(roles)", "GET \(roles)shipper"]
        )
        #expect(asked[0].headers["x-aws-ec2-metadata-token-ttl-seconds"] == "21600")
        #expect(asked[0].headers["content-length"] == "0")
        #expect(asked[1...].allSatisfy { $0.headers["x-aws-ec2-metadata-token"] == "session" })
    }

    @Test func `an outage of the service leaves the old credentials in use, and ends by itself`() async throws {
        let scene = try SourceScene()
        for exchange in instance("OLD", expiration: scene.expiry(in: .seconds(3600))) { scene.traffic.add(exchange) }
        let provider = InstanceCredentials(scene.context)
        #expect(try await provider.credentials().accessKeyID == "OLD")
        scene.pass(.seconds(2700))
        for failures in [[SourceScene.failure(401)], Array(repeating: SourceScene.failure(500), count: 3), []] {
            let asked = scene.traffic.asked.count
            for failure in failures { scene.traffic.add(failure) }
            try await waitUntil("the service is asked in vain") {
                // The time before may end only now, and its pause of five seconds begin.
                scene.pass(.seconds(5))
                let used = try await provider.credentials().accessKeyID
                #expect(used == "OLD")
                return scene.traffic.asked.count >= asked + max(1, failures.count) && scene.traffic.rest.isEmpty
            }
            scene.pass(.seconds(3600))
        }
        for exchange in instance("NEW", expiration: scene.expiry(in: .seconds(3600))) { scene.traffic.add(exchange) }
        try await waitUntil("they are renewed") {
            scene.pass(.seconds(5))
            return try await provider.credentials().accessKeyID == "NEW"
        }
    }

    @Test func `expired credentials of an instance are used on, for ten minutes before it is asked again`() async throws
    {
        let scene = try SourceScene()
        for id in ["1", "2"] {
            for exchange in instance(id, expiration: scene.expiry(in: .seconds(-60))) { scene.traffic.add(exchange) }
        }
        let provider = InstanceCredentials(scene.context)
        let found = try await provider.credentials()
        let rest = try #require(found.expiration) - scene.time
        #expect(rest >= .seconds(600) && rest <= .seconds(900))
        scene.pass(.seconds(440))
        #expect(try await provider.credentials().accessKeyID == "1")
        #expect(scene.traffic.asked.count == 3)
        scene.pass(.seconds(460))
        try await waitUntil("it is asked again") { try await provider.credentials().accessKeyID == "2" }
    }

    @Test(arguments: [
        (SourceScene.failure(403), "it is switched off for this instance, or a firewall forbids it"),
        (SourceScene.failure(404), "it does not speak version 2 (IMDSv2)"),
        (SourceScene.failure(400), "it answered a request for a session with HTTP 400"),
        (SourceScene.text("two\nlines"), "its session token is not one line of text"),
    ])
    func `what the service answers instead of a session is told`(
        answer: RecordedTraffic.Exchange,
        expected: String
    ) async throws {
        let scene = try SourceScene(answer)
        #expect(await reason(InstanceCredentials(scene.context))?.hasSuffix(expected) == true)
    }

    @Test(arguments: [
        ([SourceScene.failure(404)], "the instance has no role; give it an instance profile"),
        ([SourceScene.text("../../x")], "what it gives for the name of the role is none"),
        ([SourceScene.text("role"), SourceScene.failure(400)], "it answered HTTP 400"),
        ([SourceScene.text("role"), SourceScene.text("[]")], "its answer is not a JSON object"),
        (
            [SourceScene.text("role"), SourceScene.text(#"{"Code": "AssumeRoleUnauthorizedAccess", "Message": "m"}"#)],
            "AssumeRoleUnauthorizedAccess: m"
        ),
    ])
    func `what the service answers instead of credentials is told`(
        answers: [RecordedTraffic.Exchange],
        expected: String
    ) async throws {
        let scene = try SourceScene(SourceScene.text("session"))
        for answer in answers { scene.traffic.add(answer) }
        #expect(await reason(InstanceCredentials(scene.context))?.contains(expected) == true)
    }

    @Test func `a service that never answers is given up, and the hop limit named`() async throws {
        let server = try LoopbackServer { connection in
            while connection.readRequest() != nil {}
        }
        let home = try TemporaryHome()
        let variables = ["AWS_EC2_METADATA_SERVICE_ENDPOINT": server.url]
        let context = CredentialsContext(environment: home.environment.merging(variables) { $1 })
        let reason = await reason(InstanceCredentials(context))
        #expect(reason?.contains("\(server.url) (no answer in time; in a container raise the hop limit of") == true)
    }
}
