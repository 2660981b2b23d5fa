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

    /// What interrupts of its requests are made with.
    nonisolated let wakeUp: HTTPWakeUp
    private var signer: RequestSigner
    private var body = BodyBuffer()
    private var target = ""
    private var bodyHash = ""
    private var response = HTTPResponse()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.reference }

    init(to endpoint: Endpoint, _ options: HTTPOptions, userAgent: String) throws(HTTPError) {
        self.endpoint = endpoint
        self.userAgent = userAgent
        connection = try HTTPConnection(options)
        wakeUp = connection.wakeUp
        signer = RequestSigner(region: endpoint.region)
    }

    /// Writes the body of a request, for this attempt and those that send it again.
    private func load(_ request: FirehoseRequest) {
        switch request {
        case .batch(let batch, let stream):
            PutRecordBatch.encode(batch, to: stream, into: &body)
        case .json(_, let json):
            body.prepare(for: json.count)
            body.write { $0 += json }
        }
        target = request.operation.target
        bodyHash = SHA256.hash(of: body.bytes.span).hex
    }

    /// Sends a request; without one the last again, with other credentials or another time.
    ///
    /// `read` is for the body of an answer with status 200.
    func send<Answer: Sendable>(
        _ request: FirehoseRequest?,
        with credentials: Credentials,
        at unixSeconds: Int,
        interrupt: HTTPInterrupt,
        reading read: @Sendable (Span<UInt8>) -> Answer?
    ) throws(CallError) -> Reply<Answer> {
        if let request { load(request) }
        let signed: [SignableRequest.Header] = [
            .init("Host", endpoint.host),
            .init("Content-Type", "application/x-amz-json-1.1"),
            .init("X-Amz-Target", target),
        ]
        let signable = SignableRequest(headers: signed, payloadHash: bodyHash)
        let headers = signed + signer.sign(signable, with: credentials, at: unixSeconds)
        do {
            try connection.post(
                endpoint.url + "/",
                headers: headers.map { HTTPHeader($0.name, $0.value) } + [HTTPHeader("User-Agent", userAgent)],
                body: body.bytes.span,
                into: &response,
                interrupt: interrupt
            )
        } catch {
            throw error == .cancelled ? .cancelled : .transport(error)
        }
        return Reply(response, hiding: credentials.secrets, reading: read)
    }

    /// What came back, read.
    struct Reply<Answer: Sendable>: Sendable {
        enum Content: Sendable {
            /// The service did what it was asked to.
            case answer(Answer)
            /// It says that it took the request, but not in words that can be read.
            case unreadable
            case error(ServiceError)
        }

        var content: Content
        var requestID: String?
        var date: String?
        var age: String?

        init(_ response: HTTPResponse, hiding secrets: [String], reading read: (Span<UInt8>) -> Answer?) {
            requestID = response.header("x-amzn-requestid").map { LogText.printable($0, limit: 100) }
            date = response.header("date")
            age = response.header("age")
            if response.status == 200 {
                content = read(response.body.span).map { .answer($0) } ?? .unreadable
            } else {
                var error = ServiceError(response, requestID: requestID)
                // About a signature the service quotes what it has seen, the session token included.
                error.message = LogText.text(error.message, hiding: secrets)
                content = .error(error)
            }
        }
    }
}

extension ServiceError {
    fileprivate init(_ response: HTTPResponse, requestID: String?) {
        let header = response.header("x-amzn-errortype")
        self.init(status: response.status, header: header, body: response.body.span)
        self.requestID = requestID
        retryAfter = RetryAfter.duration(
            milliseconds: response.header("x-amz-retry-after"),
            seconds: response.header("retry-after")
        )
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
