/// What somebody has to say.
struct LogMessage: Sendable {
    let level: LogLevel
    let component: String
    let text: String
}
