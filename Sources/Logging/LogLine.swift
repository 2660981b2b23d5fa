/// One message as the bytes of one line.
enum LogLine {
    /// Bytes in one line, with its newline: what a pipe takes in one piece.
    static let maximumBytes = 4_096

    private static let cut = "…"

    /// Writes out a message; whatever is in its text, the line is one line.
    static func bytes(_ message: LogMessage, ending: String, at time: LogTime) -> [UInt8] {
        var line = Array("\(time.text) \(message.level.label) \(message.component): ".utf8)
        let room = maximumBytes - line.count - ending.utf8.count - cut.utf8.count - 1
        let end = line.count + max(room, 0)
        var character: [UInt8] = []
        for scalar in message.text.unicodeScalars {
            character.removeAll(keepingCapacity: true)
            append(scalar, to: &character)
            guard line.count + character.count <= end else {
                line += cut.utf8
                break
            }
            line += character
        }
        line += ending.utf8
        line.append(UInt8(ascii: "\n"))
        return line
    }

    /// Adds a character, escaped if it would end the line or change how the rest is shown.
    private static func append(_ scalar: Unicode.Scalar, to line: inout [UInt8]) {
        switch (scalar, scalar.properties.generalCategory) {
        case ("\n", _): line += "\\n".utf8
        case ("\r", _): line += "\\r".utf8
        case ("\t", _): line += "\\t".utf8
        case (_, .control), (_, .format), (_, .lineSeparator), (_, .paragraphSeparator):
            line += "\\u{\(String(scalar.value, radix: 16))}".utf8
        default: line += scalar.utf8
        }
    }
}
