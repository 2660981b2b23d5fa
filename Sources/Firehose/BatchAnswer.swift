import Bytes
package import Records

/// What the answer to a `PutRecordBatch` says about each record.
package struct BatchAnswer: Sendable, Equatable {
    /// How many records it speaks of.
    package private(set) var count = 0

    /// The refused ones, by their position in the request.
    package private(set) var refusals: [Int: Refusal] = [:]

    /// How many it says were refused.
    package private(set) var failedCount: Int?

    private static let failedPutCount = Array("FailedPutCount".utf8)
    private static let requestResponses = Array("RequestResponses".utf8)
    private static let errorCode = Array("ErrorCode".utf8)

    /// Reads an answer.
    ///
    /// - Returns: nil if `body` is anything else, such as a page for people or JSON that ends too early.
    package init?(_ body: Span<UInt8>) {
        do {
            var scanner = JSONScanner()
            var isListed = false
            try scanner.forEachMember(of: body) { (scanner, key) throws(MalformedJSON) in
                let key = body.extracting(key)
                if JSONString.matches(key, Self.failedPutCount) {
                    failedCount = try scanner.takeInteger(from: body)
                } else if JSONString.matches(key, Self.requestResponses) {
                    isListed = true
                    try takeEntries(of: body, &scanner)
                } else {
                    try scanner.skipValue(in: body)
                }
            }
            try scanner.finish(body)
            guard isListed else { return nil }
        } catch {
            return nil
        }
    }

    /// What became of a batch of `expected` records; nil when the answer cannot be about that batch.
    package func delivery(of expected: Int) -> Delivery? {
        // A count that promises more refusals than are listed leaves open which: none counts as accepted then.
        guard count == expected, failedCount ?? 0 <= refusals.count else { return nil }
        guard !refusals.isEmpty else { return .accepted }
        return .partlyAccepted((0..<count).map { refusals[$0] })
    }

    private mutating func takeEntries(of body: Span<UInt8>, _ scanner: inout JSONScanner) throws(MalformedJSON) {
        count = 0
        refusals = [:]
        try scanner.forEachElement(of: body) { scanner throws(MalformedJSON) in
            try scanner.forEachMember(of: body) { (scanner, key) throws(MalformedJSON) in
                guard JSONString.matches(body.extracting(key), Self.errorCode),
                    scanner.peek(at: body) == UInt8(ascii: "\"")
                else { return try scanner.skipValue(in: body) }
                let code = ErrorCode(JSONString.decoded(body.extracting(try scanner.takeString(from: body))))
                refusals[count] = Refusal(code: code.text, isThrottle: code.isThrottle)
            }
            count += 1
        }
    }
}
