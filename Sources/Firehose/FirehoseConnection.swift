import AWS
import Bytes
import Crypto
import HTTP
import Platform
import Records

/// One connection to the service with its memory and its thread; it serves one request after another.
actor FirehoseConnection {
    private let endpoint: Endpoint
    private let userAgent: String
    private let executor = QueueExecutor(label: "firetail.firehose")
    private let connection: HTTPConnection
    private var signer: RequestSigner
    private var body = BodyBuffer()
    private var bodyHash = ""
    private var response = HTTPResponse()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.reference }

    init(to endpoint: Endpoint, _ options: HTTPOptions, userAgent: String) throws(HTTPError) {
        self.endpoint = endpoint
        self.userAgent = userAgent
        connection = try HTTPConnection(options)
        signer = RequestSigner(region: endpoint.region)
    }

    /// Writes and hashes the body of the requests to come.
    ///
    /// - Returns: what interrupts them.
    func load(_ batch: RecordBatch, to stream: StreamName) -> HTTPInterrupt {
        PutRecordBatch.encode(batch, to: stream, into: &body)
        bodyHash = SHA256.hash(of: body.bytes.span).hex
        return connection.makeInterrupt()
    }

    /// Sends what is loaded; again with other credentials or another time, if need be.
    func send(
        with credentials: Credentials,
        at unixSeconds: Int,
        interrupt: HTTPInterrupt
    ) throws(HTTPError) -> Answer {
        let signed: [SignableRequest.Header] = [
            .init("Host", endpoint.host),
            .init("Content-Type", "application/x-amz-json-1.1"),
            .init("X-Amz-Target", "Firehose_20150804.PutRecordBatch"),
        ]
        let request = SignableRequest(headers: signed, payloadHash: bodyHash)
        let headers = signed + signer.sign(request, with: credentials, at: unixSeconds)
        try connection.post(
            endpoint.url + "/",
            headers: headers.map { HTTPHeader($0.name, $0.value) } + [HTTPHeader("User-Agent", userAgent)],
            body: body.bytes.span,
            into: &response,
            interrupt: interrupt
        )
        return Answer(response)
    }

    /// What came back, read.
    struct Answer: Sendable {
        enum Content: Sendable {
            /// The service took the request; what became of its records is in here.
            case batch(BatchAnswer)
            /// It says that it took the request, but not in words that can be read.
            case unreadable
            case error(ServiceError)
        }

        var content: Content
        var date: String?
        var age: String?
        var retryAfter: Duration?

        init(_ response: HTTPResponse) {
            if response.status == 200 {
                content = BatchAnswer(response.body.span).map { .batch($0) } ?? .unreadable
            } else {
                let header = response.header("x-amzn-errortype")
                content = .error(ServiceError(status: response.status, header: header, body: response.body.span))
            }
            date = response.header("date")
            age = response.header("age")
            retryAfter = RetryAfter.duration(
                milliseconds: response.header("x-amz-retry-after"),
                seconds: response.header("retry-after")
            )
        }
    }
}

/// For how long a service asks to be left alone.
enum RetryAfter {
    /// Nobody is believed who asks for more.
    static let limit = Duration.seconds(300)

    /// Reads `x-amz-retry-after` (milliseconds) and, without it, `Retry-After` as far as it is a number and not a date.
    static func duration(milliseconds: String?, seconds: String?) -> Duration? {
        let asked =
            milliseconds.flatMap { Int($0) }.map { Duration.milliseconds($0) }
            ?? seconds.flatMap { Int($0) }.map { Duration.seconds($0) }
        guard let asked, asked >= .zero else { return nil }
        return min(asked, limit)
    }
}
