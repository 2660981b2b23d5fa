import Configuration

/// Reads a configuration from a text.
func read(_ text: String, environment: [String: String] = [:], lenient: Bool = false) -> ParsedConfiguration {
    AgentConfiguration.parse(Array(text.utf8), file: "agent.json", environment: environment, lenient: lenient)
}

/// A configuration of one sound flow, with more members at the top level and in the flow.
func configuration(agent: String = "", flow: String = "") -> String {
    let flowMembers = joined(#""filePattern": "/var/log/a.log", "deliveryStream": "logs""#, flow)
    return "{\(joined(#""flows": [{\#(flowMembers)}]"#, agent))}"
}

extension ParsedConfiguration {
    /// Each fault without the name of the file and the position.
    var messages: [String] { faults.map(\.message) }
}

extension Fault {
    /// The fault without the name of the file and the position.
    var message: String {
        Fault(file: "", keyPath: keyPath, value: value, problem: problem, advice: advice).description
            .split(separator: " ").dropFirst().joined(separator: " ")
    }
}

private func joined(_ first: String, _ second: String) -> String {
    second.isEmpty ? first : first + ", " + second
}
