import Bytes

/// What a server answered; one value serves for many requests and keeps its memory.
package struct HTTPResponse: Sendable {
    /// The status, such as 200.
    package internal(set) var status = 0
    package internal(set) var body: [UInt8] = []

    /// Values by lower-case name.
    private var headers: [String: String] = [:]

    /// Headers that are kept at most; what comes after them is of no use to anybody.
    private static let headerLimit = 64

    package init() {}

    /// The value of a header, asked for in lower case; the last one when there are several.
    package func header(_ name: String) -> String? { headers[name] }

    /// Forgets everything but keeps the memory.
    mutating func reset() {
        status = 0
        body.removeAll(keepingCapacity: true)
        headers.removeAll(keepingCapacity: true)
    }

    /// Adds a line as it was received, its line break included; a status line begins a new answer.
    mutating func addHeaderLine(_ line: Span<UInt8>) {
        let start = line.extracting(0..<min(line.count, Self.statusLineStart.count))
        if start.elementsEqual(Self.statusLineStart.span) { return headers.removeAll(keepingCapacity: true) }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), headers.count < Self.headerLimit else { return }
        let name = String(copying: line.extracting(0..<colon)).lowercased()
        headers[name] = String(copying: line.extracting(trimmed(line, from: colon + 1)))
    }

    private static let statusLineStart = Array("HTTP/".utf8)

    /// What lies between white space from `start` to the end.
    private func trimmed(_ line: Span<UInt8>, from start: Int) -> Range<Int> {
        var start = start
        var end = line.count
        while start < end, Self.isBlank(line[start]) { start += 1 }
        while end > start, Self.isBlank(line[end - 1]) { end -= 1 }
        return start..<end
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
}
