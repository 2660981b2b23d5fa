import Glibc

/// The kernel's news about files and directories.
///
/// See inotify(7). One instance serves any number of watches.
package struct Inotify: ~Copyable, Sendable {
    private let descriptor: FileDescriptor

    /// What is watched for, and what happened.
    package struct Mask: OptionSet, Sendable, Hashable {
        package let rawValue: UInt32

        package init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        package static let modified = Mask(rawValue: UInt32(IN_MODIFY))
        /// Permissions, owner or the number of names changed.
        package static let attributes = Mask(rawValue: UInt32(IN_ATTRIB))
        package static let created = Mask(rawValue: UInt32(IN_CREATE))
        package static let deleted = Mask(rawValue: UInt32(IN_DELETE))
        package static let movedFrom = Mask(rawValue: UInt32(IN_MOVED_FROM))
        package static let movedTo = Mask(rawValue: UInt32(IN_MOVED_TO))
        package static let selfDeleted = Mask(rawValue: UInt32(IN_DELETE_SELF))
        package static let selfMoved = Mask(rawValue: UInt32(IN_MOVE_SELF))
        /// The queue was full and events were lost.
        package static let overflow = Mask(rawValue: UInt32(IN_Q_OVERFLOW))
        /// The watch is gone: its file was deleted or its file system unmounted.
        package static let ignored = Mask(rawValue: UInt32(IN_IGNORED))
        package static let isDirectory = Mask(rawValue: UInt32(IN_ISDIR))
        package static let onlyDirectory = Mask(rawValue: UInt32(IN_ONLYDIR))
    }

    /// A watch's number; the same file watched twice has the same one.
    package struct Watch: Hashable, Sendable {
        let rawValue: CInt
    }

    /// One piece of news.
    package struct Event: Sendable {
        /// Nil for an overflow, which belongs to no watch.
        package var watch: Watch?
        package var mask: Mask

        /// The same number for the two halves of one renaming; 0 for what is no renaming.
        package var cookie: UInt32

        /// Which name in the watched directory it is about; empty if it is about what is watched itself.
        package var name: [UInt8]
    }

    package init() throws(Errno) {
        descriptor = FileDescriptor(owning: try Errno.check { inotify_init1(CInt(IN_NONBLOCK) | CInt(IN_CLOEXEC)) })
    }

    /// Watches a path, or changes what it is watched for.
    package func watch(_ path: Path, for mask: Mask) throws(Errno) -> Watch {
        try unsafe path.withCString { (path) throws(Errno) in
            Watch(rawValue: try Errno.check { unsafe inotify_add_watch(descriptor.rawValue, path, mask.rawValue) })
        }
    }

    /// Ends a watch; one that has ended by itself is no error.
    package func unwatch(_ watch: Watch) {
        _ = inotify_rm_watch(descriptor.rawValue, watch.rawValue)
    }

    /// Hands over every event that is waiting, in order, without waiting for more.
    package func drain(_ handle: (Event) -> Void) {
        let size = 65_536
        unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { buffer in
            while true {
                let count = unsafe read(descriptor.rawValue, buffer.baseAddress, size)
                guard count > 0 else { return }
                unsafe Self.parse(UnsafeRawBufferPointer(rebasing: buffer[..<count]), handle)
            }
        }
    }

    private static func parse(_ bytes: UnsafeRawBufferPointer, _ handle: (Event) -> Void) {
        var offset = 0
        while offset + MemoryLayout<inotify_event>.size <= bytes.count {
            let header = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
            offset += MemoryLayout<inotify_event>.size
            let name = unsafe UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + Int(header.len)])
            offset += name.count
            let event = Event(
                watch: header.wd >= 0 ? Watch(rawValue: header.wd) : nil,
                mask: Mask(rawValue: header.mask),
                cookie: header.cookie,
                name: unsafe Array(name.prefix { $0 != 0 })
            )
            handle(event)
        }
    }

    /// For `poll`.
    var pollDescriptor: CInt { descriptor.rawValue }
}
