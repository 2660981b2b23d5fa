import Crypto
import Foundation
import TestSupport
import Testing

@testable import AWS

/// Signatures against those of AWS's own library for Python.
@Suite(.enabled(if: Botocore.isInstalled, "python3 with botocore is not installed"), .timeLimit(.minutes(2)))
struct BotocoreTests {
    /// What both sides sign.
    struct Example: Codable {
        var host: String
        var headers: [[String]]
        var body: String
        var region: String
        var service: String
        var accessKeyID: String
        var secret: String
        var token: String?
        var time: Int
    }

    @Test func `a thousand random requests are signed as botocore signs them`() async throws {
        var generator = SeededGenerator(seed: 20_301_117)
        let examples = (0..<1000).map { _ in Example.random(&generator) }
        let directory = try TemporaryDirectory()
        try directory.append(Array(JSONEncoder().encode(examples)), to: "examples.json")
        let program = try Botocore.python(Self.script, in: directory.path)
        #expect(try await program.exit() == .code(0), "\(program.log)")
        let expected = program.output.split(separator: "\n").map(String.init)
        #expect(expected.count == examples.count)
        for (example, expected) in zip(examples, expected) {
            #expect(try example.authorization == expected)
        }
    }

    private static let script = """
        import datetime, json, sys, types
        import botocore.auth
        from botocore.awsrequest import AWSRequest
        from botocore.credentials import Credentials
        def sign(example):
            time = datetime.datetime.fromtimestamp(example["time"], datetime.timezone.utc).replace(tzinfo=None)
            class Clock(datetime.datetime):
                @classmethod
                def utcnow(cls): return time
            # Older versions read the clock by themselves.
            botocore.auth.get_current_datetime = lambda remove_tzinfo=True: time
            botocore.auth.datetime = types.SimpleNamespace(datetime=Clock)
            request = AWSRequest(method="POST", url="https://" + example["host"] + "/", data=example["body"].encode())
            for name, value in example["headers"]: request.headers[name] = value
            credentials = Credentials(example["accessKeyID"], example["secret"], example.get("token"))
            botocore.auth.SigV4Auth(credentials, example["service"], example["region"]).add_auth(request)
            return request.headers["Authorization"]
        for example in json.load(open(sys.argv[1] + "/examples.json")): print(sign(example))
        """
}

extension BotocoreTests.Example {
    /// Credentials, a time, and a request such as those of Firehose and STS.
    static func random(_ generator: inout SeededGenerator) -> Self {
        func one<Element>(of choices: [Element]) -> Element {
            choices[Int.random(in: choices.indices, using: &generator)]
        }
        func text(_ alphabet: String, _ count: ClosedRange<Int>) -> String {
            let characters = Array(alphabet)
            let length = Int.random(in: count, using: &generator)
            return String((0..<length).map { _ in one(of: characters) })
        }
        let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
        let region = one(of: ["us-east-1", "eu-west-3", "cn-north-1", "us-gov-west-1"])
        let service = one(of: ["firehose", "sts"])
        let port = Bool.random(using: &generator) ? ":\(Int.random(in: 1024...65_535, using: &generator))" : ""
        var headers = [
            ["Content-Type", "application/x-amz-json-1.1"],
            ["X-Amz-Target", "Firehose_20150804.\(text(letters, 1...20))"],
        ]
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
            headers.append(["X-\(text(letters, 1...8))-\(headers.count)", text(letters + "  -_=/,;:", 0...40)])
        }
        return Self(
            host: "\(service).\(region).example\(port)",
            headers: headers.shuffled(using: &generator),
            body: text(letters + " \"{}[]:,äß€😀\n", 0...2000),
            region: region,
            service: service,
            accessKeyID: "AKIA" + text(letters.uppercased(), 16...16),
            secret: text(letters + "/+", 40...40),
            token: Bool.random(using: &generator) ? text(letters + "/+=", 1...2000) : nil,
            time: Int.random(in: 0...4_102_444_800, using: &generator)
        )
    }

    /// What ours makes of it.
    var authorization: String {
        get throws {
            let all = [["Host", host]] + headers
            var hash = SHA256()
            hash.update(body.utf8.span)
            let request = SignableRequest(
                headers: all.map { SignableRequest.Header($0[0], $0[1]) },
                payloadHash: hash.finish().hex
            )
            let credentials = Credentials(
                accessKeyID: accessKeyID,
                secretAccessKey: secret,
                sessionToken: token,
                source: ""
            )
            var signer = RequestSigner(region: region, service: service)
            let signed = signer.sign(request, with: credentials, at: time)
            return try #require(signed.first { $0.name == "Authorization" }).value
        }
    }
}

/// Python with AWS's own library.
private enum Botocore {
    static let isInstalled: Bool = {
        guard let trial = try? python("import botocore.auth", in: ".") else { return false }
        while trial.hasEnded == nil { usleep(10_000) }
        return trial.hasEnded == .code(0)
    }()

    static func python(_ script: String, in directory: String) throws -> Program {
        let environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("AWS_") }
        return try Program(["python3", "-c", script, directory], environment: environment)
    }
}
