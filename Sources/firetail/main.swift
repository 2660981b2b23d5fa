import Agent
import Configuration
import Logging
import Platform

/// The exit codes that scripts and service managers act on.
enum ExitCode: Int32 {
    case fine = 0
    case runtimeError = 1
    case usage = 2
    /// There is no agent to ask.
    case notRunning = 3
    /// Another agent has the state directory; the same may succeed later (`EX_TEMPFAIL`).
    case inUse = 75
    /// (`EX_CONFIG`)
    case configuration = 78
}

/// Runs one command and says how it ended.
func perform(_ options: CommandLineOptions) async -> ExitCode {
    switch options.command {
    case .version:
        print("firetail \(Agent.version)")
        return .fine
    case .help(let topic):
        guard let text = HelpText.text(for: topic) else {
            complain("there is no help on '\(topic ?? "")'; there is on run, check, status, dead-letters and config")
            return .usage
        }
        print(text, terminator: "")
        return .fine
    case .check: return await CheckCommand(options).run()
    case .status: return StatusCommand(options).run()
    case .deadLetters(let request): return await DeadLettersCommand(options, request).run()
    case .run: return await RunCommand(options).run()
    }
}

/// Says on standard error why nothing is done.
func complain(_ text: String) {
    StandardError.write(Array("firetail: \(text)\n".utf8))
}

shareHeaps()
let code: ExitCode
do throws(CommandLineOptions.UsageError) {
    code = await perform(try CommandLineOptions(Array(CommandLine.arguments.dropFirst())))
} catch {
    complain("\(error.message); see firetail help")
    code = .usage
}
exitProcess(code.rawValue)
