import Bytes

/// What an answer other than 200 says.
package struct ServiceError: Sendable, Equatable {
    /// The HTTP status.
    package var status: Int

    /// Nil when neither the header nor the body names one.
    package var code: ErrorCode?

    /// The service's words, which may quote a record; empty for none.
    package var message: String

    /// How the service calls the request, for its support.
    package var requestID: String?

    /// When the service asks to be left alone for a while.
    package var retryAfter: Duration?

    package init(status: Int, code: ErrorCode?, message: String = "") {
        self.status = status
        self.code = code
        self.message = message
    }

    /// Reads the answer; `header` is the value of `x-amzn-errortype`, which goes before what the body says.
    package init(status: Int, header: String?, body: Span<UInt8>) {
        let content = Self.content(of: body) ?? Self.contentInXML(body)
        let code = [header, content.type, content.code].lazy.compactMap { $0 }.first { !$0.isEmpty }
        self.init(status: status, code: code.map { ErrorCode($0) }, message: content.message ?? "")
    }

    /// Reads what older services and emulators answer: `<Error><Code>…</Code><Message>…</Message></Error>`.
    private static func contentInXML(_ body: Span<UInt8>) -> Content {
        let text = String(copying: body)
        return Content(code: text.element("Code"), message: text.element("Message"))
    }

    private struct Content {
        var type: String?
        var code: String?
        var message: String?
    }

    /// - Returns: nil if the body is not a JSON object.
    private static func content(of body: Span<UInt8>) -> Content? {
        do {
            var content = Content()
            var scanner = JSONScanner()
            try scanner.forEachMember(of: body) { (scanner, key) throws(MalformedJSON) in
                guard scanner.peek(at: body) == UInt8(ascii: "\"") else { return try scanner.skipValue(in: body) }
                let value = try scanner.takeString(from: body)
                switch JSONString.decoded(body.extracting(key)) {
                case "__type": content.type = JSONString.decoded(body.extracting(value))
                case "code", "Code": content.code = JSONString.decoded(body.extracting(value))
                case "message", "Message": content.message = JSONString.decoded(body.extracting(value))
                default: break
                }
            }
            try scanner.finish(body)
            return content
        } catch {
            return nil
        }
    }
}

extension String {
    /// What stands in the first XML element of this name; nil if there is none, or one with others in it.
    fileprivate func element(_ name: String) -> String? {
        let tags = split(separator: "<", omittingEmptySubsequences: false)
        guard let start = tags.firstIndex(where: { $0.hasPrefix(name + ">") }),
            start + 1 < tags.count, tags[start + 1].hasPrefix("/" + name + ">")
        else { return nil }
        return String(tags[start].dropFirst(name.count + 1))
    }
}
