package import Platform
package import Records
package import Tailing

/// Something that a person may want to know about the reading of files; never a line's text.
package enum IntakeEvent: Sendable {
    /// A file is followed from this offset.
    case following(Path, StreamName, offset: Int, Beginning)

    /// A file was truncated or rewritten; `unread` is how many bytes at least were gone before they were read, if known.
    case startedOver(Path, from: Int)

    /// A file lost its name, or has another one that no pattern matches; it is read to its end.
    case rotatedAway(Path, isDeleted: Bool)

    /// A file is not followed any more.
    case letGo(Path, read: Int)

    /// A file that was read before is nowhere to be found.
    case lost(path: String, StreamName, offset: Int)

    case unreadable(Path, TailError)

    /// A path that matches is no file with lines.
    case skipped(Path, FileKind)

    case closedDirectory(Path, Errno)

    /// A file or directory is polled because it cannot be watched.
    case polling(Path, FileWatcher.Shortage)

    /// The kernel lost events; everything is looked at.
    case overflowed

    /// Lines were longer than allowed, and were cut.
    case cut(Path, lines: Int, limit: Int)

    /// A file matches two flows of the same stream and is read by the first one only.
    case shared(Path, StreamName)

    /// How a file's first offset came about.
    package enum Beginning: Sendable, Equatable {
        case start, end
        case checkpoint
        /// It is not what the checkpoint describes.
        case changed(Tail.Continuation)
    }
}
