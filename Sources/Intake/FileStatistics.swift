package import Platform
package import Records
package import Tailing

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

    /// Why it is looked at from time to time, if no events tell of its changes.
    package let polledBecause: FileWatcher.Shortage?

    /// Whether it has no name any more.
    package let isDeleted: Bool

    /// Whether it is mounted by itself, so that no file that takes its place will be seen.
    package let isMountedAlone: Bool

    /// Why it cannot be read now; nil if it can, or was not tried.
    package let error: TailError?
}

/// What the intake knows of files and directories at one moment.
package struct Survey: Sendable {
    /// What each flow has read since the start.
    package var flows: [IntakeCounts] = []

    /// Every file that is followed, by path.
    package var files: [FileStatistics] = []

    /// Directories that are looked at from time to time, and why.
    package var polledDirectories: [Path: FileWatcher.Shortage] = [:]

    /// Files that match and are not followed, since they cannot be opened.
    package var unreadable: [Path: TailError] = [:]

    /// Directories in which files cannot be looked for.
    package var closedDirectories: [Path: Errno] = [:]

    package init() {}
}

extension Intake {
    /// How everything stands; the doorbell must be rung until this returns, since the intake may be asleep.
    package func survey() -> Survey {
        let all = files.all.map { file in
            FileStatistics(
                path: file.tail.path,
                stream: file.tail.stream,
                flow: file.flow,
                size: file.tail.size,
                readOffset: file.tail.offset,
                storedOffset: file.storedOffset,
                behindSince: file.behindSince,
                polledBecause: watcher.polledFiles[file.id],
                isDeleted: file.tail.isDeleted,
                isMountedAlone: file.tail.isMountPoint,
                error: file.reported == .moved ? nil : file.reported
            )
        }
        var survey = Survey()
        survey.flows = lanes.map(\.counts)
        survey.files = all.sorted { ($0.path, $0.stream) < ($1.path, $1.stream) }
        survey.polledDirectories = watcher.polledDirectories
        survey.unreadable = unreadable
        survey.closedDirectories = closedDirectories
        return survey
    }
}
