import Cache
import Foundation
import Packing
import Records

/// Stores lines in a real cache, a record each and a megabyte a transaction, and takes them out again, request by request.
func append(byteCount: Int) async -> Row {
    var log = FramedLog()
    let directory = FileManager.default.temporaryDirectory.path + "/firetail-benchmark-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: directory) }
    guard let stream = StreamName("benchmark"),
        let cache = try? RecordCache(directory: directory, streams: [stream], maxBytes: 1 << 30)
    else { return Row(bytes: 0, cpuSeconds: 0, remark: "no cache could be made in \(directory)") }
    var harvest = Harvest()
    var packer = RecordPacker(settings: PackingSettings())
    log.forEachRun { lines, lengths in packer.add(contentsOf: lines, lengths: lengths) }
    packer.finish()
    while let chunk = packer.takeFinished() { harvest.records.append((stream, chunk.records)) }
    harvest.checkpoints = [
        Checkpoint(stream: stream, file: FileIdentity(device: 1, inode: 2), offset: 3, path: "/var/log/app.log")
    ]
    do {
        return try await measure(bytesARound: log.bytes.count, byteCount: byteCount) {
            try await cache.append(harvest)
            while let lease = try await cache.lease(stream, atMost: BatchLimits()) {
                try await cache.settle(lease, as: .accepted)
            }
        }
    } catch {
        return Row(bytes: 0, cpuSeconds: 0, remark: "\(error)")
    }
}
