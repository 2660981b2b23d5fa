import Foundation
import Synchronization
import TestSupport
import Testing

/// What a configuration and the environment say about the way to the service, and about who asks it.
@Suite(.timeLimit(.minutes(2))) struct NetworkSettingsTests {
    // MARK: Proxies

    @Test func `requests go by the proxy of the environment, which learns who asks`() async throws {
        let scene = try AgentScene(agent: ["firehose.endpoint": "http://firehose.invalid"])
        scene.environment["http_proxy"] = "http://user:pa%40ss@\(scene.standIn.host)"
        try scene.append(1...3)
        let agent = try scene.start()
        try await scene.waitForRecords(3, from: agent)
        #expect(try await agent.stop() == .code(0))
        let request = try #require(scene.standIn.requests.first)
        #expect(request.line == "POST http://firehose.invalid/ HTTP/1.1")
        #expect(request.headers["proxy-authorization"] == "Basic " + Data("user:pa@ss".utf8).base64EncodedString())
        #expect(!agent.log.contains("pa%40ss") && !agent.log.contains("pa@ss"))
    }

    @Test(arguments: ["127.0.0.1", "example.com, 127.0.0.1", "example.com,127.0.0.1,", "*", "127.0.0.0/8"])
    func `hosts that are named are reached without a proxy`(names: String) async throws {
        let scene = try AgentScene()
        scene.environment = ["http_proxy": "http://user:hush@127.0.0.1:1", "NO_PROXY": names]
        try scene.append(1...3)
        let agent = try scene.start()
        try await scene.waitForRecords(3, from: agent)
        #expect(try await agent.stop() == .code(0))
    }

    /// Names below `localhost` lead to this machine, whatever the resolver says (RFC 6761).
    @Test(arguments: [
        ("localhost", true), (".localhost", true), ("logs.localhost", true), ("firehose.logs.localhost", true),
        ("firehose.logs.localhost:80", false), ("ogs.localhost", false), ("logs", false),
    ])
    func `a name stands for the names that end with it`(names: String, isDirect: Bool) async throws {
        let scene = try AgentScene()
        let port = scene.standIn.host.split(separator: ":").last ?? ""
        scene.agentKeys["firehose.endpoint"] = "http://firehose.logs.localhost:\(port)"
        scene.environment = ["http_proxy": "http://127.0.0.1:1", "NO_PROXY": names]
        try scene.append(1...3)
        let agent = try scene.start()
        if isDirect {
            try await scene.waitForRecords(3, from: agent)
        } else {
            try await agent.waitForLog("no connection: ")
        }
        #expect(try await agent.stop() == .code(0))
        #expect(scene.standIn.requests.isEmpty != isDirect)
    }

    @Test(arguments: ["http", "https"])
    func `a proxy that wants to know who asks is an error that says so, until it is told`(scheme: String) async throws {
        let proxy = try LoopbackServer { connection in
            let refusal = "HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n"
            while connection.readRequest() != nil { connection.write(Array(refusal.utf8)) }
        }
        let scene = try AgentScene(agent: ["firehose.endpoint": "\(scheme)://firehose.invalid"])
        scene.environment["\(scheme)_proxy"] = proxy.url
        try scene.append(1...3)
        let agent = try scene.start()
        try await agent.waitForLog("nothing delivered")
        #expect(agent.log.contains("407"))
        #expect(try await agent.stop() == .code(0))
        #expect(agent.log.contains("cached 3 records"))
        scene.agentKeys["firehose.endpoint"] = "http://firehose.invalid"
        scene.environment["http_proxy"] = "http://user:hush@\(scene.standIn.host)"
        let next = try scene.start()
        try await scene.waitForRecords(3, from: next)
        #expect(try await next.stop() == .code(0))
        #expect(scene.deliveredLines == AgentScene.lines(1...3))
    }

    @Test func `a proxy that is not there is told without its password`() async throws {
        let scene = try AgentScene()
        scene.environment["http_proxy"] = "http://user:hush@127.0.0.1:1"
        try scene.append(1...3)
        let agent = try scene.start()
        try await agent.waitForLog("no connection: ")
        #expect(try await agent.stop() == .code(0))
        #expect(!agent.log.contains("hush"))
    }

    // MARK: Credentials

    /// STS on loopback, and what it was asked.
    private final class RoleService: Sendable {
        let server: LoopbackServer
        private let seen: Seen

        private final class Seen: Sendable {
            let requests = Mutex<[LoopbackConnection.Request]>([])
        }

        init() throws {
            let seen = Seen()
            self.seen = seen
            server = try LoopbackServer { connection in
                while let request = connection.readRequest() {
                    seen.requests.withLock { $0.append(request) }
                    let body = """
                        <r><Credentials><AccessKeyId>ROLEKEY</AccessKeyId><SecretAccessKey>secret</SecretAccessKey>
                        <SessionToken>token</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></r>
                        """
                    connection.write(Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))
                }
            }
        }

        var requests: [LoopbackConnection.Request] { seen.requests.withLock { $0 } }
    }

    @Test func `a role of the configuration is assumed with its keys, and signs`() async throws {
        let service = try RoleService()
        let arn = "arn:aws:iam::123456789012:role/shipper"
        let scene = try AgentScene(
            agent: ["assumeRoleARN": arn, "assumeRoleExternalId": "x/1", "sts.endpoint": service.server.url]
        )
        try scene.append(1...3)
        let agent = try scene.start()
        try await scene.waitForRecords(3, from: agent)
        #expect(try await agent.stop() == .code(0))
        let request = try #require(scene.standIn.requests.first)
        #expect(request.headers["authorization"]?.hasPrefix("AWS4-HMAC-SHA256 Credential=ROLEKEY/") == true)
        #expect(request.headers["x-amz-security-token"] == "token")
        #expect(service.requests.count == 1)
        let asked = try #require(service.requests.first)
        #expect(asked.headers["authorization"]?.contains("Credential=AKIDEXAMPLE/") == true)
        let body = String(decoding: asked.body, as: UTF8.self)
        #expect(body.contains("RoleArn=arn%3Aaws%3Aiam%3A%3A123456789012%3Arole%2Fshipper&"))
        #expect(body.hasSuffix("&ExternalId=x%2F1"))
    }

    /// At boot its metadata service may take a moment, and an agent that does not start is not started again.
    @Test(arguments: [[], [500], [503, 500], [200, 401], [0, 200, 500]])
    func `a region that only the instance knows is found there, and asked for once`(failures: [Int]) async throws {
        let count = Mutex(0)
        let instance = try LoopbackServer { connection in
            while let request = connection.readRequest() {
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                let status = number <= failures.count ? failures[number - 1] : 200
                guard status > 0 else { return }
                let body = request.line.hasPrefix("PUT") ? "session" : "ap-south-2"
                connection.write(
                    Array("HTTP/1.1 \(status) X\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
                )
            }
        }
        let scene = try AgentScene()
        scene.agentKeys["region"] = nil
        scene.environment = [
            "AWS_EC2_METADATA_DISABLED": "false", "AWS_EC2_METADATA_SERVICE_ENDPOINT": instance.url,
        ]
        try scene.append(1...3)
        let agent = try scene.start()
        try await scene.waitForRecords(3, from: agent)
        #expect(try await agent.stop() == .code(0))
        let signature = try #require(scene.standIn.requests.first?.headers["authorization"])
        #expect(signature.contains("/ap-south-2/firehose/"))
        #expect(count.withLock { $0 } == failures.count + 2)
    }

    // MARK: Faults

    @Test(arguments: [
        (["assumeRoleARN": "shipper"], "assumeRoleARN = \"shipper\": expected the ARN of a role"),
        (["assumeRoleExternalId": "x1"], "assumeRoleExternalId: needs assumeRoleARN as well"),
        (["sts.endpoint": "file:///tmp"], "sts.endpoint = \"file:///tmp\": expected an https:// or http:// URL"),
        (["tls.certFile": "/a.pem"], "tls.certFile: needs tls.keyFile as well"),
        (["tls.keyFile": "/a.pem"], "tls.keyFile: needs tls.certFile as well"),
        (["tls.caFile": "ca.pem"], "tls.caFile = \"ca.pem\": expected the absolute path of a file"),
    ])
    func `a setting that cannot be is told`(keys: [String: String], expected: String) async throws {
        let scene = try AgentScene(agent: keys)
        let agent = try scene.start()
        #expect(try await agent.exit() == .code(78))
        #expect(agent.log.contains(": \(expected)"), "\(agent.log)")
    }

    @Test func `an authority's file that is not there ends the start`() async throws {
        let scene = try AgentScene(agent: ["tls.caFile": "/nowhere/ca.pem"])
        let agent = try scene.start()
        #expect(try await agent.exit() != .code(0))
        #expect(agent.log.contains("the CA bundle “/nowhere/ca.pem” cannot be read: No such file or directory"))
    }
}
