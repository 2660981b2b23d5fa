import Glibc

/// What a name stands for.
package enum FileKind: Hashable, Sendable, CustomStringConvertible {
    case regular, directory, symbolicLink, fifo, socket, characterDevice, blockDevice

    /// From the type bits of `st_mode`; nil for none of these.
    init?(mode: mode_t) {
        switch mode & S_IFMT {
        case S_IFREG: self = .regular
        case S_IFDIR: self = .directory
        case S_IFLNK: self = .symbolicLink
        case S_IFIFO: self = .fifo
        case S_IFSOCK: self = .socket
        case S_IFCHR: self = .characterDevice
        case S_IFBLK: self = .blockDevice
        default: return nil
        }
    }

    /// From `d_type`, which holds the same four bits; nil where the file system does not say.
    init?(directoryType: UInt8) {
        self.init(mode: mode_t(directoryType) << 12)
    }

    package var description: String {
        switch self {
        case .regular: "file"
        case .directory: "directory"
        case .symbolicLink: "symbolic link"
        case .fifo: "FIFO"
        case .socket: "socket"
        case .characterDevice: "character device"
        case .blockDevice: "block device"
        }
    }
}

/// What the system knows about a file, without what is in it.
package struct FileStatus: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64

    /// Bytes.
    package let size: Int

    /// When its contents last changed, since 1970.
    package let modified: Duration

    /// How many names the file has; 0 when it was deleted.
    package let linkCount: Int

    package let kind: FileKind

    /// Nil if the file is of a kind that has no name here.
    init?(_ raw: stat) {
        guard let kind = FileKind(mode: raw.st_mode) else { return nil }
        device = UInt64(raw.st_dev)
        inode = UInt64(raw.st_ino)
        size = Int(raw.st_size)
        linkCount = Int(raw.st_nlink)
        modified = .seconds(raw.st_mtim.tv_sec) + .nanoseconds(raw.st_mtim.tv_nsec)
        self.kind = kind
    }

    /// The status of what `path` leads to, symbolic links followed.
    package init(of path: String) throws(Errno) {
        var raw = stat()
        try Errno.check { unsafe stat(path, &raw) }
        guard let status = FileStatus(raw) else { throw Errno(rawValue: EINVAL) }
        self = status
    }
}

/// The regular file that this process has open under a number; nil if it is something else, or nothing.
package func regularFile(openAs descriptor: CInt) -> FileStatus? {
    var raw = stat()
    guard unsafe fstat(descriptor, &raw) == 0, let status = FileStatus(raw), status.kind == .regular else { return nil }
    return status
}
