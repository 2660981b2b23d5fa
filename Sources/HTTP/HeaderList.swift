import CCurl

/// One header of a request.
package struct HTTPHeader: Sendable, Equatable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// Headers as libcurl wants them, freed with their owner.
@safe
struct HeaderList: ~Copyable {
    private(set) var first: UnsafeMutablePointer<curl_slist>?

    /// What libcurl would add by itself and we do not want: `Expect` costs a round trip.
    init() throws(HTTPError) {
        unsafe first = nil
        try append("Expect:")
        try append("Accept:")
    }

    deinit {
        unsafe curl_slist_free_all(first)
    }

    /// Adds a header, whose value must not be able to smuggle in another one.
    mutating func append(_ header: HTTPHeader) throws(HTTPError) {
        let line = header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)"
        guard !line.utf8.contains(where: { $0 == 0x0a || $0 == 0x0d || $0 == 0 }) else {
            throw .unusable(reason: "the value of the header \(header.name) contains a line break")
        }
        try append(line)
    }

    private mutating func append(_ line: String) throws(HTTPError) {
        guard let extended = unsafe curl_slist_append(first, line) else {
            throw .unusable(reason: "no memory for the headers of a request")
        }
        unsafe first = extended
    }
}
