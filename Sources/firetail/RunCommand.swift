import Agent
import Logging
import Platform

/// `firetail run`: works until it is told to stop.
struct RunCommand {
    private let options: CommandLineOptions

    init(_ options: CommandLineOptions) {
        self.options = options
    }

    func run() async -> ExitCode {
        let log = Log(level: options.logLevel, component: "agent")
        do {
            let loaded = try LoadedConfiguration(options, environment: processEnvironment())
            for warning in loaded.warnings { log.warning(warning, key: warning) }
            let agent = Agent(
                loaded.configuration,
                deliveringTo: try loaded.plan.makeDestination(version: Agent.version),
                log: log
            )
            log.info("firetail \(Agent.version), delivering to \(loaded.plan.description)")
            if loaded.plan.isUnencrypted {
                log.warning("records leave this machine unencrypted; use an https endpoint")
            }
            let signals = watchSignals(for: agent, log)
            defer { signals.cancel() }
            try await agent.run()
            return .fine
        } catch let failure as LoadedConfiguration.Failure {
            for fault in failure.faults { complain(fault) }
            return .configuration
        } catch {
            log.error("\(error)")
            log.flush()
            return .runtimeError
        }
    }

    /// The first SIGTERM or SIGINT stops the agent in good order, the second at once.
    private func watchSignals(for agent: Agent, _ log: Log) -> SignalWatch {
        SignalWatch { signal, count in
            switch signal {
            case .hangUp:
                log.warning("SIGHUP: reading the configuration again is not supported yet; restart instead")
            case .terminate, .interrupt:
                guard count == 1 else { exitProcess(ExitCode.fine.rawValue) }
                log.info("stopping: storing what is read, and one last flush")
                agent.stop()
            }
        }
    }
}
