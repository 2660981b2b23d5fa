import Discovery
import Platform
import Records
import Tailing

/// What the walks of all flows through the same directories have found.
struct Sweep {
    /// The directories that were looked through.
    var directories: Set<Path> = []

    /// The files that patterns match.
    var listed: Set<FileKey> = []

    /// Paths about which something was to be reported, whether it was new or not.
    var oddities: Set<Path> = []

    /// Where something is hidden, so that what was seen there may still be there.
    var unreadable: [Path] = []

    /// Whether a path lies where the walks could not look.
    func hides(_ path: Path) -> Bool {
        unreadable.contains { path.isOrLies(in: $0) }
    }
}
