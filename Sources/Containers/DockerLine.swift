import Bytes

/// A line such as `{"log":"message\n","stream":"stdout","time":"2024-05-01T10:00:00.123456789Z"}`.
///
/// What is asked of it is a message; other members may be there, in any order.
enum DockerLine {
    private static let messageName = Array("log".utf8)
    private static let streamName = Array("stream".utf8)
    private static let timeName = Array("time".utf8)

    static func parse(_ line: Span<UInt8>, appendingMessageTo message: inout [UInt8]) -> ContainerLine? {
        var scanner = ObjectScanner(at: 0)
        var parsed = ContainerLine(stream: .stdout, time: 0..<0, isPartial: true)
        var hasMessage = false
        guard scanner.open(in: line) else { return nil }
        while let name = scanner.nextName(in: line) {
            if !hasMessage, line.extracting(name).elementsEqual(messageName.span) {
                guard scanner.appendString(in: line, to: &message) else { return nil }
                hasMessage = true
            } else if line.extracting(name).elementsEqual(streamName.span) {
                guard let value = scanner.string(in: line), let stream = ContainerStream(line.extracting(value)) else {
                    return nil
                }
                parsed.stream = stream
            } else if line.extracting(name).elementsEqual(timeName.span) {
                guard let value = scanner.string(in: line) else { return nil }
                parsed.time = value
            } else {
                guard scanner.skipValue(in: line) else { return nil }
            }
        }
        guard hasMessage, scanner.isAtEnd(of: line) else { return nil }
        if message.last == UInt8(ascii: "\n") {
            message.removeLast()
            parsed.isPartial = false
        }
        return parsed
    }
}
