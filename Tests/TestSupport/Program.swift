import Foundation
import Glibc
import Synchronization
import Testing

/// A program that runs as a process of its own, mostly the agent; it is killed when the test lets go of it.
///
/// An agent that has written a secret, or a line of a scene in its log, fails the test that lets go of it.
package final class Program: Sendable {
    /// How a process ended.
    package enum Exit: Sendable, Equatable {
        case code(Int32)
        case signal(Int32)
    }

    package let processID: Int

    private let transcript: TemporaryDirectory
    private let ending = Mutex(Exit?.none)

    /// What it must not write; nil if it is not the agent.
    private let secrets: Secrets?

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
        let file = arguments.drop { $0 != "-c" }.dropFirst().first ?? ""
        let content = try? JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: file)))
        try self.init(
            wrapper + [Self.agent] + arguments,
            environment: standard.merging(environment) { $1 },
            secrets: Secrets(environment: environment, configuration: content as? [String: Any] ?? [:])
        )
    }

    /// Starts a command with no other environment than this.
    package convenience init(_ command: [String], environment: [String: String]) throws {
        try self.init(command, environment: environment, secrets: nil)
    }

    private init(_ command: [String], environment: [String: String], secrets: Secrets?) throws {
        self.secrets = secrets
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
        if let secrets { expectDiscretion(about: secrets) }
    }

    private func expectDiscretion(about secrets: Secrets) {
        for setting in secrets.leaks(in: Data((output + log).utf8)) {
            Issue.record("the agent has written the value of \(setting): \(output)\(log)")
        }
        // A place in a configuration has a column, too.
        if let line = log.firstMatch(of: /\bline [0-9]+\b(?!, column)/) {
            Issue.record("the agent has a record's text '\(line.0)' in its log: \(log)")
        }
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
