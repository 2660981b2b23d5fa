import Agent
import Configuration
import Platform
import Records

/// `firetail dead-letters`: what was set aside, to be looked at, sent again or deleted.
struct DeadLettersCommand {
    private let options: CommandLineOptions
    private let request: DeadLetterRequest

    init(_ options: CommandLineOptions, _ request: DeadLetterRequest) {
        self.options = options
        self.request = request
    }

    func run() async -> ExitCode {
        do {
            let loaded = try LoadedConfiguration(options, environment: processEnvironment())
            let directory = loaded.configuration.stateDirectory
            switch try await DeadLetterDesk.perform(request, stateDirectory: directory) {
            case .done(let answer):
                try tell(answer)
                return .fine
            case .failed(let reason):
                complain(reason)
                return .runtimeError
            }
        } catch let failure as LoadedConfiguration.Failure {
            for fault in failure.faults { complain(fault) }
            return .configuration
        } catch {
            complain("\(error)")
            if case .silent = error as? StatusReport.Failure { return .inUse }
            return Agent.isInUse(error) ? .inUse : .runtimeError
        }
    }

    private func tell(_ answer: [UInt8]) throws {
        if request.action == .show { return try StandardOutput.write(answer) }
        if options.isJSON { return try StandardOutput.write(answer + [UInt8(ascii: "\n")]) }
        let report = try DeadLetterReport(answer)
        let text =
            switch request.action {
            case .list, .show: report.list
            case .replay: "\(report.amount) put back\n"
            case .drop: "\(report.amount) deleted\n"
            }
        try StandardOutput.write(Array(text.utf8))
    }
}

extension DeadLetterRequest {
    /// From what stands behind `dead-letters` on the command line.
    init(words: some Collection<String>, stream: String?, isAll: Bool) throws(CommandLineOptions.UsageError) {
        let word = words.first ?? Action.list.rawValue
        guard let action = Action(rawValue: word) else {
            let known = Action.allCases.map(\.rawValue).joined(separator: ", ")
            throw .init(message: "dead-letters can \(known), not '\(word)'")
        }
        let name = stream.flatMap { StreamName($0) }
        if let stream, name == nil { throw .init(message: "'\(stream)' is no name of a stream") }
        var ids: [Int] = []
        for word in words.dropFirst() {
            guard let id = Int(word) else {
                throw .init(message: "'\(word)' is no id of a dead letter; it is a number such as 7")
            }
            ids.append(id)
        }
        self.init(action, stream: name, ids: ids.isEmpty ? nil : ids)
        try check(ids, isAll: isAll)
    }

    private func check(_ ids: [Int], isAll: Bool) throws(CommandLineOptions.UsageError) {
        if isAll, !ids.isEmpty { throw .init(message: "ids and --all exclude each other") }
        switch action {
        case .list: break
        case .show where ids.count != 1: throw .init(message: "show takes the id of one dead letter")
        case .replay where ids.isEmpty && !isAll, .drop where ids.isEmpty && !isAll:
            throw .init(message: "say which dead letters to \(action.rawValue): their ids, or --all")
        case .show, .replay, .drop: break
        }
        guard line.utf8.count < LocalServer.longestQuestion else {
            throw .init(message: "too many ids for one call; name fewer, or --all")
        }
    }
}
