import CPlatform
import Glibc

/// An open file, closed once, when its one owner lets go of it.
package struct FileDescriptor: ~Copyable, Sendable {
    package let rawValue: CInt

    /// Takes ownership of a descriptor.
    package init(owning rawValue: CInt) {
        self.rawValue = rawValue
    }

    /// How a file is opened.
    package enum Access: Sendable {
        /// For reading; never waits for a FIFO's writer.
        case reading
        /// For reading and writing, made with mode 0600 if it is not there.
        case updating
        /// For writing from nothing, made with mode 0600; fails if the file exists.
        case creating
        /// For reading and writing a file without a name, with mode 0600, in the directory that the path leads to.
        case spooling
    }

    package init(opening path: String, for access: Access) throws(Errno) {
        try self.init(opening: Path(path), for: access)
    }

    package init(opening path: Path, for access: Access) throws(Errno) {
        rawValue = try unsafe path.withCString { (path) throws(Errno) in try unsafe Self.open(path, access) }
    }

    private static func open(_ path: UnsafePointer<CChar>, _ access: Access) throws(Errno) -> CInt {
        let flags: CInt =
            switch access {
            case .reading: O_RDONLY | O_NONBLOCK | O_NOCTTY
            case .updating: O_RDWR | O_CREAT
            case .creating: O_WRONLY | O_CREAT | O_EXCL
            case .spooling: O_RDWR | CInt(cplatform_unnamed_file)
            }
        return try Errno.check { unsafe cplatform_open(path, flags | O_CLOEXEC, 0o600) }
    }

    deinit {
        _ = close(rawValue)
    }

    /// Appends up to `count` bytes from `offset`, in bytes from the start of the file, to `buffer`.
    ///
    /// - Returns: how many bytes were read; 0 at the end of the file.
    package func read(appendingTo buffer: inout [UInt8], count: Int, at offset: Int) throws(Errno) -> Int {
        var failure: Errno?
        let read = unsafe buffer.withSpareCapacity(count) { memory -> Int in
            do throws(Errno) {
                return try Errno.check { unsafe pread(rawValue, memory.baseAddress, count, off_t(offset)) }
            } catch {
                failure = error
                return 0
            }
        }
        if let failure { throw failure }
        return read
    }

    /// Where the next bytes are, from `offset` on, that were ever written, as far as the file system tells.
    ///
    /// What lies before them reads as zeros.
    ///
    /// - Returns: their offset, in bytes from the start of the file; nil if there are none up to its end.
    package func nextData(from offset: Int) throws(Errno) -> Int? {
        do throws(Errno) {
            return Int(try Errno.check { lseek(rawValue, off_t(offset), cplatform_seek_data) })
        } catch  where error == .noSuchAddress {
            return nil
        }
    }

    /// Writes all bytes at the file's position.
    package func write(_ bytes: Span<UInt8>) throws(Errno) {
        var written = 0
        while written < bytes.count {
            written += try unsafe bytes.withUnsafeBytes { (buffer) throws(Errno) -> Int in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[written...])
                return try Errno.check { unsafe Glibc.write(rawValue, rest.baseAddress, rest.count) }
            }
        }
    }

    /// Writes all bytes at `offset`, in bytes from the start of the file; what is left out before it reads as zeros.
    package func write(_ bytes: Span<UInt8>, at offset: Int) throws(Errno) {
        var written = 0
        while written < bytes.count {
            written += try unsafe bytes.withUnsafeBytes { (buffer) throws(Errno) -> Int in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[written...])
                return try Errno.check {
                    unsafe pwrite(rawValue, rest.baseAddress, rest.count, off_t(offset + written))
                }
            }
        }
    }

    /// Makes the file this many bytes long.
    package func truncate(to size: Int) throws(Errno) {
        try Errno.check { ftruncate(rawValue, off_t(size)) }
    }

    /// Takes the room on the disk that the file's first bytes need, whether it has so many yet or not.
    ///
    /// What is in it stays as it is, and as long as it was.
    package func allocate(_ bytes: Int) throws(Errno) {
        try Errno.check { cplatform_allocate(rawValue, off_t(bytes)) }
    }

    /// Waits until the file's bytes are on the disk.
    package func synchronize() throws(Errno) {
        try Errno.check { fdatasync(rawValue) }
    }

    /// Takes the advisory lock on the whole file.
    ///
    /// - Returns: false if another process holds it.
    package func tryLock() throws(Errno) -> Bool {
        do throws(Errno) {
            try Errno.check { cplatform_try_lock(rawValue) }
            return true
        } catch  where error == .wouldBlock {
            return false
        }
    }

    /// Whether it was opened by a name at which this very file is mounted, and not a directory above it.
    ///
    /// Never on Linux before 5.8, which does not tell.
    package var isMountPoint: Bool { cplatform_is_mount_point(rawValue) }

    package func status() throws(Errno) -> FileStatus {
        var raw = stat()
        try Errno.check { unsafe fstat(rawValue, &raw) }
        guard let status = FileStatus(raw) else { throw Errno(rawValue: EINVAL) }
        return status
    }
}

extension [UInt8] {
    /// Lets `write` fill up to `count` bytes of spare memory behind the last element, which is added as far as it says.
    fileprivate mutating func withSpareCapacity(
        _ count: Int,
        _ write: (UnsafeMutableRawBufferPointer) -> Int
    ) -> Int {
        var added = 0
        append(addingCapacity: count) { output in
            unsafe output.withUnsafeMutableBufferPointer { buffer, initialized in
                let spare = UnsafeMutableRawBufferPointer(buffer)
                added = unsafe write(UnsafeMutableRawBufferPointer(rebasing: spare[initialized..<initialized + count]))
                initialized += added
            }
        }
        return added
    }
}

/// The kind of file system that an open file lies on, such as `NFS`, if it does not report what others write to it.
package func silentFileSystem(of descriptor: CInt) -> String? {
    unsafe cplatform_silent_file_system(descriptor).map { unsafe String(cString: $0) }
}
