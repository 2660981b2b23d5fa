import Agent
import Platform

/// `firetail check`: says what the agent would do.
struct CheckCommand {
    private let options: CommandLineOptions

    init(_ options: CommandLineOptions) {
        self.options = options
    }

    func run() async -> ExitCode {
        do {
            let loaded = try LoadedConfiguration(options, environment: processEnvironment())
            let report = try await CheckReport.make(for: loaded.configuration, plan: loaded.plan)
            for warning in loaded.warnings { print("warning: \(warning)") }
            print("\(options.configuration) is right.\n")
            print(report, terminator: "")
            guard options.isLive else { return .fine }
            let live = try await LiveCheck(of: loaded.configuration, plan: loaded.plan)
            print(live.text, terminator: "")
            for finding in live.findings { complain(finding) }
            return live.findings.isEmpty ? .fine : .runtimeError
        } catch let failure as LoadedConfiguration.Failure {
            for fault in failure.faults { complain(fault) }
            return .configuration
        } catch {
            complain("\(error)")
            return .runtimeError
        }
    }
}
