import Foundation

/// What a `FirehoseStandIn` does with one request.
package struct StandInAnswer: Sendable {
    enum Outcome: Sendable {
        case accept
        case refuse([Int: String])
        case throttleAll
        case fail(status: Int, code: String, message: String)
        case html(status: Int)
        case body(status: Int, [UInt8])
        case shortList
        case truncated
        case huge(bytes: Int)
        case resetBeforeReading
        case resetAfterReading
        case resetAfterAccepting
    }

    var outcome: Outcome
    var headers: [String: String] = [:]
    var isChunked = false

    /// Bytes in the message with which each refused record is explained; nil is a short one.
    var explanationBytes: Int?
    var isHanging = false
    var closing = Closing.never

    enum Closing: Sendable {
        case never
        case announced
        case unannounced
    }

    /// 200, every record kept.
    package static let accept = StandInAnswer(outcome: .accept)

    /// 200, with these records refused, each with its code; the others are kept.
    package static func refuse(_ codes: [Int: String]) -> StandInAnswer { StandInAnswer(outcome: .refuse(codes)) }

    /// 200, with every record refused: `ServiceUnavailableException`, "Slow down.".
    package static let throttleAll = StandInAnswer(outcome: .throttleAll)

    /// An error with a code in the header `x-amzn-errortype` and in the body; nothing is kept.
    package static func fail(status: Int, code: String, message: String = "No.") -> StandInAnswer {
        StandInAnswer(outcome: .fail(status: status, code: code, message: message))
    }

    /// A page for people, as proxies and load balancers send; nothing is kept.
    package static func html(status: Int) -> StandInAnswer { StandInAnswer(outcome: .html(status: status)) }

    /// These bytes as they are; nothing is kept.
    package static func body(status: Int, _ text: String) -> StandInAnswer {
        StandInAnswer(outcome: .body(status: status, Array(text.utf8)))
    }

    /// 200, every record kept, but the list of answers lacks its last entry.
    package static let shortList = StandInAnswer(outcome: .shortList)

    /// 200, every record kept, but the JSON ends in the middle.
    package static let truncated = StandInAnswer(outcome: .truncated)

    /// 200 with this many bytes of JSON that mean nothing; nothing is kept.
    package static func huge(bytes: Int) -> StandInAnswer { StandInAnswer(outcome: .huge(bytes: bytes)) }

    /// The connection is reset when the first byte of the request has come.
    package static let resetBeforeReading = StandInAnswer(outcome: .resetBeforeReading)

    /// The request is read, nothing is kept, the connection is reset.
    package static let resetAfterReading = StandInAnswer(outcome: .resetAfterReading)

    /// Every record is kept, but the connection is reset before the answer: the lost acknowledgement.
    package static let resetAfterAccepting = StandInAnswer(outcome: .resetAfterAccepting)

    /// The same, but only once `FirehoseStandIn.release()` is called.
    package var hanging: StandInAnswer { changed { $0.isHanging = true } }

    /// The same, with the body in chunks instead of a `Content-Length`.
    package var chunked: StandInAnswer { changed { $0.isChunked = true } }

    /// The same, but each refused record is explained at this length.
    package func explained(inBytes count: Int) -> StandInAnswer { changed { $0.explanationBytes = count } }

    /// The same, and the connection is closed after it, as the answer says.
    package var closingAfterwards: StandInAnswer { changed { $0.closing = .announced } }

    /// The same, and the connection is closed after it although the answer does not say so.
    package var closingUnannounced: StandInAnswer { changed { $0.closing = .unannounced } }

    /// The same, with one more header, or another value of one.
    package func header(_ name: String, _ value: String) -> StandInAnswer { changed { $0.headers[name] = value } }

    /// The same, from a server whose clock is this many seconds ahead of ours.
    package func clockAhead(bySeconds seconds: Int) -> StandInAnswer {
        header("Date", Self.httpDate(Date(timeIntervalSinceNow: TimeInterval(seconds))))
    }

    /// A date in the form of HTTP headers: `Sun, 06 Nov 1994 08:49:37 GMT`.
    static func httpDate(_ date: Date) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.string(from: date)
    }

    private func changed(_ change: (inout StandInAnswer) -> Void) -> StandInAnswer {
        var copy = self
        change(&copy)
        return copy
    }
}
