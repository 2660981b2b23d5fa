import CPlatform
import Glibc

/// Why a command has no output that counts.
package enum CommandError: Error, Equatable {
    /// It could not be started.
    case unstartable(Errno)

    /// It ended with this code, or was ended by a signal: 128 and its number, as shells count.
    case failed(code: Int)

    /// It wrote more than this many bytes.
    case tooMuchOutput(limit: Int)

    /// It had not ended after this time, and was killed with everything that it had started.
    case timedOut(Duration)
}

extension CommandError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unstartable(let errno): "it cannot be started: \(errno)"
        case .failed(let code): "it ended with code \(code)"
        case .tooMuchOutput(let limit): "it wrote more than \(limit) bytes"
        case .timedOut(let time): "it had not ended after \(time.components.seconds) s"
        }
    }
}

/// Runs a command to its end, which blocks as long, and gives what it wrote to its standard output.
///
/// `arguments` are the program, a path or a name to look for in `PATH`, and its arguments; `limit` is how many bytes it may
/// write. It inherits the variables and standard error of this process, and has nothing to read.
package func output(
    ofCommand arguments: [String],
    limit: Int,
    timeout: Duration
) throws(CommandError) -> [UInt8] {
    let command = try RunningCommand(arguments)
    let deadline = ContinuousClock.now + timeout
    guard let bytes = command.read(upTo: limit + 1, until: deadline) else { throw .timedOut(timeout) }
    guard bytes.count <= limit else { throw .tooMuchOutput(limit: limit) }
    guard let code = command.waitForEnd(until: deadline) else { throw .timedOut(timeout) }
    guard code == 0 else { throw .failed(code: code) }
    return bytes
}

/// A process; if its owner lets go of it before it has ended, it is killed with all of its group.
private final class RunningCommand {
    private let processID: pid_t
    private let output: FileDescriptor
    private var isReaped = false

    init(_ arguments: [String]) throws(CommandError) {
        var pointers = unsafe arguments.map { unsafe strdup($0) } + [nil]
        defer { unsafe pointers.forEach { unsafe free($0) } }
        var descriptor: CInt = -1
        processID = unsafe cplatform_spawn(&pointers, &descriptor)
        guard processID != -1 else { throw .unstartable(Errno(rawValue: errno)) }
        output = FileDescriptor(owning: descriptor)
    }

    deinit {
        guard !isReaped else { return }
        // Until it is reaped, nobody else can have its id or that of its group.
        _ = kill(-processID, SIGKILL)
        var status: CInt = 0
        _ = unsafe waitpid(processID, &status, 0)
    }

    /// Reads standard output to its end, or to `limit` bytes; nil if that takes too long.
    func read(upTo limit: Int, until deadline: ContinuousClock.Instant) -> [UInt8]? {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while bytes.count < limit {
            guard waitForOutput(until: deadline) else { return nil }
            let count = unsafe piece.withUnsafeMutableBytes { buffer in
                unsafe Glibc.read(output.rawValue, buffer.baseAddress, min(buffer.count, limit - bytes.count))
            }
            if count == 0 { break }
            if count > 0 { bytes += piece[..<count] }
        }
        return bytes
    }

    /// - Returns: false when the time is over.
    private func waitForOutput(until deadline: ContinuousClock.Instant) -> Bool {
        while true {
            let rest = deadline - .now
            guard rest > .zero else { return false }
            var news = pollfd(fd: output.rawValue, events: Int16(POLLIN), revents: 0)
            if unsafe poll(&news, 1, CInt(clamping: rest.wholeMilliseconds)) > 0 { return true }
        }
    }

    /// - Returns: the exit code, as shells count; nil if there is none in time.
    func waitForEnd(until deadline: ContinuousClock.Instant) -> Int? {
        var status: CInt = 0
        while unsafe waitpid(processID, &status, WNOHANG) == 0 {
            guard ContinuousClock.now < deadline else { return nil }
            // It has closed its output, so it is about to end.
            holdThread(for: .milliseconds(2))
        }
        isReaped = true
        let signal = Int(status & 0x7f)
        return signal == 0 ? Int((status >> 8) & 0xff) : 128 + signal
    }
}
