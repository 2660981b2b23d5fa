import Bytes
import Compression
package import Platform
package import Records

/// Files that were compressed before they were read to their end.
extension Tail {
    /// What compressed files are called that can be read.
    package static let compressedSuffix = Array(".gz".utf8)

    /// A compressed file whose content goes on where a checkpoint ends, if its first bytes and those before the
    /// checkpoint's offset prove that it is the content that was read.
    ///
    /// Offsets are those of the content. What is still to be read is inflated at once, into a file without a name in
    /// the directory `spool`, which takes that much room there until the tail is let go.
    package static func resuming(
        _ checkpoint: Checkpoint,
        inflating path: Path,
        as file: FileIdentity,
        spool: Path
    ) throws(TailError) -> Tail? {
        let tail = Tail(
            stream: checkpoint.stream,
            file: file,
            path: path,
            offset: checkpoint.offset,
            isSkippingLine: checkpoint.isSkippingLine,
            head: checkpoint.head
        )
        guard let unpacked = try tail.unpack(from: checkpoint, into: spool) else { return nil }
        try tail.read(inflated: unpacked)
        return try tail.continues(checkpoint) ? tail : nil
    }

    private func unpack(from checkpoint: Checkpoint, into spool: Path) throws(TailError) -> FileDescriptor? {
        do throws(Errno) {
            let packed = try FileDescriptor(opening: path, for: .reading)
            let status = try packed.status()
            guard status.kind == .regular, FileIdentity(device: status.device, inode: status.inode) == file else {
                return nil
            }
            modified = status.modified
            let unpacked = try FileDescriptor(opening: spool, for: .spooling)
            guard try Self.inflate(packed, into: unpacked, from: checkpoint) else { return nil }
            return consume unpacked
        } catch {
            throw TailError(error)
        }
    }

    /// Writes what is needed of a compressed file's content: its head, and what comes from shortly before the
    /// checkpoint's offset on.
    ///
    /// - Returns: whether it is whole, and goes as far as the checkpoint.
    private static func inflate(
        _ packed: borrowing FileDescriptor,
        into unpacked: borrowing FileDescriptor,
        from checkpoint: Checkpoint
    ) throws(Errno) -> Bool {
        let pieceBytes = 1 << 16
        let wanted = checkpoint.offset - min(checkpoint.offset, Fingerprint.tailBytes)
        var reader = GzipReader()
        var piece: [UInt8] = []
        var (taken, position) = (0, 0)
        var failure: Errno?
        while true {
            piece.removeAll(keepingCapacity: true)
            let count = try packed.read(appendingTo: &piece, count: pieceBytes, at: taken)
            guard count > 0 else { return !reader.isInMember && position >= checkpoint.offset }
            taken += count
            do throws(GzipError) {
                try reader.feed(piece.span) { bytes in
                    let start = position
                    position += bytes.count
                    guard failure == nil, start < Fingerprint.headBytes || position > wanted else { return }
                    do throws(Errno) { try unpacked.write(bytes, at: start) } catch { failure = error }
                }
            } catch {
                return false
            }
            if let failure { throw failure }
        }
    }
}
