import AWS
package import HTTP

/// Makes the few small requests that credentials and regions come from.
package protocol WebClient: Sendable {
    /// Sends a request and waits for its whole answer.
    func send(_ request: WebRequest) async throws(HTTPError) -> WebAnswer
}

/// A request, and how much its answer may cost.
package struct WebRequest: Sendable {
    package var method: HTTPMethod
    package var url: String
    package var headers: [HTTPHeader]
    package var body: [UInt8]

    /// Whether it goes to this host or its neighbour, and so never by a proxy.
    package var isLocal: Bool

    /// How long all of it may take.
    package var timeout: Duration

    /// Bytes of the largest answer that is taken.
    package var answerLimit: Int

    package init(
        _ method: HTTPMethod,
        _ url: String,
        headers: [HTTPHeader] = [],
        body: [UInt8] = [],
        isLocal: Bool,
        timeout: Duration,
        answerLimit: Int = 64 << 10
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.isLocal = isLocal
        self.timeout = timeout
        self.answerLimit = answerLimit
    }
}

/// What came back, whatever its status.
package struct WebAnswer: Sendable {
    package var status: Int
    package var body: [UInt8]

    /// When it was made, by the other side's clock, as the header `Date` has it.
    package var date: String?

    /// For how long it lay in a cache; nil if it did not.
    package var age: String?

    package init(status: Int, body: [UInt8], date: String? = nil, age: String? = nil) {
        self.status = status
        self.body = body
        self.date = date
        self.age = age
    }

    /// The body as one line of text; nil if it cannot be one.
    var line: String? {
        guard let text = String(validating: body, as: UTF8.self)?.trimmedSetting else { return nil }
        return text.utf8.allSatisfy { (0x20...0x7E).contains($0) } ? text : nil
    }
}

extension WebClient {
    /// Sends a request until it has an answer that is worth reading, three times at most.
    ///
    /// `cause` says why an answer is none, and nil for one that is. Without any answer, too, the request is sent again.
    func answer(
        to request: WebRequest,
        retrying cause: (WebAnswer) -> RetryStrategy.Cause? = { $0.status >= 500 ? .transient : nil }
    ) async throws(HTTPError) -> WebAnswer {
        var retries = RetryStrategy()
        var attempt = 1
        while true {
            let delay: Duration
            do throws(HTTPError) {
                let answer = try await send(request)
                guard let cause = cause(answer), let pause = retries.pause(after: attempt, cause) else { return answer }
                delay = pause
            } catch {
                guard error.isTransient, let pause = retries.pause(after: attempt, .transient) else { throw error }
                delay = pause
            }
            guard (try? await Task.sleep(for: delay)) != nil else { throw .cancelled }
            attempt += 1
        }
    }
}

extension RetryStrategy {
    fileprivate mutating func pause(after attempt: Int, _ cause: Cause) -> Duration? {
        delay(after: attempt, cause, random: Double.random(in: 0...1))
    }
}

extension HTTPError {
    /// Whether the same request may get an answer a moment later.
    fileprivate var isTransient: Bool {
        switch self {
        case .unresolved, .unconnected, .timedOut, .cut: true
        case .unusable, .insecure, .tooLarge, .cancelled: false
        }
    }
}
