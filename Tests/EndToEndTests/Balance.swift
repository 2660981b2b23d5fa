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
        var stored: Int
        var storedInSession: Int
        var delivered: Int
        var deadLetters: Int
        var dropped: Int
        var cached: Int
        var missing: Int
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
    /// Runs `firetail status` and gives what it prints, and how it ends.
    func askStatus(_ options: String...) async throws -> (output: String, errors: String, exit: Program.Exit) {
        let program = try Program(agent: ["status", "-c", configurationPath] + options, environment: environment)
        let exit = try await program.exit()
        return (program.output, program.log, exit)
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
