import Foundation
import Glibc
import Synchronization

/// A program that runs as a process of its own, mostly the agent; it is killed when the test lets go of it.
package final class Program: Sendable {
    /// How a process ended.
    package enum Exit: Sendable, Equatable {
        case code(Int32)
        case signal(Int32)
    }

    package let processID: Int

    private let transcript: TemporaryDirectory
    private let ending = Mutex(Exit?.none)

    /// Starts the built `firetail` with these arguments and no other environment than this.
    ///
    /// Unless that says otherwise, the metadata service of EC2 is not asked, which the machine of the tests may have.
    ///
    /// `wrapper` is a command with its own arguments, such as `setpriv`, that becomes the agent.
    package convenience init(
        agent arguments: [String],
        environment: [String: String] = [:],
        wrapper: [String] = []
    ) throws {
        let standard = ["AWS_EC2_METADATA_DISABLED": "true"]
        try self.init(wrapper + [Self.agent] + arguments, environment: standard.merging(environment) { $1 })
    }

    /// Starts a command with no other environment than this.
    package init(_ command: [String], environment: [String: String]) throws {
        transcript = try TemporaryDirectory()
        processID = try spawn(
            command,
            environment: environment,
            output: transcript.path("output"),
            errors: transcript.path("errors")
        )
    }

    deinit {
        send(SIGKILL)
        while hasEnded == nil { usleep(1_000) }
    }

    private static let agent = built("firetail")

    /// The path of another product, which the build puts beside the tests.
    package static func built(_ product: String) -> String {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent(product).path
    }

    // MARK: What it says

    /// All that it has written to standard error.
    package var log: String { text("errors") }

    /// All that it has written to standard output.
    package var output: String { text("output") }

    /// Waits until its log contains a text.
    package func waitForLog(_ text: String, times: Int = 1) async throws {
        try await wait(for: "it has said '\(text)' \(times) times") { log.ranges(of: text).count >= times }
    }

    /// Waits for something that it does; if that is in vain, its log is in the error.
    package func wait(for condition: String, _ isMet: () async throws -> Bool) async throws {
        try await waitUntil(
            "\(condition); what it said:\n\(log)",
            timeout: .seconds(60),
            lookingEvery: .milliseconds(10),
            isMet
        )
    }

    private func text(_ name: String) -> String {
        String(decoding: (try? transcript.contents(of: name)) ?? [], as: UTF8.self)
    }

    // MARK: How it ends

    /// Sends a signal, unless it has ended.
    package func send(_ signal: CInt) {
        ending.withLock { ending in
            guard ending == nil else { return }
            Glibc.kill(pid_t(processID), signal)
        }
    }

    /// How it has ended; nil while it runs.
    package var hasEnded: Exit? {
        ending.withLock { ending in
            var status: CInt = 0
            guard ending == nil, waitpid(pid_t(processID), &status, WNOHANG) == pid_t(processID) else { return ending }
            ending = status & 0x7f == 0 ? .code((status >> 8) & 0xff) : .signal(status & 0x7f)
            return ending
        }
    }

    /// Waits until it has ended.
    package func exit() async throws -> Exit {
        while true {
            try await wait(for: "it ends") { hasEnded != nil }
            if let exit = hasEnded { return exit }
        }
    }

    /// Sends SIGTERM and waits for the end.
    package func stop() async throws -> Exit {
        send(SIGTERM)
        return try await exit()
    }

    /// Sends SIGKILL and waits for the end.
    package func kill() async throws {
        send(SIGKILL)
        _ = try await exit()
    }
}
