import Cache
import Flushing
import Foundation
import Records
import TestSupport
import Testing

/// A disk that is full when a delivery is to be written down.
@Suite(.timeLimit(.minutes(1))) struct FullDiskTests {
    /// A file system of a few MiB in memory, which only root can make.
    final class SmallDisk: Sendable {
        let directory: TemporaryDirectory

        static let isPossible = (try? SmallDisk()) != nil

        init() throws {
            directory = try TemporaryDirectory()
            guard mount("tmpfs", directory.path, "tmpfs", 0, "size=3m") == 0 else { throw POSIXError(.EPERM) }
        }

        deinit { umount2(directory.path, Int32(MNT_DETACH)) }

        func fill() throws {
            let file = open(directory.path("ballast"), O_WRONLY | O_CREAT, 0o600)
            defer { close(file) }
            let block = [UInt8](repeating: 0, count: 4_096)
            while write(file, block, block.count) > 0 {}
        }

        func empty() { unlink(directory.path("ballast")) }
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting a small file system takes root"))
    func `what was delivered is not sent again while it cannot be written down`() async throws {
        let disk = try SmallDisk()
        let rig = try Rig(on: disk.directory) { request in
            if request.number == 1 { try? disk.fill() }
            return .accepted
        }
        try await rig.record((0..<100).map { "\($0)" + String(repeating: ".", count: 1_000) })
        try await running(rig.engine()) {
            await rig.events.wait { !$0.isEmpty }
            #expect(rig.events.value.map(\.summary) == ["storage"])
            disk.empty()
            await rig.waitUntilGone(100)
        }
        #expect(rig.events.value.map(\.summary) == ["storage", "recovered", "delivered 100 records, 100190 bytes"])
        #expect(rig.model.requests.count == 1)
        #expect(await rig.cache.stored == Backlog())
    }
}
