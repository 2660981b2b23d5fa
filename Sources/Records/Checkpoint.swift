/// Which file it is, whatever its name is now.
package struct FileIdentity: Hashable, Sendable {
    package var device: UInt64
    package var inode: UInt64

    package init(device: UInt64, inode: UInt64) {
        self.device = device
        self.inode = inode
    }
}

/// A hash over some bytes of a file, to tell it from another one that got its inode.
package struct Fingerprint: Equatable, Sendable {
    /// How many bytes are hashed; 0 says nothing about the file.
    package var length: Int

    /// Their FNV-1a hash.
    package var hash: UInt64

    package init(length: Int = 0, hash: UInt64 = 0) {
        self.length = length
        self.hash = hash
    }
}

/// How far a file has been read for one stream.
///
/// Everything before `offset` is in the cache, delivered, or was set aside; nothing after it is.
package struct Checkpoint: Equatable, Sendable {
    package var stream: StreamName
    package var file: FileIdentity

    /// Bytes from the start of the file.
    package var offset: Int

    /// Whether `offset` lies inside a line that was cut, whose rest is not wanted.
    package var isSkippingLine: Bool

    /// The file's first bytes: those before `offset`, or more where they were seen before they were read.
    package var head: Fingerprint

    /// The bytes just before `offset`.
    package var tail: Fingerprint

    /// Where the file was last seen; a label, not its identity.
    package var path: String

    package init(
        stream: StreamName,
        file: FileIdentity,
        offset: Int,
        isSkippingLine: Bool = false,
        head: Fingerprint = Fingerprint(),
        tail: Fingerprint = Fingerprint(),
        path: String
    ) {
        self.stream = stream
        self.file = file
        self.offset = offset
        self.isSkippingLine = isSkippingLine
        self.head = head
        self.tail = tail
        self.path = path
    }
}
