import Bytes
import Platform
package import Records

/// A directory that batches are laid out in as Firehose lays out objects in S3: for trying things without an account.
///
/// A batch becomes one file, its records back to back.
package final class DirectoryDestination: Destination {
    private let writer: DirectoryWriter
    private let unixSeconds: @Sendable () -> Int

    /// The directory is an absolute path and need not exist yet; `unixSeconds` is the time of day, for the names.
    package init(
        directory: String,
        unixSeconds: @escaping @Sendable () -> Int = { Int(WallClock.now().components.seconds) }
    ) {
        let root = directory.count > 1 && directory.hasSuffix("/") ? String(directory.dropLast()) : directory
        writer = DirectoryWriter(root: root)
        self.unixSeconds = unixSeconds
    }

    package func deliver(_ batch: RecordBatch, to stream: StreamName) async -> Delivery {
        guard !batch.isEmpty else { return .accepted }
        guard !Task.isCancelled else {
            return .failed(DeliveryFailure(.unreachable, reason: "delivery stream \(stream): interrupted"))
        }
        let key = ObjectKey(
            stream: stream,
            unixSeconds: unixSeconds(),
            uuid: ObjectKey.randomUUID(),
            isCompressed: Self.beginsCompressed(batch)
        )
        do {
            try await writer.write(batch, as: key)
            return .accepted
        } catch {
            let reason = "delivery stream \(stream): cannot write \(error)"
            return .failed(DeliveryFailure(.unreachable, reason: reason))
        }
    }

    /// Whether the first record begins as gzip does.
    private static func beginsCompressed(_ batch: RecordBatch) -> Bool {
        guard let length = batch.lengths.first, length >= 2 else { return false }
        return batch.bytes[0] == 0x1f && batch.bytes[1] == 0x8b
    }
}

/// Writes files on a thread of its own, since that blocks.
private actor DirectoryWriter {
    private let root: String
    private let executor = QueueExecutor(label: "firetail.directory")

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.reference }

    init(root: String) {
        self.root = root
    }

    func write(_ batch: RecordBatch, as key: ObjectKey) throws(ObjectFileError) {
        try ObjectFile.write(batch.bytes.span, named: key.name, in: "\(root)/\(key.folder)")
    }
}
