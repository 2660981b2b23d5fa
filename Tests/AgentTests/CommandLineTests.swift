import Foundation
import TestSupport
import Testing

/// What the program does with its arguments.
@Suite(.timeLimit(.minutes(2))) struct CommandLineTests {
    @Test(
        arguments: [
            (["frob"], "unknown command 'frob'; the commands are run, check, status, dead-letters, help"),
            (["run", "fast"], "unexpected argument 'fast'"),
            (["check", "run"], "unexpected argument 'run'"),
            (["help", "run", "check"], "unexpected argument 'run'"),
            (["--frob"], "unknown option --frob"),
            (["-x"], "unknown option -x"),
            (["-c"], "-c wants a value"),
            (["--configuration="], "--configuration wants a value"),
            (["--log-level", "loud"], "--log-level is 'loud'; it can be error, warning, info, debug"),
            (["help", "frob"], "there is no help on 'frob'; there is on run, check, status, dead-letters and config"),
            (["run", "--live"], "--live means nothing here"),
            (["status", "--all"], "--all means nothing here"),
            (["check", "--stream", "logs"], "--stream means nothing here"),
            (["dead-letters", "burn"], "dead-letters can list, show, replay, drop, not 'burn'"),
            (["dead-letters", "drop"], "say which dead letters to drop: their ids, or --all"),
            (["dead-letters", "replay", "--stream", "logs"], "say which dead letters to replay: their ids, or --all"),
            (["dead-letters", "drop", "1", "--all"], "ids and --all exclude each other"),
            (["dead-letters", "drop", "first"], "'first' is no id of a dead letter; it is a number such as 7"),
            (["dead-letters", "show"], "show takes the id of one dead letter"),
            (["dead-letters", "show", "1", "2"], "show takes the id of one dead letter"),
            (["dead-letters", "list", "--stream", "a b"], "'a b' is no name of a stream"),
        ]
    )
    func `what it does not understand is named, and nothing is done`(arguments: [String], complaint: String)
        async throws
    {
        let agent = try Program(agent: arguments)
        #expect(try await agent.exit() == .code(2))
        #expect(agent.log.hasPrefix("firetail: \(complaint)"))
        #expect(agent.log.split(separator: "\n").count == 1)
        #expect(agent.output.isEmpty)
    }

    @Test(arguments: ["--version", "-V", "version"])
    func `it says its version`(argument: String) async throws {
        let agent = try Program(agent: [argument])
        #expect(try await agent.exit() == .code(0))
        #expect(agent.output.wholeMatch(of: /firetail [0-9]+\.[0-9]+\.[0-9]+\n/) != nil)
        #expect(agent.log.isEmpty)
    }

    @Test(
        arguments: [
            (["help"], "Exit codes: 0 fine, 1 runtime error, 2 wrong usage, 3 no agent to ask, 75 another agent runs"),
            (["--help"], "firetail tails log files"),
            (["-h"], "firetail tails log files"),
            (["help", "run"], "SIGTERM, SIGINT"),
            (["run", "--help"], "SIGTERM, SIGINT"),
            (["help", "check"], "exits with 78"),
            (["help", "config"], "maxBufferAgeMillis"),
            (["help", "dead-letters"], "puts them back"),
        ]
    )
    func `it helps on standard output`(arguments: [String], text: String) async throws {
        let agent = try Program(agent: arguments)
        #expect(try await agent.exit() == .code(0))
        #expect(agent.output.contains(text))
        #expect(agent.log.isEmpty)
    }

    @Test(
        arguments: [
            ["-c", "PATH"], ["run", "-c", "PATH"], ["--configuration", "PATH"], ["check", "--config=PATH"],
            ["-c=PATH", "run"],
        ]
    )
    func `it reads the configuration that it is given`(arguments: [String]) async throws {
        let path = "/nowhere/agent.json"
        let agent = try Program(agent: arguments.map { $0.replacingOccurrences(of: "PATH", with: path) })
        #expect(try await agent.exit() == .code(78))
        #expect(agent.log == "firetail: \(path): no such file; name another one with -c\n")
    }

    @Test func `a log level hides what matters less`() async throws {
        let scene = try AgentScene()
        let quiet = try scene.start("--log-level", "warning")
        try scene.append(1...10)
        try await scene.waitForRecords(10, from: quiet)
        #expect(try await quiet.stop() == .code(0))
        #expect(quiet.log.isEmpty)
        let talkative = try scene.start("--log-level=debug")
        try scene.append(11...20)
        try await scene.waitForRecords(20, from: talkative)
        try await talkative.waitForLog("DEBUG delivery: stream: 10 records")
        #expect(try await talkative.stop() == .code(0))
    }
}
