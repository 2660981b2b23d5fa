package import Glibc

/// What `stat` tells about a file.
package struct FileStatus: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case regular, directory, fifo, device, socket, other
    }

    package var kind: Kind
    package var device: UInt64
    package var inode: UInt64

    /// Bytes.
    package var size: Int

    /// How many names the file has; 0 when it was deleted.
    package var linkCount: Int

    /// When its content last changed.
    package var modified: timespec

    package init(_ raw: stat) {
        kind =
            switch raw.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .directory
            case S_IFIFO: .fifo
            case S_IFCHR, S_IFBLK: .device
            case S_IFSOCK: .socket
            default: .other
            }
        device = UInt64(raw.st_dev)
        inode = UInt64(raw.st_ino)
        size = Int(raw.st_size)
        linkCount = Int(raw.st_nlink)
        modified = raw.st_mtim
    }

    /// The status of what `path` leads to, symbolic links followed.
    package init(of path: String) throws(Errno) {
        var raw = stat()
        try Errno.check { unsafe stat(path, &raw) }
        self.init(raw)
    }

    package static func == (left: FileStatus, right: FileStatus) -> Bool {
        left.kind == right.kind && left.device == right.device && left.inode == right.inode && left.size == right.size
            && left.linkCount == right.linkCount && left.modified.tv_sec == right.modified.tv_sec
            && left.modified.tv_nsec == right.modified.tv_nsec
    }
}
