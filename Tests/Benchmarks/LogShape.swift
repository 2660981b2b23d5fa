import Foundation
import TestSupport

/// In how many files, and in lines of which length, a log is written.
struct LogShape: Sendable {
    var files = 1

    /// Files beside those, of one line each.
    var quietFiles = 0

    /// Bytes in a line with its newline; nil is as a service writes them.
    var lineBytes: Int?

    /// Writes about so many bytes, the same to each file; gives how many lines there are in all, and how many bytes.
    func write(_ byteCount: Int, into directory: TemporaryDirectory) throws -> (lines: Int, bytes: Int) {
        for file in 0..<quietFiles { try directory.append("a quiet file\n", to: "quiet-\(file).log") }
        let piece = makePiece()
        let linesInPiece = piece.count { $0 == UInt8(ascii: "\n") }
        let pieces = max(1, byteCount / files / piece.count)
        for file in 0..<files {
            for _ in 0..<pieces { try directory.append(piece, to: "\(file).log") }
        }
        return (quietFiles + files * pieces * linesInPiece, files * pieces * piece.count)
    }

    private func makePiece() -> [UInt8] {
        let sample = SampleLog.make()
        guard let lineBytes else { return sample }
        var line = Array(sample.prefix(lineBytes - 1))
        for index in line.indices where line[index] == UInt8(ascii: "\n") { line[index] = UInt8(ascii: " ") }
        return line + [UInt8(ascii: "\n")]
    }
}

/// Has an agent ship the same amount of logs in several shapes.
func shapes(byteCount: Int) async -> [Row] {
    let shapes: [(name: String, shape: LogShape)] = [
        (", usual lines", LogShape()),
        (", 100 kB lines", LogShape(lineBytes: 100_000)),
        (", 900 kB lines", LogShape(lineBytes: 900_000)),
        (", 5,000 idle files", LogShape(quietFiles: 5_000)),
        (", 100 hot files", LogShape(files: 100)),
    ]
    var rows: [Row] = []
    for (name, shape) in shapes {
        rows.append(await pipeline(#""compression": "none""#, name: name, shape, byteCount: byteCount))
    }
    return rows
}
