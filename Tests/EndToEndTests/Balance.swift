import Foundation
import TestSupport
import Testing

/// What `firetail status --json` tells of a running agent.
struct Balance: Decodable {
    struct Flow: Decodable {
        var stream: String
        var linesRead: Int
        var linesFiltered: Int
        var linesStored: Int
        var linesPending: Int
        var bytesRead: Int
        var recordsStored: Int
        var bytesPending: Int
        var bytesBehind: Int
    }

    struct Lines: Decodable {
        var stored = 0
        var storedInSession = 0
        var delivered = 0
        var deadLetters = 0
        var dropped = 0
        var cached = 0
        var missing = 0
    }

    struct Stream: Decodable {
        var name: String
        var lines: Lines
        var stored: Int
        var storedInSession: Int
        var delivered: Int
        var deadLetters: Int
        var dropped: Int
        var cached: Int
        var missing: Int
        var failing: Bool
        var lastError: String?
    }

    struct File: Decodable {
        var path: String
        var size: Int
        var read: Int
        var stored: Int
        var polled: Bool
        var polledBecause: String?
        var mountedAlone: Bool
    }

    struct Directory: Decodable {
        var path: String
        var polledBecause: String
    }

    var process: Int
    var flows: [Flow]
    var streams: [Stream]
    var files: [File]
    var polledDirectories: [Directory]

    func stream(_ name: String = "stream") throws -> Stream { try #require(streams.first { $0.name == name }) }

    /// What does not add up, whatever the agent is doing: records that left the files and are nowhere.
    var contradictions: [String] {
        var found: [String] = []
        for stream in streams {
            if stream.missing != 0 { found.append("\(stream.name): \(stream.missing) records are missing") }
            if stream.lines.missing != 0 { found.append("\(stream.name): \(stream.lines.missing) lines are missing") }
            found += handedOver(to: stream).filter { $0.stored > $0.made }.map(\.description)
        }
        for flow in flows where flow.linesPending < 0 { found.append("\(flow.stream): fewer lines read than stored") }
        for file in files where file.stored > file.read { found.append("\(file.path): more is stored than read") }
        return found
    }

    /// What is on its way at this moment, and must be nowhere once there is nothing to do.
    var pending: [String] {
        let open = files.filter { $0.read != $0.stored }
        var found = open.map { "\($0.path): read to \($0.read), stored to \($0.stored)" }
        for stream in streams { found += handedOver(to: stream).filter { $0.stored != $0.made }.map(\.description) }
        for flow in flows where flow.linesPending != 0 { found.append("\(flow.stream): \(flow.linesPending) lines") }
        return found
    }

    /// What the flows say that they gave to a stream, and the stream that it got: records, and lines.
    private func handedOver(to stream: Stream) -> [(made: Int, stored: Int, description: String)] {
        let flows = flows.filter { $0.stream == stream.name }
        let counts = [
            ("records", flows.map(\.recordsStored), stream.storedInSession),
            ("lines", flows.map(\.linesStored), stream.lines.storedInSession),
        ]
        return counts.map { what, made, stored in
            let made = made.reduce(0, +)
            return (made, stored, "\(stream.name): \(stored) \(what) stored of \(made) made")
        }
    }
}

extension AgentScene {
    /// What a command has printed, and how it ended.
    typealias Answer = (output: String, errors: String, exit: Program.Exit)

    /// Runs `firetail status`; `wrapper` is a command that becomes it.
    func askStatus(_ options: String..., wrapper: [String] = []) async throws -> Answer {
        try await ask(["status", "-c", configurationPath] + options, wrapper: wrapper)
    }

    /// Runs `firetail dead-letters`.
    func askDeadLetters(_ words: String...) async throws -> Answer {
        try await ask(["dead-letters", "-c", configurationPath] + words)
    }

    private func ask(_ words: [String], wrapper: [String] = []) async throws -> Answer {
        let program = try Program(agent: words, environment: environment, wrapper: wrapper)
        let exit = try await program.exit()
        return (program.output, program.log, exit)
    }

    /// What stands behind `TROUBLE` in the text of `firetail status`; empty if nothing is wrong, nil if nobody answers.
    func troubles() async throws -> String? {
        let answer = try await askStatus()
        guard answer.exit == .code(0) else { return nil }
        let text = answer.output
        if text.contains("\nnothing is wrong\n") { return "" }
        let start = try #require(text.range(of: "\nTROUBLE\n"), "\(text)").upperBound
        let end = try #require(text.range(of: "\n\nFLOWS\n"), "\(text)").lowerBound
        return String(text[start..<end])
    }

    func balance() async throws -> Balance {
        let answer = try await askStatus("--json")
        #expect(answer.exit == .code(0), "\(answer.errors)")
        return try JSONDecoder().decode(Balance.self, from: Data(answer.output.utf8))
    }

    /// Expects that every record of a running agent that has nothing to read is accounted for.
    func expectBalance() async throws {
        var balance = try await balance()
        try await waitUntil("nothing is on its way: \(balance.pending)", lookingEvery: .milliseconds(50)) {
            balance = try await self.balance()
            return balance.pending.isEmpty
        }
        #expect(balance.contradictions.isEmpty)
    }
}
