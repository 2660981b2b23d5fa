package import Containers

/// How the log of a container becomes events.
package struct ContainerRules: Sendable {
    package let format: ContainerFormat

    /// What an event's record is; nil: the message alone.
    package let record: ContainerRecord?

    /// How long a message may be when its parts are joined, and what becomes of others.
    package let limits: LineLimits

    package init(format: ContainerFormat, record: ContainerRecord?, limits: LineLimits) {
        self.format = format
        self.record = record
        self.limits = limits
    }
}
