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
            let setup = try makeSetup(log)
            let agent = Agent(setup, log: log) { reconfigured(log) }
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
            return Agent.isInUse(error) ? .inUse : .runtimeError
        }
    }

    /// Reads the configuration and prepares what it asks for.
    private func makeSetup(_ log: Log) throws -> Agent.Setup {
        let loaded = try LoadedConfiguration(options, environment: processEnvironment())
        for warning in loaded.warnings { log.warning(warning, key: warning) }
        let destination = try loaded.plan.makeDestination(version: Agent.version) { note(clockOffset: $0, log) }
        log.info("firetail \(Agent.version), delivering to \(loaded.plan.description)")
        if loaded.plan.isUnencrypted {
            log.warning("records leave this machine unencrypted; use an https endpoint")
        }
        return Agent.Setup(loaded.configuration, deliveringTo: destination)
    }

    private func note(clockOffset seconds: Int, _ log: Log) {
        let clock = log.named("delivery")
        guard seconds != 0 else { return clock.info("the clock of this machine and the service's agree again") }
        clock.warning(
            """
            the clock of this machine is \(abs(seconds)) s \(seconds > 0 ? "behind" : "ahead of") the service's; \
            requests are signed with the service's time; set the clock
            """
        )
    }

    /// What the configuration says now; nil, and why is logged, if it is wrong.
    private func reconfigured(_ log: Log) -> Agent.Setup? {
        do {
            return try makeSetup(log)
        } catch let failure as LoadedConfiguration.Failure {
            for fault in failure.faults { log.error(fault, key: fault) }
            log.error("the new configuration is wrong; the old one stays in force")
        } catch {
            log.error("the new configuration cannot be used: \(error); the old one stays in force")
        }
        return nil
    }

    /// The first SIGTERM or SIGINT stops the agent in good order, the second at once.
    private func watchSignals(for agent: Agent, _ log: Log) -> SignalWatch {
        SignalWatch { signal, count in
            switch signal {
            case .hangUp:
                log.info("SIGHUP: reading the configuration again")
                agent.reload()
            case .terminate, .interrupt:
                guard count == 1 else { exitProcess(ExitCode.fine.rawValue) }
                log.info("stopping: storing what is read, and one last flush")
                agent.stop()
            }
        }
    }
}
