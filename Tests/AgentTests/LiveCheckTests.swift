import Foundation
import TestSupport
import Testing

/// `firetail check --live`: what the service says of the streams.
@Suite(.timeLimit(.minutes(2))) struct LiveCheckTests {
    private func check(
        _ scene: AgentScene
    ) async throws -> (output: String, errors: String, exit: Program.Exit) {
        let content = try JSONSerialization.data(withJSONObject: scene.agentKeys.merging(["flows": scene.flows]) { $1 })
        try scene.configure(with: content)
        let program = try Program(agent: ["check", "--live", "-c", scene.configurationPath])
        let exit = try await program.exit()
        #expect(!(program.output + program.log).contains("wJalrXUtnFEMI"))
        #expect(!(program.output + program.log).contains("AKIDEXAMPLE"))
        return (program.output, program.log, exit)
    }

    private func description(_ destination: String, status: String = "ACTIVE", type: String = "DirectPut") -> String {
        """
        {"DeliveryStreamDescription": {"DeliveryStreamName": "stream", "DeliveryStreamStatus": "\(status)",
        "DeliveryStreamARN": "arn:aws:firehose:us-east-1:123456789012:deliverystream/stream",
        "DeliveryStreamType": "\(type)", "VersionId": "1", "HasMoreDestinations": false,
        "Destinations": [{"DestinationId": "d-1", \(destination)}]}}
        """
    }

    private let bucket = #""S3DestinationDescription": {}, "ExtendedS3DestinationDescription": {"RoleARN": "r"}"#

    @Test func `a stream that suits is described, with what it costs and what must be allowed`() async throws {
        let scene = try AgentScene()
        scene.standIn.enqueue(.body(status: 200, description(bucket)))
        try scene.append(String(repeating: String(repeating: "x", count: 511) + "\n", count: 1_000))
        let report = try await check(scene)
        #expect(report.exit == .code(0))
        #expect(report.errors.isEmpty)
        let expected = """

            Stream        stream: ACTIVE, delivers to an S3 bucket

            Cost, flow 1  billed about 10.0 times the bytes that are read \
            (511 lines of 261.6 kB are 511 records billed as 2.6 MB)
                          with lines joined ("aggregatedRecordSizeBytes": 1024000): about 1.0 times the bytes that are read

            The least that these credentials must be allowed:

            {
                "Version": "2012-10-17",
                "Statement": [
                    {
                        "Effect": "Allow",
                        "Action": ["firehose:PutRecordBatch", "firehose:DescribeDeliveryStream"],
                        "Resource": [
                            "arn:aws:firehose:us-east-1:123456789012:deliverystream/stream"
                        ]
                    }
                ]
            }

            """
        #expect(report.output.hasSuffix(expected), "\(report.output)")
        #expect(report.output.contains("Credentials   awsAccessKeyId and awsSecretAccessKey of the configuration\n"))
        #expect(scene.standIn.requests.map(\.operation) == ["DescribeDeliveryStream"])
    }

    @Test(
        arguments: [
            (#""AmazonopensearchserviceDestinationDescription": {"DomainARN": "d"}"#, "an OpenSearch domain", true),
            (#""SplunkDestinationDescription": {"HECEndpointType": "Event"}"#, "Splunk", true),
            (#""SplunkDestinationDescription": {"HECEndpointType": "Raw"}"#, "Splunk", false),
            (#""HttpEndpointDestinationDescription": {}"#, "an HTTP endpoint", true),
            (#""RedshiftDestinationDescription": {}"#, "Redshift", false),
            (#""FutureDestinationDescription": {}"#, "something that this version does not know", false),
        ]
    )
    func `joined lines are warned of where a record is an event`(
        destination: String,
        words: String,
        warns: Bool
    ) async throws {
        let scene = try AgentScene(flow: ["aggregatedRecordSizeBytes": 1_000, "compression": "gzip"])
        scene.standIn.enqueue(.body(status: 200, description(destination)))
        let report = try await check(scene)
        #expect(report.exit == .code(0))
        #expect(report.output.contains("stream: ACTIVE, delivers to \(words)"))
        #expect(report.output.contains("set aggregatedRecordSizeBytes to 0") == warns)
        #expect(report.output.contains("set compression to none") == warns)
        #expect(report.output.contains("Cost, flow 1  unknown: there are no lines"))
    }

    @Test(
        arguments: [
            (StandInAnswer.fail(status: 400, code: "ResourceNotFoundException"), "create the stream, or correct"),
            (.fail(status: 400, code: "AccessDeniedException"), "allow it with the policy below"),
            (.fail(status: 403, code: "InvalidSignatureException"), "check the secret of the access key"),
            (.fail(status: 500, code: "InternalFailure"), "try again later"),
            (.html(status: 200), "something else has answered"),
            (.resetAfterReading, "check region, firehose.endpoint, HTTPS_PROXY"),
        ]
    )
    func `what is wrong is said with what to do, and the exit code is 1`(
        answer: StandInAnswer,
        advice: String
    ) async throws {
        let scene = try AgentScene()
        scene.standIn.answerByDefault { _ in answer }
        let report = try await check(scene)
        #expect(report.exit == .code(1))
        #expect(report.errors.hasPrefix("firetail: stream: "))
        #expect(report.errors.contains(advice), "\(report.errors)")
        #expect(report.output.contains("\"arn:aws:firehose:us-east-1:*:deliverystream/stream\""))
    }

    /// An account may ask five times a second, however many streams it has.
    @Test func `one who asks too often waits`() async throws {
        let scene = try AgentScene()
        scene.standIn.enqueue(
            .fail(status: 400, code: "LimitExceededException"),
            .fail(status: 400, code: "ThrottlingException"),
            .body(status: 200, description(bucket))
        )
        let report = try await check(scene)
        #expect(report.exit == .code(0), "\(report.errors)")
        #expect(scene.standIn.requests.count == 3)
    }

    @Test func `a server that cannot be trusted is a matter of authorities, and not of the route`() async throws {
        let scene = try AgentScene()
        let server = try LoopbackServer { $0.write(Array("this is no TLS\r\n".utf8)) }
        scene.agentKeys["firehose.endpoint"] = server.url.replacing("http:", with: "https:")
        let report = try await check(scene)
        #expect(report.exit == .code(1))
        #expect(report.errors.contains("no trusted TLS connection: "), "\(report.errors)")
        #expect(report.errors.contains("name its file in tls.caFile"), "\(report.errors)")
        #expect(!report.errors.contains("firewall"))
    }

    @Test(arguments: [("CREATING", "CREATING"), ("", "in no known state")])
    func `a stream that takes no records is found out`(status: String, words: String) async throws {
        let scene = try AgentScene()
        scene.standIn.enqueue(.body(status: 200, description(bucket, status: status, type: "KinesisStreamAsSource")))
        let report = try await check(scene)
        #expect(report.exit == .code(1))
        #expect(report.errors.contains("stream is \(words); only an ACTIVE stream takes records\n"))
        #expect(report.errors.contains("takes its records from elsewhere (KinesisStreamAsSource)"))
    }

    @Test func `a network that is not there is asked once`() async throws {
        let scene = try AgentScene()
        var second = scene.flows[0]
        second["deliveryStream"] = "another"
        scene.flows.append(second)
        scene.standIn.stop()
        let report = try await check(scene)
        #expect(report.exit == .code(1))
        #expect(report.errors.split(separator: "\n").count == 1)
        #expect(report.output.contains("deliverystream/another"))
    }

    @Test func `a directory has no service to ask`() async throws {
        let scene = try AgentScene()
        scene.agentKeys["firehose.endpoint"] = "file://" + scene.directory.path("out")
        let report = try await check(scene)
        #expect(report.exit == .code(0))
        #expect(report.output.hasSuffix("Live          records go to a directory, so there is no service to ask\n"))
    }

    @Test(.enabled(if: Moto.isInstalled, "python3 with moto[server] and boto3 is not installed"))
    func `a service that checks signatures describes the stream, and refuses a wrong secret`() async throws {
        let moto = try await Moto()
        let scene = try AgentScene(
            agent: [
                "firehose.endpoint": moto.url, "awsAccessKeyId": moto.accessKeyID,
                "awsSecretAccessKey": moto.secretAccessKey,
            ]
        )
        let right = try await check(scene)
        #expect(right.exit == .code(0), "\(right.errors)")
        #expect(right.output.contains("stream: ACTIVE, delivers to an S3 bucket"))
        #expect(right.output.contains("\"arn:aws:firehose:us-east-1:123456789012:deliverystream/stream\""))
        #expect(!right.output.contains(moto.accessKeyID))
        scene.flows[0]["deliveryStream"] = "none"
        #expect(try await check(scene).errors.contains("ResourceNotFoundException"))
        scene.agentKeys["awsSecretAccessKey"] = "wrong" + moto.secretAccessKey
        let wrong = try await check(scene)
        #expect(wrong.exit == .code(1))
        #expect(wrong.errors.contains("check the secret of the access key"))
    }
}
