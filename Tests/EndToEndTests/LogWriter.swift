import Foundation
import Synchronization
import TestSupport

/// A program that logs: on a thread of its own it adds numbered lines to several files, and rotates them.
///
/// A line tells its file, the file's generation and its number in that, such as `a-1.7 42`.
final class LogWriter: Sendable {
    private struct State {
        var isStopping = false
        var hasStopped = false
        var lines: [String] = []
    }

    private let state = Mutex(State())

    /// Begins to write to the files of these names in a directory; `x.log` becomes `x.log.1`, then `x.log.2`.
    ///
    /// It pauses while `isFarAhead` says so of the number of lines that it has written.
    init(to names: [String], in directory: String, seed: UInt64, isFarAhead: @escaping @Sendable (Int) -> Bool) {
        Thread.detachNewThread { [self] in
            var files = names.map { GrowingLog(name: $0, directory: directory) }
            var random = SeededGenerator(seed: seed)
            while !state.withLock({ $0.isStopping }) {
                usleep(.random(in: 500...3_000, using: &random))
                if isFarAhead(state.withLock { $0.lines.count }) { continue }
                let index = Int.random(in: files.indices, using: &random)
                if Int.random(in: 0..<60, using: &random) == 0 { files[index].rotate() }
                let lines = files[index].write(
                    count: .random(in: 1...12, using: &random),
                    isTorn: Int.random(in: 0..<10, using: &random) == 0
                )
                state.withLock { $0.lines += lines }
            }
            state.withLock { $0.hasStopped = true }
        }
    }

    /// Stops writing.
    ///
    /// - Returns: every line that was written.
    func stop() async throws -> [String] {
        state.withLock { $0.isStopping = true }
        try await waitUntil("the writer stops") { state.withLock { $0.hasStopped } }
        return state.withLock { $0.lines }
    }
}

/// One name to which lines are written, and what it has been through.
private struct GrowingLog {
    let name: String
    let directory: String
    private var generation = 1
    private var number = 0

    init(name: String, directory: String) {
        self.name = name
        self.directory = directory
    }

    private var path: String { "\(directory)/\(name).log" }

    mutating func rotate() {
        rename(path, "\(path).\(generation)")
        generation += 1
        number = 0
    }

    /// Adds lines; if torn, the last one comes in two pieces.
    mutating func write(count: Int, isTorn: Bool) -> [String] {
        let lines = (number + 1...number + count).map { "\(name).\(generation) \($0)" }
        number += count
        let text = Array(lines.map { $0 + "\n" }.joined().utf8)
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
        defer { close(descriptor) }
        let seam = isTorn ? text.count - 3 : text.count
        for piece in [text[..<seam], text[seam...]] where !piece.isEmpty {
            precondition(Foundation.write(descriptor, Array(piece), piece.count) == piece.count, "the log has room")
        }
        return lines
    }
}
