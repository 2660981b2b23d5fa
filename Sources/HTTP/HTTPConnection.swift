import Bytes
import CCurl

/// A client of one server that keeps its connection open from request to request.
///
/// Its methods block; it belongs to one thread at a time. libcurl sends a request again by itself, once more and on a fresh
/// connection, when a kept connection turns out to be closed before any byte of an answer.
@safe
package final class HTTPConnection {
    private let multi: Multi
    private let easy: EasyHandle
    private let transfer: Transfer

    package init(_ options: HTTPOptions) throws(HTTPError) {
        multi = try Multi()
        easy = try EasyHandle()
        transfer = Transfer(limit: options.responseLimit)
        try easy.apply(options)
        easy.receive(into: transfer)
    }

    /// What interrupts of its requests are made with.
    package var wakeUp: HTTPWakeUp { HTTPWakeUp(multi: multi) }

    /// Sends a request with a body and waits for its whole answer.
    ///
    /// Sent are `headers`, `Host` (unless it is among them) and `Content-Length`. The body is lent, and never copied as a
    /// whole; the memory of `response` is used again.
    package func post(
        _ url: String,
        headers: [HTTPHeader],
        body: Span<UInt8>,
        into response: inout HTTPResponse,
        interrupt: HTTPInterrupt? = nil
    ) throws(HTTPError) {
        try send(.post, url, headers: headers, body: body, into: &response, interrupt: interrupt)
    }

    /// The same with another method; `get` sends no body.
    package func send(
        _ method: HTTPMethod,
        _ url: String,
        headers: [HTTPHeader],
        body: Span<UInt8>,
        into response: inout HTTPResponse,
        interrupt: HTTPInterrupt? = nil
    ) throws(HTTPError) {
        var list = try HeaderList()
        for header in headers { try list.append(header) }
        try easy.set(CURLOPT_URL, url)
        easy.set(CURLOPT_HTTPHEADER, list)
        transfer.begin(reusing: &response)
        defer { transfer.end(giving: &response) }
        let result = try unsafe body.withUnsafeBufferPointer { bytes throws(HTTPError) -> CURLcode in
            if method != .get { unsafe easy.lend(bytes) }
            defer { easy.endLending() }
            // A body that is lent has made it a POST.
            try easy.set(method)
            return try perform(interrupt)
        }
        guard result == CURLE_OK else { throw transfer.error(for: result, easy) }
        transfer.response.status = easy.responseStatus
    }

    /// Runs the transfer that is set up to its end.
    private func perform(_ interrupt: HTTPInterrupt?) throws(HTTPError) -> CURLcode {
        guard unsafe curl_multi_add_handle(multi.handle, easy.handle) == CURLM_OK else {
            throw .unusable(reason: "libcurl did not take the request")
        }
        // Taking the handle out while it works is what closes the connection of an interrupted request.
        defer { _ = unsafe curl_multi_remove_handle(multi.handle, easy.handle) }
        while true {
            if let interrupt, interrupt.isRaised { throw .cancelled }
            let received = transfer.response.body.count
            var runningCount: CInt = 0
            var result = CURLE_OK
            guard unsafe curl_multi_perform(multi.handle, &runningCount) == CURLM_OK else {
                throw .cut(reason: "libcurl could not go on")
            }
            if unsafe ccurl_multi_result(multi.handle, &result) == 1 { return result }
            // Each call takes one TLS record of an answer; where one came, the next is mostly there.
            if transfer.response.body.count > received { continue }
            // Woken by data, by libcurl's own timers or by the interrupt; the minute is only a bound.
            _ = unsafe curl_multi_poll(multi.handle, nil, 0, 60_000, nil)
        }
    }
}
