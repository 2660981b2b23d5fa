import Foundation
import TestSupport
import Testing

/// What happens to files.
extension Scenario {
    var directory: TemporaryDirectory { scene.directory }

    func path(_ name: String) -> String { directory.path("logs/\(name)") }

    // MARK: Writing

    /// Adds one line a number to a file, each in a write of its own, as programs log.
    func emit(_ name: String, _ numbers: ClosedRange<Int>) throws {
        let log = try OpenLog(path(name))
        for number in numbers { try log.write(ledger.line(number, in: log.identity)) }
    }

    /// The same in one write.
    func burst(_ name: String, _ numbers: ClosedRange<Int>) throws {
        let log = try OpenLog(path(name))
        try log.write(numbers.map { ledger.line($0, in: log.identity) }.joined())
    }

    /// Adds whole lines of any text to a file.
    func write(_ name: String, _ lines: String...) throws {
        let log = try OpenLog(path(name))
        for line in lines { ledger.expect(line, in: log.identity) }
        try log.write(lines.map { $0 + "\n" }.joined())
    }

    /// Throws a file's content away and writes numbered lines, as `>` in a shell does.
    func overwrite(_ name: String, with numbers: ClosedRange<Int>, header: String = "") throws {
        let log = try OpenLog(path(name), emptying: true)
        try log.write(header + numbers.map { ledger.line($0, in: log.identity) }.joined())
    }

    // MARK: Moving

    func move(_ name: String, to newName: String) throws { try scene.rename(name, to: newName) }
    func remove(_ name: String) throws { try directory.remove("logs/\(name)") }
    func truncate(_ name: String, to size: Int = 0) throws { try directory.truncate("logs/\(name)", to: size) }
    func makeDirectory(_ name: String) throws { try directory.makeDirectory("logs/\(name)") }
    func setMode(_ name: String, _ mode: mode_t) throws { try directory.setMode("logs/\(name)", mode) }

    /// Has a symbolic link lead to something, in one step if it was there.
    func link(_ name: String, to target: String) throws { try directory.link("logs/\(name)", to: target) }

    /// Compresses a file and takes it away, as `gzip` does.
    func gzip(_ name: String) throws { try run("gzip", path(name)) }

    /// Runs a command to its end.
    func run(_ command: String...) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CommandFailed(command: command) }
    }

    struct CommandFailed: Error { let command: [String] }

    func inode(of name: String) throws -> UInt64 {
        var status = stat()
        guard stat(path(name), &status) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        return UInt64(status.st_ino)
    }

    /// Writes lines to a new file that has the inode of one that was deleted.
    ///
    /// - Returns: false, having written nothing, if somebody else has that inode by now.
    func reuse(_ inode: UInt64, as name: String, _ numbers: ClosedRange<Int>) throws -> Bool {
        let candidates = (0..<200).map { "candidate-\($0)" }
        defer { for candidate in candidates { unlink(path(candidate)) } }
        for candidate in candidates {
            try Data().write(to: URL(filePath: path(candidate)))
            guard try self.inode(of: candidate) == inode else { continue }
            try emit(candidate, numbers)
            try move(candidate, to: name)
            return true
        }
        return false
    }

    /// Does what needs the inode of a file that it deletes until it gets that; others may be faster to take it.
    ///
    /// `attempt` is given a number after which there are 1,000 for it alone.
    func retrying(_ attempt: (_ base: Int) async throws -> Bool) async throws {
        for round in 0..<20 where try await attempt(round * 1_000) { return }
        Issue.record("others took the inode 20 times")
    }
}

/// A file that is open to be added to.
final class OpenLog {
    let descriptor: CInt

    /// Device and inode.
    let identity: String

    init(_ path: String, emptying: Bool = false) throws {
        let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | (emptying ? O_TRUNC : 0)
        descriptor = open(path, flags, 0o644)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
            throw POSIXError(.init(rawValue: errno) ?? .EIO)
        }
        identity = "\(status.st_dev):\(status.st_ino)"
    }

    deinit { close(descriptor) }

    /// Adds a text in one write.
    func write(_ text: String) throws {
        var text = text
        let written = text.withUTF8 { Foundation.write(descriptor, $0.baseAddress, $0.count) == $0.count }
        guard written else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }
}
