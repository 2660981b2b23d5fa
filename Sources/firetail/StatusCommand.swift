import Agent
import Configuration
import Platform

/// `firetail status`: asks the running agent how its work stands.
struct StatusCommand {
    private let options: CommandLineOptions

    init(_ options: CommandLineOptions) {
        self.options = options
    }

    func run() -> ExitCode {
        do {
            let loaded = try LoadedConfiguration(options, environment: processEnvironment())
            let report = try StatusReport(stateDirectory: loaded.configuration.stateDirectory)
            print(options.isJSON ? report.text + "\n" : report.description, terminator: "")
            return .fine
        } catch let failure as LoadedConfiguration.Failure {
            for fault in failure.faults { complain(fault) }
            return .configuration
        } catch {
            complain("\(error)")
            if case .notRunning = error as? StatusReport.Failure { return .notRunning }
            return .runtimeError
        }
    }
}
