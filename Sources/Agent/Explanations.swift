import Framing
import Intake
import Platform
import Tailing

// What is said, in the log and by `firetail status`, of what the stages report.

extension TailError {
    var explanation: String {
        switch self {
        case .moved: "is not there any more"
        case .denied: "cannot be read: permission denied; it is taken up when the agent may read it"
        case .tooManyOpenFiles: "cannot be opened: too many open files; raise the limit (ulimit -n) or set maxOpenFiles"
        case .failing(let errno): "cannot be read: \(errno); trying again"
        }
    }
}

extension Errno {
    /// What it means for a directory in which files are to be looked for.
    var ofClosedDirectory: String { "cannot look for files in it: \(self); give the agent the right to read it" }
}

extension EventCounts {
    /// How many of what, and what became of them.
    var explanations: [(count: String, what: String)] {
        [
            (splits, "event", "split, since no record could hold them, or all open ones took too much memory"),
            (unfinished, "message", "sent without their last parts, which did not come"),
            (broken, "line", "not in the format of the container's log, and sent as they are"),
            (cutMessages, "message", "longer than allowed, and dealt with as oversizedLines says"),
        ].filter { $0.0 > 0 }.map { (Amount.count($0.0, $0.1), $0.2) }
    }
}

extension LineLimits.Oversized {
    var explanation: String {
        switch self {
        case .truncate: "cut there"
        case .split: "split there"
        case .skip: "not sent"
        }
    }
}

extension IntakeEvent.PatternTrouble {
    var explanation: String {
        switch self {
        case .neverMatches:
            "no line so far begins as multiLineStartPattern says, so events end only by time and size; check the pattern"
        case .takesTooLong:
            "lines take too long to match with multiLineStartPattern and are taken not to; make the pattern simpler"
        }
    }
}

extension FileWatcher.Shortage {
    var explanation: String {
        switch self {
        case .instances: "since no inotify instance could be had; raise fs.inotify.max_user_instances"
        case .watches: "since the limit of inotify watches is reached; raise fs.inotify.max_user_watches"
        case .silentFileSystem(let kind): "since its file system (\(kind)) does not report changes"
        case .refused(let errno): "since it cannot be watched (\(errno))"
        }
    }
}
