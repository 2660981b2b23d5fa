package import Framing
package import Platform
package import Records
package import Tailing

/// Something that a person may want to know about the reading of files; never a line's text.
package enum IntakeEvent: Sendable {
    /// The first look around is over, and so many files are followed: what happens to files from now on is seen.
    case ready(files: Int)

    /// A file is followed from this offset.
    case following(Path, StreamName, offset: Int, Beginning)

    /// A file was truncated or rewritten after it was read up to an offset; it is read from its beginning.
    ///
    /// `unread` is how many bytes are known to have been behind that offset, and were gone before they were read.
    case startedOver(Path, from: Int, unread: Int)

    /// A file lost its name, or has another one that no pattern matches; it is read to its end.
    case rotatedAway(Path, isDeleted: Bool)

    /// A file is not followed any more.
    case letGo(Path, read: Int)

    /// A deleted file is not held any longer although not all of it has been read, since that keeps too much from the
    /// disk, or does so for too long.
    case givenUp(Path, unread: Int)

    /// A generation of a log was compressed, to so many bytes, before anybody saw it; it is not read.
    case compressedUnread(Path, bytes: Int)

    /// A file that was read up to an offset is nowhere to be found; what was behind that, if anything, is not read.
    case lost(path: String, StreamName, offset: Int)

    /// A file cannot be read now; said once until it can, or fails in another way.
    case unreadable(Path, TailError)

    /// A path that matches is where this program's own messages go.
    case ownLog(Path)

    /// A file is mounted by itself: the path leads to it for ever, and to none that takes its place where it comes from.
    case mountedAlone(Path)

    /// A path that matches is no file with lines.
    case skipped(Path, FileKind)

    /// Files cannot be looked for in a directory, or behind a link.
    case closedDirectory(Path, Errno)

    /// This is the first of the files and directories that are polled because they cannot be watched for this reason.
    case polling(Path, FileWatcher.Shortage)

    /// The kernel lost events; everything is looked at.
    case overflowed

    /// Lines were longer than allowed, and were dealt with as the limits say: so many in one turn of the file.
    case cut(Path, lines: Int, LineLimits)

    /// Lines of a file became no event, or not one whole event: so often in one turn of the file.
    case events(Path, EventCounts)

    /// The start pattern of a flow does not do what it should, as far as the lines of this file tell; said once.
    case startPattern(Path, PatternTrouble)

    /// A file matches two flows of the same stream and is read by the first one only.
    case shared(Path, StreamName)

    /// What is wrong with a start pattern.
    package enum PatternTrouble: Sendable, Equatable, CaseIterable {
        /// So many lines were looked at, and none of them matches.
        case neverMatches
        /// It takes too long to tell whether a line matches, which is then taken not to.
        case takesTooLong
    }

    /// How a file's first offset came about.
    package enum Beginning: Sendable, Equatable {
        case start, end
        case checkpoint
        /// It is a copy of a file that is gone or was rewritten, and goes on where that was read to.
        case copy
        /// It is not what the checkpoint describes.
        case changed(Tail.Continuation)
    }
}
