extension AgentConfiguration {
    /// A table of all keys, for a terminal: what each takes, its default and its meaning.
    package static func reference() -> String {
        var lines: [String] = []
        for level in Level.allCases {
            lines.append("Keys \(level.place):")
            lines.append("")
            lines += level.rows.filter(\.isSupported).flatMap(entry)
            lines.append("")
        }
        lines.append("Keys of the Kinesis Agent that are not supported yet, and refused:")
        lines.append("")
        lines += unread { if case .notYet = $0.support { true } else { false } }
        lines.append("")
        lines.append("Keys of the Kinesis Agent that have no effect, and cause a warning:")
        lines.append("")
        lines += unread { if case .withoutEffect = $0.support { true } else { false } }
        lines.append("")
        lines.append("Any other key is refused, unless it begins with _, which makes it a comment.")
        lines.append("In a text, ${NAME} is the environment variable NAME, and $$ is a dollar sign.")
        return lines.joined(separator: "\n") + "\n"
    }

    /// The name and meaning of a key, and beneath it what it takes.
    private static func entry(_ row: KeyRow) -> [String] {
        guard case .supported(let allowed, let byDefault) = row.support else { return [] }
        let state = byDefault.map { "default: \($0)" } ?? "required"
        return ["  \(row.name)", "      \(row.meaning)", "      \(allowed); \(state)"]
    }

    /// The keys of both levels that satisfy the condition, a line for each, without repetition.
    private static func unread(_ condition: (KeyRow) -> Bool) -> [String] {
        let rows = Level.allCases.flatMap(\.rows).filter(condition)
        let width = rows.map(\.name.count).max() ?? 0
        var seen: Set<String> = []
        return rows.filter { seen.insert($0.name).inserted }.map { row in
            "  \(row.name)\(String(repeating: " ", count: width - row.name.count))  \(row.meaning)"
        }
    }
}
