import Bytes
package import Records

/// What the service tells of a delivery stream, as far as it matters to who sends to it.
package struct StreamDescription: Sendable, Equatable {
    /// Its full name, with region and account.
    package var arn: String?

    /// Such as `ACTIVE`; only an active one takes records.
    package var status = ""

    /// Such as `DirectPut`; a stream of another type takes no records from callers.
    package var type: String?

    /// Nil for one that is newer than this program.
    package var destinations: [DestinationKind?] = []

    /// Whether Splunk gets the records as raw text, which it cuts into lines itself.
    package var isRawSplunk = false

    /// Whether lines that share a record are not told apart where the stream delivers to.
    package var takesRecordsAsEvents: Bool {
        destinations.contains { $0?.takesRecordsAsEvents == true && !($0 == .splunk && isRawSplunk) }
    }

    /// Reads an answer; nil if it describes nothing.
    package init?(answer text: Span<UInt8>) {
        do {
            var scanner = JSONScanner()
            var found = false
            try scanner.forEachMember(of: text) { (scanner, key) throws(MalformedJSON) in
                guard JSONString.decoded(text.extracting(key)) == "DeliveryStreamDescription" else {
                    return try scanner.skipValue(in: text)
                }
                found = true
                try readDescription(from: text, &scanner)
            }
            try scanner.finish(text)
            guard found else { return nil }
        } catch {
            return nil
        }
    }

    private mutating func readDescription(
        from text: Span<UInt8>,
        _ scanner: inout JSONScanner
    ) throws(MalformedJSON) {
        try scanner.forEachMember(of: text) { (scanner, key) throws(MalformedJSON) in
            switch JSONString.decoded(text.extracting(key)) {
            case "DeliveryStreamARN": arn = try scanner.takeText(from: text)
            case "DeliveryStreamStatus": status = try scanner.takeText(from: text) ?? ""
            case "DeliveryStreamType": type = try scanner.takeText(from: text)
            case "Destinations":
                try scanner.forEachElement(of: text) { scanner throws(MalformedJSON) in
                    try readDestination(from: text, &scanner)
                }
            default: try scanner.skipValue(in: text)
            }
        }
    }

    private mutating func readDestination(
        from text: Span<UInt8>,
        _ scanner: inout JSONScanner
    ) throws(MalformedJSON) {
        var members: Set<String> = []
        try scanner.forEachMember(of: text) { (scanner, key) throws(MalformedJSON) in
            let name = JSONString.decoded(text.extracting(key))
            members.insert(name)
            guard name == DestinationKind.splunk.rawValue else { return try scanner.skipValue(in: text) }
            try scanner.forEachMember(of: text) { (scanner, key) throws(MalformedJSON) in
                guard JSONString.decoded(text.extracting(key)) == "HECEndpointType" else {
                    return try scanner.skipValue(in: text)
                }
                isRawSplunk = try scanner.takeText(from: text) == "Raw"
            }
        }
        destinations.append(DestinationKind { members.contains($0) })
    }
}

extension JSONScanner {
    /// Takes a value; gives its text if it is a string.
    fileprivate mutating func takeText(from text: Span<UInt8>) throws(MalformedJSON) -> String? {
        guard peek(at: text) == UInt8(ascii: "\"") else {
            try skipValue(in: text)
            return nil
        }
        return JSONString.decoded(text.extracting(try takeString(from: text)))
    }
}

extension FirehoseDestination {
    /// Asks the service about a stream; nothing is sent to it.
    package func describe(_ stream: StreamName) async throws(CallError) -> StreamDescription {
        // A stream's name has nothing that JSON would escape.
        let body = Array(#"{"DeliveryStreamName":"\#(stream.text)"}"#.utf8)
        return try await service.call(.json(.describeDeliveryStream, body: body)) { StreamDescription(answer: $0) }
    }
}
