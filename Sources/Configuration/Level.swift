/// Where in the file a key stands.
enum Level: CaseIterable {
    case agent
    case flow

    /// Every key that belongs here.
    var rows: [KeyRow] {
        switch self {
        case .agent: AgentKeys.all
        case .flow: FlowKeys.all
        }
    }

    /// Completes "belongs …".
    var place: String {
        switch self {
        case .agent: "at the top level"
        case .flow: "in a flow"
        }
    }

    var other: Level {
        switch self {
        case .agent: .flow
        case .flow: .agent
        }
    }

    func row(_ name: String) -> KeyRow? {
        Self.index[self]?[name]
    }

    private static let index: [Level: [String: KeyRow]] = Dictionary(
        uniqueKeysWithValues: allCases.map { level in
            (level, Dictionary(uniqueKeysWithValues: level.rows.map { ($0.name, $0) }))
        }
    )
}
