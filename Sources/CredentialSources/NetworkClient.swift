package import HTTP
import Platform

/// Sends requests over the network, one after the other, on a thread of its own.
///
/// Each has a connection of its own: hours lie between them.
package actor NetworkClient: WebClient {
    private let executor = QueueExecutor(label: "firetail.credentials")
    private let options: HTTPOptions

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.reference }

    /// - Parameter options: TLS and proxy of requests that leave this host; times and sizes come with each request.
    package init(_ options: HTTPOptions) {
        self.options = options
    }

    package func send(_ request: WebRequest) throws(HTTPError) -> WebAnswer {
        try Self.answer(to: request, options)
    }

    /// The same on the calling thread, which waits.
    static func answer(to request: WebRequest, _ options: HTTPOptions) throws(HTTPError) -> WebAnswer {
        var options = options
        if request.isLocal { options.proxy = .direct }
        options.connectTimeout = min(options.connectTimeout, request.timeout)
        options.requestTimeout = request.timeout
        options.responseLimit = request.answerLimit
        let connection = try HTTPConnection(options)
        var response = HTTPResponse()
        try connection.send(
            request.method,
            request.url,
            headers: request.headers,
            body: request.body.span,
            into: &response
        )
        return WebAnswer(
            status: response.status,
            body: response.body,
            date: response.header("date"),
            age: response.header("age")
        )
    }
}
