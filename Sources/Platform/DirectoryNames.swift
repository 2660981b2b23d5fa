import Glibc

/// The names in a directory, open to be read, closed when their one owner lets go of them.
@safe package struct DirectoryNames: ~Copyable {
    private let stream: OpaquePointer

    init(of directory: CInt) throws(Errno) {
        let opened = try Errno.check { unsafe openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard let stream = unsafe fdopendir(opened) else {
            let error = Errno(rawValue: errno)
            _ = close(opened)
            throw error
        }
        unsafe self.stream = stream
    }

    deinit {
        _ = unsafe closedir(stream)
    }

    /// Lends each name but `.` and `..`, in no particular order.
    ///
    /// The inode is the name's own: not what a symbolic link leads to, nor what is mounted there. The kind is nil where
    /// only `Directory.status(of:followingLinks:)` can tell.
    package consuming func forEach(
        _ body: (_ name: Span<UInt8>, _ inode: UInt64, _ kind: FileKind?) -> Void
    ) throws(Errno) {
        guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else {
            preconditionFailure("it is a stored field")
        }
        while true {
            errno = 0
            guard let entry = unsafe readdir(stream) else { break }
            // What lies there is only as long as its name: it must not be copied as a whole `dirent`.
            let start = unsafe UnsafeRawPointer(entry) + offset
            let length = unsafe strlen(start.assumingMemoryBound(to: CChar.self))
            let name = unsafe UnsafeBufferPointer(start: start.assumingMemoryBound(to: UInt8.self), count: length)
            if unsafe name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8) { continue }
            unsafe body(name.span, UInt64(entry.pointee.d_ino), FileKind(directoryType: entry.pointee.d_type))
        }
        if errno != 0 { throw Errno(rawValue: errno) }
    }
}
