package import Regex

/// Which lines belong together.
package struct EventRules: Sendable {
    /// What the first line of an event begins with.
    package let startPattern: RegularExpression

    /// How long an event waits for its next line.
    package let timeout: Duration

    /// What an event holds at most, in bytes; one that would hold more is split between two of its lines.
    ///
    /// Only a line that is longer makes an event that is larger.
    package let maxEventBytes: Int

    package init(startPattern: RegularExpression, timeout: Duration = .seconds(5), maxEventBytes: Int = 1_024_000) {
        self.startPattern = startPattern
        self.timeout = timeout
        self.maxEventBytes = maxEventBytes
    }
}
