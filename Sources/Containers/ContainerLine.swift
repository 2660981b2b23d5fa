import Bytes

/// Where a container wrote something.
package enum ContainerStream: Int, Sendable, CaseIterable {
    case stdout, stderr

    package var name: String { self == .stdout ? "stdout" : "stderr" }

    init?(_ name: Span<UInt8>) {
        if name.elementsEqual(Self.stdoutName.span) {
            self = .stdout
        } else if name.elementsEqual(Self.stderrName.span) {
            self = .stderr
        } else {
            return nil
        }
    }

    private static let stdoutName = Array("stdout".utf8)
    private static let stderrName = Array("stderr".utf8)
}

/// What a container runtime says of one line, or a part of one, that a container wrote.
///
/// The message itself stands apart from it, since it may be written in escapes.
package struct ContainerLine: Equatable, Sendable {
    package var stream: ContainerStream

    /// When it was written, as the runtime has it: the range in its line; empty if it does not say.
    package var time: Range<Int>

    /// Whether the message goes on in the next line of the same stream.
    package var isPartial: Bool
}

/// How a container runtime writes down what containers write.
package enum ContainerFormat: String, Sendable, CaseIterable {
    /// Docker's json-file: an object with `log`, `stream` and `time`.
    case docker
    /// The Kubernetes container runtime interface: time, stream, `P` or `F`, and the message.
    case cri

    /// Takes a line apart.
    ///
    /// - Parameters:
    ///   - line: with its newline or without.
    ///   - message: gets the message added, without the newline that ended it where it was written.
    /// - Returns: nil if it is no line of this format; then `message` is as it was.
    package func parse(_ line: Span<UInt8>, appendingMessageTo message: inout [UInt8]) -> ContainerLine? {
        let hasNewline = line.count > 0 && line[line.count - 1] == UInt8(ascii: "\n")
        let content = line.extracting(first: line.count - (hasNewline ? 1 : 0))
        let start = message.count
        let parsed =
            switch self {
            case .docker: DockerLine.parse(content, appendingMessageTo: &message)
            case .cri: CRILine.parse(content, appendingMessageTo: &message)
            }
        if parsed == nil { message.removeSubrange(start...) }
        return parsed
    }

    /// The format of which a file's first line is; nil if it is of none.
    package static func ofFile(withFirstLine line: Span<UInt8>) -> ContainerFormat? {
        var message: [UInt8] = []
        for format in allCases where format.parse(line, appendingMessageTo: &message) != nil { return format }
        return nil
    }
}
