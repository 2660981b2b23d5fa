/// A request in the one form that both sides of a signature compute.
struct CanonicalRequest: Sendable {
    /// The form itself, to be hashed.
    let text: String

    /// The names of the headers in it, sorted and separated by `;`.
    let signedHeaders: String

    /// - Parameters:
    ///   - request: what is signed.
    ///   - normalizingPath: whether `.`, `..` and empty segments are resolved; all services but S3 want it.
    init(_ request: SignableRequest, normalizingPath: Bool) {
        let headers = Self.headers(request.headers)
        signedHeaders = headers.map(\.name).joined(separator: ";")
        let lines = headers.map { "\($0.name):\($0.value)\n" }.joined()
        let path = normalizingPath ? Self.normalized(request.path) : request.path
        text = """
            \(request.method)
            \(PercentEncoding.encode(path.utf8, keepingSlashes: true))
            \(Self.query(request.query))
            \(lines)
            \(signedHeaders)
            \(request.payloadHash)
            """
    }

    /// Resolves `.`, `..` and empty segments; a slash at the end stays.
    private static func normalized(_ path: String) -> String {
        var segments: [Substring] = []
        for segment in path.split(separator: "/") {
            switch segment {
            case ".": continue
            case "..": _ = segments.popLast()
            default: segments.append(segment)
            }
        }
        guard !segments.isEmpty else { return "/" }
        return "/" + segments.joined(separator: "/") + (path.hasSuffix("/") ? "/" : "")
    }

    /// Encodes names and values afresh and sorts by both, as bytes.
    private static func query(_ query: String) -> String {
        query.utf8.split(separator: UInt8(ascii: "&")).map { pair in
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            let value = pair[name.endIndex...].dropFirst()
            return (
                name: PercentEncoding.encode(PercentEncoding.decode(name)),
                value: PercentEncoding.encode(PercentEncoding.decode(value))
            )
        }
        .sorted { ($0.name, $0.value) < ($1.name, $1.value) }
        .map { "\($0.name)=\($0.value)" }
        .joined(separator: "&")
    }

    /// Names in lower case and sorted, values with single blanks, equal names joined by commas.
    private static func headers(_ headers: [SignableRequest.Header]) -> [(name: String, value: String)] {
        let entries = headers.map { (name: $0.name.lowercased(), value: singleBlanks($0.value)) }
        // The sort is stable, so values of one name stay in order.
        var merged: [(name: String, value: String)] = []
        for entry in entries.sorted(by: { $0.name < $1.name }) {
            if merged.last?.name == entry.name {
                merged[merged.count - 1].value += "," + entry.value
            } else {
                merged.append(entry)
            }
        }
        return merged
    }

    /// The value without blanks around it and with one for each run of them inside.
    private static func singleBlanks(_ value: String) -> String {
        let words = value.utf8.split {
            $0 == UInt8(ascii: " ") || (UInt8(ascii: "\t")...UInt8(ascii: "\r")).contains($0)
        }
        return String(decoding: Array(words.joined(separator: [UInt8(ascii: " ")])), as: UTF8.self)
    }
}
