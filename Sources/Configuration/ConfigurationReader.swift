import JSON
import Records

extension AgentConfiguration {
    /// Reads a configuration file, of which it finds all faults at once.
    ///
    /// - Parameters:
    ///   - bytes: what the file holds.
    ///   - file: what the file is called in messages.
    ///   - environment: the variables that `${NAME}` stands for.
    ///   - patterns: what is asked about patterns.
    ///   - lenient: whether unknown and misplaced keys are ignored with a warning, as the Kinesis Agent ignores them.
    /// - Returns: the configuration unless there are faults, and what is to be said about the file.
    package static func parse(
        _ bytes: [UInt8],
        file: String,
        environment: [String: String],
        patterns: PatternRules = PatternRules(),
        lenient: Bool = false
    ) -> ParsedConfiguration {
        let variables = Variables(environment: environment)
        var reader = ConfigurationReader(
            source: Source(file: file, variables: variables, patterns: patterns, isLenient: lenient)
        )
        let configuration = reader.read(bytes)
        return reader.findings.result(configuration)
    }
}

/// Goes through a file from the root to the last flow.
struct ConfigurationReader {
    let source: Source
    private(set) var findings = Findings()

    init(source: Source) {
        self.source = source
    }

    /// The configuration; what it is worth nothing without stands in `findings`.
    mutating func read(_ bytes: [UInt8]) -> AgentConfiguration? {
        do throws(JSONError) {
            let document = try JSONDocument(parsing: bytes)
            if let trailing = document.trailing { note(trailing, isWarning: source.isLenient) }
            return readRoot(document.root)
        } catch {
            note(error)
            return nil
        }
    }

    private mutating func note(_ error: JSONError, isWarning: Bool = false) {
        let fault = Fault(file: source.file, position: error.position, problem: error.message)
        findings.add(fault, isWarning: isWarning)
    }

    private mutating func readRoot(_ root: JSONValue) -> AgentConfiguration? {
        guard case .object(let object) = root.content else {
            let problem = "expected an object, { \"flows\": [ … ] }, found \(root.kind)"
            findings.add(Fault(file: source.file, position: root.position, problem: problem))
            return nil
        }
        var section = Section(object, at: root.position, level: .agent, path: "", source: source)
        let flows = readFlows(&section)
        let configuration = section.agent(flows: flows)
        findings.add(contentsOf: section.findings)
        return configuration
    }

    // MARK: Flows

    private mutating func readFlows(_ section: inout Section) -> [FlowConfiguration] {
        let row = AgentKeys.flows
        section.require(row)
        guard section.isGiven(row.name), let value = section.object[row.name]?.value else { return [] }
        guard case .array(let elements) = value.content, !elements.isEmpty else {
            section.note(row.name, at: value.position, problem: "expected an array of objects, at least one")
            return []
        }
        var flows: [FlowConfiguration] = []
        var firsts: [FlowIdentity: JSONPosition] = [:]
        for (index, element) in elements.enumerated() {
            guard let flow = readFlow(element, index, &section) else { continue }
            flows.append(flow)
            if let first = firsts.updateValue(element.position, forKey: FlowIdentity(flow)) {
                section.note(
                    row.name,
                    element: index,
                    at: element.position,
                    problem: "has the deliveryStream and filePattern of the flow at \(first)",
                    advice: "remove one of them"
                )
            }
        }
        return flows
    }

    private mutating func readFlow(_ value: JSONValue, _ index: Int, _ parent: inout Section) -> FlowConfiguration? {
        guard case .object(let object) = value.content else {
            parent.note(
                AgentKeys.flows.name,
                element: index,
                at: value.position,
                value: value.written,
                problem: "expected an object with filePattern and deliveryStream"
            )
            return nil
        }
        let path = "\(AgentKeys.flows.name)[\(index)]"
        var section = Section(object, at: value.position, level: .flow, path: path, source: source)
        let flow = section.flow()
        findings.add(contentsOf: section.findings)
        return flow
    }
}

/// What no two flows may have in common: they would read the same files for the same stream.
private struct FlowIdentity: Hashable {
    private let stream: StreamName
    private let patterns: Set<String>

    init(_ flow: FlowConfiguration) {
        stream = flow.stream
        patterns = Set(flow.filePatterns)
    }
}
