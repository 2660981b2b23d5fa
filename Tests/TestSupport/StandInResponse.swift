import Foundation

/// The bytes of one HTTP answer, made from what the script says and what the client sent.
struct StandInResponse {
    let bytes: [UInt8]
    let keepsConnection: Bool

    /// Keeps the accepted records in `script`.
    ///
    /// - Returns: nil if the connection is to be reset instead.
    init?(_ answer: StandInAnswer, to request: FirehoseStandIn.Request, keepingIn script: StandInScript) {
        var status = 200
        var headers = ["Content-Type": "application/x-amz-json-1.1", "Date": StandInAnswer.httpDate(Date())]
        headers["x-amzn-RequestId"] = "request \(script.requests.count)"
        var body: [UInt8] = []
        let refused = answer.refusals(of: request.records.count)
        switch answer.outcome {
        case .accept, .refuse, .throttleAll:
            body = Self.result(of: request, refused: refused, script)
        case .shortList:
            body = Self.entries(of: request.records.count - 1, refused: [:])
        case .truncated:
            body = Array(Self.entries(of: request.records.count, refused: [:]).dropLast(20))
        case .fail(let code, let type, let message):
            status = code
            headers["x-amzn-errortype"] = "\(type):http://internal.amazon.com/coral/"
            body = Self.json(["__type": "com.amazonaws.firehose#\(type)", "message": message])
        case .html(let code):
            status = code
            headers["Content-Type"] = "text/html"
            body = Array("<html><body><h1>Bad Gateway</h1></body></html>".utf8)
        case .body(let code, let content):
            status = code
            body = content
        case .huge(let count):
            body = Array("{\"FailedPutCount\":0,\"Padding\":\"".utf8) + [UInt8](repeating: 0x78, count: count)
        case .resetAfterAccepting:
            script.keep(request.records, of: request.stream)
            return nil
        case .resetBeforeReading, .resetAfterReading:
            return nil
        }
        if answer.keepsRecords {
            let kept = request.records.enumerated().filter { refused[$0.offset] == nil }.map(\.element)
            script.keep(kept, of: request.stream)
        }
        headers.merge(answer.headers) { _, scripted in scripted }
        bytes = Self.message(status: status, headers: headers, body: body, answer)
        keepsConnection = answer.closing == .never
    }

    private static func message(
        status: Int,
        headers: [String: String],
        body: [UInt8],
        _ answer: StandInAnswer
    ) -> [UInt8] {
        var head = "HTTP/1.1 \(status) Answer\r\n"
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) { head += "\(name): \(value)\r\n" }
        if answer.closing == .announced { head += "Connection: close\r\n" }
        guard answer.isChunked else {
            return Array((head + "Content-Length: \(body.count)\r\n\r\n").utf8) + body
        }
        var message = Array((head + "Transfer-Encoding: chunked\r\n\r\n").utf8)
        for start in stride(from: 0, to: body.count, by: 100) {
            let chunk = body[start..<min(start + 100, body.count)]
            message += Array((String(chunk.count, radix: 16) + "\r\n").utf8) + chunk + Array("\r\n".utf8)
        }
        return message + Array("0\r\n\r\n".utf8)
    }

    /// What the service answers when it did what was asked.
    private static func result(
        of request: FirehoseStandIn.Request,
        refused: [Int: (code: String, message: String)],
        _ script: StandInScript
    ) -> [UInt8] {
        switch request.operation {
        case "PutRecord":
            return json(["RecordId": "Rid", "Encrypted": false])
        case "ListDeliveryStreams":
            return json(["DeliveryStreamNames": script.streams, "HasMoreDeliveryStreams": false])
        case "DescribeDeliveryStream":
            let description: [String: Any] = ["DeliveryStreamName": request.stream, "DeliveryStreamStatus": "ACTIVE"]
            return json(["DeliveryStreamDescription": description])
        default:
            return entries(of: request.records.count, refused: refused)
        }
    }

    private static func entries(of count: Int, refused: [Int: (code: String, message: String)]) -> [UInt8] {
        let entries = (0..<count).map { index -> [String: String] in
            guard let refusal = refused[index] else { return ["RecordId": String(repeating: "Rid/", count: 55)] }
            return ["ErrorCode": refusal.code, "ErrorMessage": refusal.message]
        }
        return json(["FailedPutCount": refused.count, "Encrypted": false, "RequestResponses": entries])
    }

    private static func json(_ object: [String: Any]) -> [UInt8] {
        guard let data = try? JSONSerialization.data(withJSONObject: object) else { return [] }
        return [UInt8](data)
    }
}

extension StandInAnswer {
    /// Whether records that are not refused one by one are kept.
    var keepsRecords: Bool {
        switch outcome {
        case .accept, .refuse, .throttleAll, .shortList, .truncated, .resetAfterAccepting: true
        default: false
        }
    }

    fileprivate func refusals(of count: Int) -> [Int: (code: String, message: String)] {
        switch outcome {
        case .refuse(let codes):
            codes.filter { $0.key < count }.mapValues { code in
                (code, explanationBytes.map { String(repeating: "x", count: $0) } ?? "Refused.")
            }
        case .throttleAll:
            Dictionary(
                uniqueKeysWithValues: (0..<count).map { ($0, ("ServiceUnavailableException", "Slow down.")) }
            )
        default: [:]
        }
    }
}
