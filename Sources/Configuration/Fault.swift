package import JSON

/// Something in a configuration that is wrong, or of which the operator should know.
///
/// It shows neither secrets nor what a variable of the environment holds.
package struct Fault: Sendable, Equatable, CustomStringConvertible {
    package let file: String

    /// Where it stands; nil if it is about the file as a whole.
    package let position: JSONPosition?

    /// Such as `flows[1].maxBufferAgeMillis`; nil if it is about no key.
    package let keyPath: String?

    /// The value as it is written, shortened; nil if there is none or it must not be shown.
    package let value: String?

    /// What is wrong, and what is allowed.
    package let problem: String

    /// What to do about it, where that does not follow.
    package let advice: String?

    package init(
        file: String,
        position: JSONPosition? = nil,
        keyPath: String? = nil,
        value: String? = nil,
        problem: String,
        advice: String? = nil
    ) {
        self.file = file
        self.position = position
        self.keyPath = keyPath
        self.value = value
        self.problem = problem
        self.advice = advice
    }

    /// One line: `file:line:column: key = value: problem; advice`.
    package var description: String {
        var line = file
        if let position { line += ":\(position.line):\(position.column)" }
        if let keyPath { line += ": \(keyPath)" }
        if let value { line += " = \(value)" }
        line += ": \(problem)"
        if let advice { line += "; \(advice)" }
        return line
    }
}

/// What became of a configuration file.
package struct ParsedConfiguration: Sendable, Equatable {
    /// Nil if and only if there are faults.
    package let configuration: AgentConfiguration?

    /// All that is wrong, in the order of the file.
    package let faults: [Fault]

    /// What has no effect, in the order of the file.
    package let warnings: [Fault]
}

/// What is found along the way.
struct Findings {
    private(set) var faults: [Fault] = []
    private(set) var warnings: [Fault] = []

    mutating func add(_ fault: Fault, isWarning: Bool = false) {
        if isWarning {
            warnings.append(fault)
        } else {
            faults.append(fault)
        }
    }

    mutating func add(contentsOf other: Findings) {
        faults += other.faults
        warnings += other.warnings
    }

    /// The findings with a configuration that holds only if there is no fault.
    func result(_ configuration: AgentConfiguration?) -> ParsedConfiguration {
        ParsedConfiguration(
            configuration: faults.isEmpty ? configuration : nil,
            faults: Self.inOrder(faults),
            warnings: Self.inOrder(warnings)
        )
    }

    private static func inOrder(_ found: [Fault]) -> [Fault] {
        let start = JSONPosition(line: 0, column: 0)
        return found.sorted { ($0.position ?? start) < ($1.position ?? start) }
    }
}
