/// How much a message matters; from the one that matters most.
package enum LogLevel: String, Sendable, CaseIterable, Comparable {
    /// Something is lost, or will be unless somebody acts.
    case error
    /// Something is not as it should be, and is dealt with.
    case warning
    /// What an operator wants to know about a healthy agent.
    case info
    /// What helps to find out why.
    case debug

    /// Five characters, so that messages line up.
    var label: String {
        switch self {
        case .error: "ERROR"
        case .warning: "WARN "
        case .info: "INFO "
        case .debug: "DEBUG"
        }
    }

    package static func < (left: LogLevel, right: LogLevel) -> Bool { left.importance < right.importance }

    private var importance: Int {
        switch self {
        case .debug: 0
        case .info: 1
        case .warning: 2
        case .error: 3
        }
    }
}
