import Platform
package import Records
import Synchronization

/// A file that is open and may have no name any more by which the next run could find it.
package final class LeftFile: Sendable {
    package let stream: StreamName
    package let file: FileIdentity

    private let descriptor: Mutex<FileDescriptor?>

    init(_ descriptor: consuming FileDescriptor, of file: FileIdentity, for stream: StreamName) {
        self.stream = stream
        self.file = file
        self.descriptor = Mutex(consume descriptor)
    }

    /// Gives the descriptor to its new owner; nil if it has one.
    func take() -> FileDescriptor? {
        descriptor.withLock { $0.take() }
    }
}

extension Tail {
    /// A file that an earlier run has read and left open.
    package static func resuming(
        _ checkpoint: Checkpoint,
        left file: LeftFile,
        maxLineBytes: Int = FirehoseLimits.recordBytes,
        newline: NewlineTeller = { _ in [UInt8(ascii: "\n")] }
    ) throws(TailError) -> (Tail, Continuation) {
        guard let path = Path(escaped: checkpoint.path), let descriptor = file.take() else { throw .moved }
        let resumed = Tail(checkpoint, at: path)
        try resumed.take(over: descriptor)
        return (resumed, try resumed.resume(checkpoint, maxLineBytes: maxLineBytes, newline))
    }
}
