import CPlatform
import Glibc

/// A directory that is held on to whatever its name is now; let go of when its one owner does.
///
/// It takes no right to read the directory to have it, only to look at `names()`.
package struct Directory: ~Copyable {
    /// The directory's own device and inode.
    package let status: FileStatus

    private let descriptor: CInt

    /// Opens a directory; anything else is not opened and throws `.notADirectory`.
    package init(opening path: Path) throws(Errno) {
        let opened = try Errno.check { unsafe path.withCString { unsafe cplatform_open_directory($0) } }
        do throws(Errno) {
            let status = try Self.status(of: opened)
            descriptor = opened
            self.status = status
        } catch {
            _ = close(opened)
            throw error
        }
    }

    deinit {
        _ = close(descriptor)
    }

    /// The kernel's number for it, for as long as it is held.
    package var descriptorNumber: CInt { descriptor }

    /// The names in the directory.
    package func names() throws(Errno) -> DirectoryNames {
        try DirectoryNames(of: descriptor)
    }

    /// What stands under a name in this directory; a symbolic link itself unless it is to be followed.
    package func status(of name: [UInt8], followingLinks: Bool) throws(Errno) -> FileStatus {
        var raw = stat()
        let flags = followingLinks ? 0 : AT_SYMLINK_NOFOLLOW
        _ = try Errno.check { unsafe name.withCString { unsafe fstatat(descriptor, $0, &raw, flags) } }
        guard let status = FileStatus(raw) else { throw Errno(rawValue: EINVAL) }
        return status
    }

    /// Whether the kernel makes up what is in here, as in `/proc` and `/sys`.
    package var isKernelInterface: Bool { cplatform_is_kernel_interface(descriptor) }

    private static func status(of descriptor: CInt) throws(Errno) -> FileStatus {
        var raw = stat()
        _ = try Errno.check { unsafe fstat(descriptor, &raw) }
        guard let status = FileStatus(raw) else { throw .notADirectory }
        return status
    }
}
