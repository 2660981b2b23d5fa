package import Regex

/// Which lines belong together.
package struct EventRules: Sendable {
    /// What the first line of an event begins with; nil: each line, or message of a container, is an event.
    package let startPattern: RegularExpression?

    /// How long an event waits for its next line, and a message of a container for its next part.
    package let timeout: Duration

    /// What an event holds at most, in bytes; one that would hold more is split between two of its lines.
    ///
    /// Only a line that is longer makes an event that is larger.
    package let maxEventBytes: Int

    package init(
        startPattern: RegularExpression? = nil,
        timeout: Duration = .seconds(5),
        maxEventBytes: Int = 1_024_000
    ) {
        self.startPattern = startPattern
        self.timeout = timeout
        self.maxEventBytes = maxEventBytes
    }
}
