import Agent
import Logging

/// What the command line asks for.
struct CommandLineOptions: Equatable {
    enum Command: Equatable {
        case run, check, status, version
        case deadLetters(DeadLetterRequest)
        case help(topic: String?)
    }

    /// A command line that means nothing.
    struct UsageError: Error, Equatable {
        let message: String
    }

    static let defaultConfiguration = "/etc/firetail/agent.json"

    var command: Command = .run
    var configuration = defaultConfiguration
    var logLevel: LogLevel = .info
    var isLenient = false

    /// Whether `check` asks the service, too.
    var isLive = false

    /// Whether `status` and `dead-letters` print what the agent said as it came.
    var isJSON = false

    /// Reads the arguments that follow the program's name.
    init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        var commands: [String] = []
        var (stream, isAll) = (String?.none, false)
        while let argument = rest.popFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let option = argument.hasPrefix("-") ? parts[0] : argument
            let attached = argument.hasPrefix("-") && parts.count == 2 ? parts[1] : nil
            switch option {
            case "-c", "--configuration", "--config":
                configuration = try Self.value(of: option, attached, &rest)
            case "--log-level":
                logLevel = try Self.level(try Self.value(of: option, attached, &rest))
            case "--lenient": isLenient = true
            case "--json": isJSON = true
            case "--live": isLive = true
            case "--all": isAll = true
            case "--stream": stream = try Self.value(of: option, attached, &rest)
            case "--version", "-V": commands.append("version")
            case "-h", "--help": commands.insert("help", at: 0)
            case _ where option.hasPrefix("-"):
                throw UsageError(message: "unknown option \(option)")
            default: commands.append(argument)
            }
        }
        if commands.first == "dead-letters" {
            command = .deadLetters(try DeadLetterRequest(words: commands.dropFirst(), stream: stream, isAll: isAll))
            return
        }
        command = try Self.command(commands)
        let strangers = [
            (stream != nil, "--stream"), (isAll, "--all"), (isLive && command != .check, "--live"),
        ]
        if let stranger = strangers.first(where: \.0)?.1, !Self.isHelp(command) {
            throw UsageError(message: "\(stranger) means nothing here")
        }
    }

    private static func isHelp(_ command: Command) -> Bool {
        if case .help = command { true } else { false }
    }

    private static func command(_ words: [String]) throws(UsageError) -> Command {
        guard let first = words.first else { return .run }
        if first == "help", words.count <= 2 { return .help(topic: words.dropFirst().first) }
        guard words.count == 1 else { throw UsageError(message: "unexpected argument '\(words[1])'") }
        switch first {
        case "run": return .run
        case "check": return .check
        case "status": return .status
        case "version": return .version
        default: throw UsageError(message: "unknown command '\(first)'; the commands are \(Self.commands)")
        }
    }

    private static let commands = "run, check, status, dead-letters, help"

    private static func value(
        of option: String,
        _ attached: String?,
        _ rest: inout ArraySlice<String>
    ) throws(UsageError) -> String {
        guard let value = attached ?? rest.popFirst(), !value.isEmpty else {
            throw UsageError(message: "\(option) wants a value")
        }
        return value
    }

    private static func level(_ text: String) throws(UsageError) -> LogLevel {
        guard let level = LogLevel(rawValue: text) else {
            let known = LogLevel.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError(message: "--log-level is '\(text)'; it can be \(known)")
        }
        return level
    }
}
