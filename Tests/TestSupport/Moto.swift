import Foundation

/// A server of moto (https://docs.getmoto.org), which plays AWS: here IAM with signature checking, Firehose and S3.
///
/// It puts one object into the bucket for each request.
package struct Moto: Sendable {
    package let url: String

    /// What clients may sign with.
    package let accessKeyID: String
    package let secretAccessKey: String

    /// A role that may use both, and that may be assumed.
    package let roleARN = "arn:aws:iam::123456789012:role/shipper"

    private let server: Program

    /// Whether Python with moto and boto3 is there.
    package static let isInstalled: Bool = {
        guard let trial = try? python("import moto.server, boto3") else { return false }
        while trial.hasEnded == nil { usleep(10_000) }
        return trial.hasEnded == .code(0)
    }()

    /// Starts a server with a stream `stream` to a bucket, and a user who may use both; signatures are checked.
    package init() async throws {
        let server = try Program(["python3", "-m", "moto.server", "-p", "0"], environment: Self.environment)
        let address = /Running on (http:\/\/[0-9.:]+)/
        try await server.wait(for: "it listens") { server.log.firstMatch(of: address) != nil }
        let url = server.log.firstMatch(of: address).map { String($0.1) } ?? ""
        let keys = try await Self.output(of: Self.setup, url).split(separator: "\n").map(String.init)
        self.server = server
        self.url = url
        accessKeyID = keys[0]
        secretAccessKey = keys[1]
    }

    /// All that was delivered.
    package func delivered() async throws -> String {
        try await Self.output(of: Self.reading, url, accessKeyID, secretAccessKey)
    }

    // MARK: Python

    /// The test's own, so that Python finds its packages.
    private static let environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("AWS_") }

    private static func python(_ script: String, _ arguments: [String] = []) throws -> Program {
        try Program(["python3", "-c", script] + arguments, environment: environment)
    }

    private static func output(of script: String, _ arguments: String...) async throws -> String {
        let program = try python(script, arguments)
        guard try await program.exit() == .code(0) else { throw Failure(log: program.log) }
        return program.output
    }

    /// A script that did not succeed.
    private struct Failure: Error {
        let log: String
    }

    private static let setup = """
        import boto3, json, sys, urllib.request
        keys = dict(aws_access_key_id="setup", aws_secret_access_key="setup", region_name="us-east-1")
        def client(name): return boto3.client(name, endpoint_url=sys.argv[1], **keys)
        client("s3").create_bucket(Bucket="bucket")
        policy = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]}
        iam = client("iam")
        iam.create_user(UserName="agent")
        iam.put_user_policy(UserName="agent", PolicyName="all", PolicyDocument=json.dumps(policy))
        key = iam.create_access_key(UserName="agent")["AccessKey"]
        trust = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Principal": {"AWS": "*"},
            "Action": "sts:AssumeRole"}]}
        iam.create_role(RoleName="shipper", AssumeRolePolicyDocument=json.dumps(trust))
        iam.put_role_policy(RoleName="shipper", PolicyName="all", PolicyDocument=json.dumps(policy))
        role = "arn:aws:iam::123456789012:role/delivery"
        client("firehose").create_delivery_stream(
            DeliveryStreamName="stream",
            ExtendedS3DestinationConfiguration={"RoleARN": role, "BucketARN": "arn:aws:s3:::bucket"})
        reset = urllib.request.Request(sys.argv[1] + "/moto-api/reset-auth", data=b"0", headers={"Content-Type": "text/plain"})
        urllib.request.urlopen(reset).read()
        print(key["AccessKeyId"])
        print(key["SecretAccessKey"])
        """

    private static let reading = """
        import boto3, sys
        s3 = boto3.client("s3", endpoint_url=sys.argv[1], region_name="us-east-1",
            aws_access_key_id=sys.argv[2], aws_secret_access_key=sys.argv[3])
        for page in s3.get_paginator("list_objects_v2").paginate(Bucket="bucket"):
            for item in page.get("Contents", []):
                body = s3.get_object(Bucket="bucket", Key=item["Key"])["Body"].read()
                sys.stdout.write(body.decode())
        """
}
