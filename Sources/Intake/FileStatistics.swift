package import Platform
package import Records
import Tailing

/// How the reading of one file stands.
package struct FileStatistics: Sendable {
    package let path: Path
    package let stream: StreamName

    /// The index of its flow.
    package let flow: Int

    /// Bytes in the file, as far as is known.
    package let size: Int

    /// Bytes from its start that are read.
    package let readOffset: Int

    /// Bytes from its start whose lines are stored; what is between the two waits for more lines.
    package let storedOffset: Int

    /// Since when there is something that is not read.
    package let behindSince: ContinuousClock.Instant?

    /// Whether it is looked at from time to time, since no events tell of its changes.
    package let isPolled: Bool

    /// Whether it has no name any more.
    package let isDeleted: Bool
}

extension Intake {
    /// How every file stands, by path; the doorbell must be rung until this returns, since the intake may be asleep.
    package func fileStatistics() -> [FileStatistics] {
        let all = files.all.map { file in
            FileStatistics(
                path: file.tail.path,
                stream: file.tail.stream,
                flow: file.flow,
                size: file.tail.size,
                readOffset: file.tail.offset,
                storedOffset: file.storedOffset,
                behindSince: file.behindSince,
                isPolled: file.tail.descriptorNumber != nil && !watcher.watches(file.id),
                isDeleted: file.tail.isDeleted
            )
        }
        return all.sorted { ($0.path.description, $0.stream) < ($1.path.description, $1.stream) }
    }
}
