import Cache
import Flushing
import Records
import TestSupport
import Testing

/// A disk that is full when a delivery is to be written down.
@Suite(.timeLimit(.minutes(1))) struct FullDiskTests {
    @Test(.enabled(if: SmallDisk.isPossible, "mounting a small file system takes root"))
    func `what was delivered is not sent again while it cannot be written down`() async throws {
        let disk = try SmallDisk(megabytes: 3)
        try disk.takeMegabyte()
        let rig = try Rig(on: disk.directory) { request in
            if request.number == 1 { try? disk.fill() }
            return .accepted
        }
        try await rig.record((0..<100).map { "\($0)" + String(repeating: ".", count: 1_000) })
        try await running(rig.engine()) {
            await rig.events.wait { !$0.isEmpty }
            #expect(rig.events.value.map(\.summary) == ["storage"])
            disk.makeRoom()
            await rig.waitUntilGone(100)
        }
        #expect(rig.events.value.map(\.summary) == ["storage", "recovered", "delivered 100 records, 100190 bytes"])
        #expect(rig.model.requests.count == 1)
        #expect(await rig.cache.stored == Backlog())
    }
}
