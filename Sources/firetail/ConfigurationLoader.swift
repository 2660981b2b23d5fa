import Agent
import Configuration
import Platform

/// A configuration that can be worked with, and what it says about where records go.
struct LoadedConfiguration {
    let configuration: AgentConfiguration
    let plan: DeliveryPlan
    let warnings: [String]

    /// All that is wrong with a configuration file.
    struct Failure: Error {
        let faults: [String]
    }

    /// Reads a file; all its faults are found at once.
    init(_ options: CommandLineOptions, environment: [String: String]) throws(Failure) {
        let file = options.configuration
        let bytes: [UInt8]
        do throws(FileContentsError) {
            bytes = try readFile(path: file, limit: 16 << 20)
        } catch {
            throw Failure(faults: ["\(error); name another one with -c"])
        }
        let parsed = AgentConfiguration.parse(
            bytes,
            file: file,
            environment: environment,
            patterns: .ofAgent,
            lenient: options.isLenient
        )
        var faults = parsed.faults.map(\.description)
        var plan: DeliveryPlan?
        if let configuration = parsed.configuration {
            do {
                plan = try DeliveryPlan(for: configuration, environment: environment)
            } catch {
                faults.append("\(file): \(error)")
            }
        }
        guard faults.isEmpty, let configuration = parsed.configuration, let plan else { throw Failure(faults: faults) }
        self.configuration = configuration
        self.plan = plan
        warnings = parsed.warnings.map(\.description)
    }
}
