import Cache
import Foundation
import Records
import TestSupport
import Testing

@Suite struct ClosingTests {
    let fixture: Fixture

    init() throws {
        fixture = try Fixture()
    }

    /// Open descriptors of files of the fixture.
    private func descriptors() throws -> [String] {
        let all = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        return all.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
            .filter { $0.contains(fixture.directory.path) }
    }

    private func threads() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
    }

    @Test func `the same process can open it again at once, and finds everything`() async throws {
        var kept: [RecordCache] = []
        for round in 0..<20 {
            let cache = try fixture.open(durability: .eachCommit)
            #expect(await cache.stored.records == round)
            _ = try await cache.record(RecordGroup(["\(round)"]))
            await cache.close()
            #expect(try descriptors() == [])
            kept.append(cache)
        }
        #expect(try await fixture.open().next() == (0..<20).map { "\($0)" })
    }

    @Test func `everything lies in the one file afterwards`() async throws {
        let cache = try fixture.open()
        _ = try await cache.record(RecordGroup(["a"]))
        await cache.close()
        let files = try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path)
        #expect(files.sorted() == ["records.db", "records.db.lock"])
    }

    @Test func `later calls say that it is closed, and there is nothing in it`() async throws {
        let cache = try fixture.open()
        _ = try await cache.record(RecordGroup(["a", "b"]))
        let lease = try #require(try await cache.lease(Fixture.logs, atMost: BatchLimits(records: 1)))
        await cache.close()
        await cache.close()
        await #expect(throws: CacheError.closed) { try await cache.record(RecordGroup(["c"])) }
        await #expect(throws: CacheError.closed) { try await cache.append(Harvest()) }
        await #expect(throws: CacheError.closed) { try await cache.lease(Fixture.logs, atMost: BatchLimits()) }
        await #expect(throws: CacheError.closed) { try await cache.settle(lease, as: .accepted) }
        await #expect(throws: CacheError.closed) { try await cache.clear() }
        await #expect(throws: CacheError.closed) { try await cache.checkpoints() }
        await #expect(throws: CacheError.closed) { try await cache.deadLetters() }
        await #expect(throws: CacheError.closed) { try await cache.synchronize() }
        #expect(await cache.stored == Backlog())
        #expect(await cache.backlog(of: Fixture.logs) == Backlog())
        #expect(await cache.waitingStreams == [])
        #expect(try await cache.oldestCreated == nil)
        #expect(try await fixture.open().next() == ["a", "b"])
    }

    @Test func `one that is dropped without it leaves no descriptor and no thread behind`() async throws {
        let before = try threads()
        for _ in 0..<100 {
            let cache = try fixture.open()
            _ = try await cache.record(RecordGroup(["a"]))
        }
        try await waitUntil("every descriptor is closed") { try descriptors() == [] }
        // Threads of the shared pool may have come meanwhile; there are far fewer of them than there were caches.
        try await waitUntil("the threads have ended") { try threads() < before + 20 }
    }

    @Test func `a second holder in the same process is refused and told the process`() async throws {
        let cache = try fixture.open()
        let error = CacheError.inUse(fixture.location, by: Int(getpid()))
        #expect(throws: error) { try fixture.open() }
        #expect(error.description.contains("process \(getpid())"))
        _ = try await cache.record(RecordGroup(["a"]))
        #expect(try await cache.next() == ["a"])
        await cache.close()
        #expect(try await fixture.open().next() == ["a"])
    }

    @Test func `its file and the lock beside it are for its owner alone, as is a new directory`() async throws {
        let path = fixture.directory.path("new/deep/cache.sqlite")
        let cache = try RecordCache(at: .file(path), maxBytes: 1)
        for (name, mode) in [("", 0o600), (".lock", 0o600), ("/..", 0o700), ("/../..", 0o700)] {
            let item = URL(fileURLWithPath: path + name).standardizedFileURL.path
            let attributes = try FileManager.default.attributesOfItem(atPath: item)
            #expect(attributes[.posixPermissions] as? Int == mode, "\(item)")
        }
        await cache.close()
    }

    @Test(arguments: [true, false])
    func `a database that is removed or replaced is missed once, and works on`(isReplaced: Bool) async throws {
        let losses = Signals()
        let cache = try RecordCache(at: fixture.location, maxBytes: 1 << 30, onLoss: { losses.count() })
        _ = try await cache.record(RecordGroup(["a"]))
        await cache.lookForLoss()
        #expect(losses.value == 0)
        try fixture.directory.rename("records.db", to: "kept")
        if isReplaced { try fixture.directory.append("another one", to: "records.db") }
        for _ in 0..<2 {
            await cache.lookForLoss()
            #expect(losses.value == 1)
        }
        _ = try await cache.record(RecordGroup(["b"]))
        #expect(try await cache.next() == ["a", "b"])
    }
}
