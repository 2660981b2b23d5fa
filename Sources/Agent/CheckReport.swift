import AWS
import Cache
package import Configuration
import Discovery
import Framing
import Intake
import Platform
import Records
import Tailing

/// What an agent would do with a configuration, for a person to read; nothing is sent, and no log is written.
package struct CheckReport {
    private let configuration: AgentConfiguration
    private let plan: DeliveryPlan
    private var lines: [String] = []

    /// Looks at the files, the state and the credentials as they are now.
    package static func make(for configuration: AgentConfiguration, plan: DeliveryPlan) async throws -> String {
        var report = CheckReport(configuration: configuration, plan: plan)
        await report.addDestination()
        let memory = try await report.addState()
        for (index, flow) in configuration.flows.enumerated() {
            try report.add(flow, number: index + 1, memory)
        }
        return report.lines.joined(separator: "\n") + "\n"
    }

    private init(configuration: AgentConfiguration, plan: DeliveryPlan) {
        self.configuration = configuration
        self.plan = plan
    }

    // MARK: The agent

    private mutating func addDestination() async {
        lines.append("Destination   \(plan.description)")
        guard case .service(let endpoint) = plan.target else { return }
        if endpoint.isUnencrypted {
            lines.append("              not encrypted: whoever is on the way can read the records")
        }
        do {
            lines.append("Credentials   \(try await plan.credentials.credentials().source)")
        } catch {
            lines.append("Credentials   \(error)")
        }
    }

    /// Where an earlier run has come to, as far as it can be seen.
    private struct Memory {
        var checkpoints: [Checkpoint] = []
        var adopted: Set<Int> = []
        var isKnown = true
    }

    private mutating func addState() async throws -> Memory {
        let directory = configuration.stateDirectory
        guard (try? FileStatus(of: directory + "/cache.db")) != nil else {
            lines.append("State         \(directory): none yet, this is the first start")
            return Memory()
        }
        if CacheLocation.directory(directory).isOutdated {
            lines.append("State         \(directory): of an older version, so where files start is not shown")
            return Memory(isKnown: false)
        }
        do throws(CacheError) {
            let cache = try RecordCache(directory: directory, streams: [], maxBytes: configuration.cacheMaxBytes)
            var memory = Memory(checkpoints: try await cache.checkpoints())
            for (index, flow) in configuration.flows.enumerated() {
                let text = flow.patternText
                if try await cache.hasAdopted(text, for: flow.stream) { memory.adopted.insert(index) }
            }
            let stored = await cache.stored
            let files = Amount.count(memory.checkpoints.count, "file")
            let records = "\(Amount.count(stored.records, "record")) (\(Amount.bytes(stored.bytes)))"
            lines.append("State         \(directory): \(files) known, \(records) cached")
            return memory
        } catch {
            guard case .inUse(_, let holder) = error else { throw error }
            let process = holder.map { " (process \($0))" } ?? ""
            lines.append("State         \(directory): an agent is running\(process), so where files start is not shown")
            return Memory(isKnown: false)
        }
    }

    // MARK: Flows

    private mutating func add(_ flow: FlowConfiguration, number: Int, _ memory: Memory) throws {
        lines.append("")
        lines.append("Flow \(number)        \(flow.filePatterns.joined(separator: ", ")) → \(flow.stream)")
        if !flow.excludePatterns.isEmpty {
            lines.append("              without \(flow.excludePatterns.joined(separator: ", "))")
        }
        for description in flow.framingDescriptions { lines.append("              \(description)") }
        lines.append("              \(flow.recordDescription)")
        lines.append("              \(flow.requestDescription)")
        let settings = try IntakeFlow(flow)
        let findings = DirectoryWalk(settings.pattern).scan()
        var table = Table(["FILE", "SIZE", "STARTS AT", "TO READ"])
        for file in findings.files.sorted(by: { $0.path < $1.path }) {
            table.add(row(for: file, of: settings, adopted: memory.adopted.contains(number - 1), memory))
        }
        if findings.files.isEmpty {
            let places = findings.watched.map(\.path.description).sorted().joined(separator: ", ")
            lines.append("              no file matches now; new ones are looked for in \(places)")
        } else {
            lines.append(contentsOf: table.lines.map { "  " + $0 })
        }
        for entry in findings.skipped { lines.append("  \(entry.path): is a \(entry.kind), which is not tailed") }
        for entry in findings.unreadable { lines.append("  \(entry.path): cannot be looked into: \(entry.error)") }
    }

    private func row(for file: FoundFile, of flow: IntakeFlow, adopted: Bool, _ memory: Memory) -> [String] {
        let size = Amount.bytes(file.size)
        guard memory.isKnown else { return [file.path.description, size, "?", "?"] }
        do throws(TailError) {
            let (offset, why) = try start(of: file, of: flow, adopted: adopted, memory)
            let start = why.isEmpty ? Amount.bytes(offset) : "\(Amount.bytes(offset)) (\(why))"
            return [file.path.description, size, start, Amount.bytes(max(0, file.size - offset))]
        } catch {
            return [file.path.description, size, error == .denied ? "permission denied" : "cannot be read", ""]
        }
    }

    private func start(
        of file: FoundFile,
        of flow: IntakeFlow,
        adopted: Bool,
        _ memory: Memory
    ) throws(TailError) -> (offset: Int, why: String) {
        let known = memory.checkpoints.first { $0.stream == flow.stream && $0.file == file.identity }
        if let known {
            let (tail, continuation) = try Tail.resuming(known, at: file.path)
            return (tail.offset, continuation == .resumed ? "read so far" : "another content than read before")
        }
        if adopted || flow.readsFromStart { return (0, "start") }
        let tail = try Tail(
            fromEndOf: file.path,
            as: file.identity,
            for: flow.stream,
            maxLineBytes: flow.lines.maxLineBytes,
            newline: flow.newline(ofFileThatBeginsWith:)
        )
        return (tail.offset, "end")
    }
}

extension FlowConfiguration {
    /// What is done before lines become records; nothing if each is one as it is.
    fileprivate var framingDescriptions: [String] {
        var parts: [String] = []
        if let encoding = framing.encoding { parts.append("read as \(encoding)") }
        if framing.headerLines > 0 {
            parts.append("without \(Amount.count(framing.headerLines, "header line")) a file")
        }
        if let format = framing.format {
            parts.append("logs of containers (\(format.rawValue)), as \(framing.containerOutput.rawValue)")
        }
        if framing.skipsEmptyLines { parts.append("without empty lines") }
        if let timeout = framing.partialLineTimeout {
            parts.append("a last line waits \(timeout.inMilliseconds) for its newline")
        }
        if let pattern = framing.multiLineStartPattern {
            let wait = framing.multiLineTimeout.inMilliseconds
            parts.append("an event begins with a line like \(pattern) and ends before the next one, or after \(wait)")
        }
        return parts
    }

    fileprivate var recordDescription: String {
        let unit = framing.multiLineStartPattern == nil ? "line" : "event"
        let size = aggregatedRecordBytes.map { "\(unit)s joined to records of up to \(Amount.bytes($0))" }
        var text = size ?? "a record \(unit == "line" ? "a" : "an") \(unit)"
        if compression == .gzip { text += ", each compressed with gzip" }
        let fate =
            switch framing.oversizedLines {
            case .truncate: "cut"
            case .split: "split"
            case .skip: "not sent"
            }
        return text + "; lines over \(Amount.bytes(maxLineBytes)) are \(fate)"
    }

    fileprivate var requestDescription: String {
        let records = Amount.count(batchLimits.records, "record")
        return "requests of up to \(records) or \(Amount.bytes(batchLimits.bytes)), at the latest after "
            + maxBufferAge.inMilliseconds
    }
}
