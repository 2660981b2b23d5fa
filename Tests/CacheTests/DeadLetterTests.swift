import Cache
import Records
import SQLite
import Synchronization
import TestSupport
import Testing

/// The records that were set aside: what is known of them, and how they come back or go for good.
@Suite(.timeLimit(.minutes(2))) struct DeadLetterTests {
    let fixture: Fixture
    let cache: RecordCache

    init() throws {
        fixture = try Fixture()
        cache = try fixture.open()
    }

    /// Stores records and has all that waits in their stream set aside.
    private func setAside(
        _ texts: [String],
        of stream: StreamName = Fixture.logs,
        in other: RecordCache? = nil,
        because reason: String = "InvalidArgumentException"
    ) async throws {
        let cache = other ?? cache
        _ = try await cache.record(RecordGroup(texts, to: stream))
        while let lease = try await cache.lease(stream, atMost: BatchLimits()) {
            try await cache.settle(lease, as: .setAside(reason: reason))
        }
    }

    private func ids(_ selection: DeadLetterSelection = DeadLetterSelection()) async throws -> [Int] {
        try await cache.deadLetters(selection).map(\.id)
    }

    @Test func `a letter tells its stream, reason, attempts and size, and has its bytes`() async throws {
        try await setAside(["first", "\0\r\n"])
        _ = try await cache.record(RecordGroup(["refused"], to: Fixture.audit))
        for _ in 0..<3 {
            let lease = try #require(try await cache.lease(Fixture.audit, atMost: BatchLimits()))
            try await cache.settle(lease, as: .partlyRefused([true]), maxRetries: 2)
        }
        let letters = try await cache.deadLetters(DeadLetterSelection())
        #expect(letters.map(\.id) == [1, 2, 3])
        #expect(letters.map(\.stream) == [Fixture.logs, Fixture.logs, Fixture.audit])
        #expect(letters.map(\.attempts) == [0, 0, 2])
        #expect(letters.map(\.bytes) == [5, 3, 7])
        #expect(letters[0].reason == "InvalidArgumentException")
        #expect(letters[2].reason == "refused 3 times, more than maxRetries allows")
        #expect(letters.allSatisfy { $0.created > 0 && $0.origin.pieces.isEmpty })
        #expect(try await cache.contents(ofDeadLetter: 2) == Array("\0\r\n".utf8))
        #expect(try await ids(DeadLetterSelection(stream: Fixture.audit)) == [3])
        #expect(try await ids(DeadLetterSelection(ids: [3, 1, 1])) == [1, 3])
    }

    @Test func `what is put back comes last, is charged with nothing, and counts once`() async throws {
        try await setAside(["a", "b"])
        try await setAside(["x"], of: Fixture.audit)
        _ = try await cache.record(RecordGroup(["c"]))
        #expect(try await cache.replayDeadLetters(DeadLetterSelection(ids: [1, 3])) == Backlog(records: 2, bytes: 2))
        #expect(try await ids() == [2])
        await cache.close()
        let next = try fixture.open()
        #expect(try await next.next() == ["c", "a"])
        #expect(try await next.next(Fixture.audit) == ["x"])
        let lease = try #require(try await next.lease(Fixture.audit, atMost: BatchLimits()))
        #expect(lease.attempts == 0)
        let balance = try #require(await next.standings[Fixture.logs]?.records)
        #expect(balance.stored == 3 && balance.cached == 2 && balance.deadLetters == 1 && balance.missing == 0)
    }

    @Test func `many are put back in chunks of one request, in their order`() async throws {
        let texts = (0..<1_200).map { "record \($0)" }
        try await setAside(texts)
        #expect(try await cache.replayDeadLetters(DeadLetterSelection(stream: Fixture.logs)).records == 1_200)
        var sent: [String] = []
        while let lease = try await cache.lease(Fixture.logs, atMost: BatchLimits()) {
            #expect(lease.batch.count <= 500)
            sent += lease.batch.texts
            try await cache.settle(lease, as: .accepted)
        }
        #expect(sent == texts)
        #expect(try await ids().isEmpty)
    }

    @Test func `what is dropped is gone, and its id is never given again`() async throws {
        try await setAside(["a", "bb", "ccc"])
        #expect(try await cache.dropDeadLetters(DeadLetterSelection(ids: [2, 3])) == Backlog(records: 2, bytes: 5))
        #expect(try await ids() == [1])
        #expect(try await cache.dropDeadLetters(DeadLetterSelection()) == Backlog(records: 1, bytes: 1))
        try await setAside(["d"])
        #expect(try await ids() == [4])
        let balance = try #require(await cache.standings[Fixture.logs]?.records)
        #expect(balance.dropped == 3 && balance.deadLetters == 1 && balance.missing == 0)
    }

    @Test func `with one that is not there, nothing is done`() async throws {
        try await setAside(["a", "b"])
        let wrong = DeadLetterSelection(ids: [1, 7, 9])
        await #expect(throws: DeadLetterError.missing(ids: [7, 9])) { try await cache.dropDeadLetters(wrong) }
        await #expect(throws: DeadLetterError.missing(ids: [7, 9])) { try await cache.replayDeadLetters(wrong) }
        let elsewhere = DeadLetterSelection(stream: Fixture.audit, ids: [1])
        await #expect(throws: DeadLetterError.missing(ids: [1])) { try await cache.replayDeadLetters(elsewhere) }
        await #expect(throws: DeadLetterError.missing(ids: [3])) { try await cache.contents(ofDeadLetter: 3) }
        #expect(try await ids() == [1, 2])
        #expect(await cache.stored == Backlog())
        #expect(try await cache.dropDeadLetters(DeadLetterSelection(stream: Fixture.audit)) == Backlog())
    }

    @Test func `over the limit the oldest go, and that is told`() async throws {
        let told = Told()
        let directory = try TemporaryDirectory()
        let cache = try RecordCache(
            directory: directory.path("state"),
            streams: [],
            maxBytes: 1 << 20,
            deadLetterMaxBytes: 3 * (256 + 10),
            onDiscard: { told.add("\($1) of \($0?.text ?? "?")") }
        )
        let text = String(repeating: "x", count: 10)
        try await setAside([text, text], of: Fixture.audit, in: cache)
        try await setAside([text], in: cache)
        #expect(told.texts.isEmpty)
        try await setAside([text, text], in: cache)
        #expect(told.texts == ["2 of audit"])
        #expect(try await cache.deadLetters(DeadLetterSelection()).map(\.id) == [3, 4, 5])
        _ = try await cache.dropDeadLetters(DeadLetterSelection(ids: [3, 4]))
        try await setAside([text, text, text], in: cache)
        #expect(told.texts == ["2 of audit", "1 of logs"])
        #expect(try await cache.deadLetters(DeadLetterSelection()).map(\.id) == [6, 7, 8])
        let balances = await cache.standings.mapValues(\.records)
        #expect(balances.values.allSatisfy { $0.missing == 0 })
        #expect(balances[Fixture.audit]?.dropped == 2 && balances[Fixture.audit]?.deadLetters == 0)
        await cache.close()
        let next = try RecordCache(directory: directory.path("state"), streams: [], maxBytes: 1 << 20)
        #expect(await next.standings.mapValues(\.records.deadLetters) == balances.mapValues(\.deadLetters))
    }

    @Test func `a letter knows from which bytes of which file it came`() async throws {
        await cache.close()
        let cache = try RecordCache(at: fixture.location, streams: [Fixture.logs], maxBytes: 1 << 20)
        let (a, b) = (FileIdentity(device: 1, inode: 2), FileIdentity(device: 1, inode: 3))
        try await cache.append(harvest(["a1"], [(a, 100, "/a.log")]))
        try await cache.append(harvest(["a2", "b1"], [(a, 300, "/a.log"), (b, 50, "/b.log")]))
        try await cache.append(harvest(["b2"], [(b, 90, "/b.log"), (a, 300, "/a.log")]))
        for _ in 0..<3 {
            let lease = try #require(try await cache.lease(Fixture.logs, atMost: BatchLimits(records: 2)))
            try await cache.settle(lease, as: .setAside(reason: "no"))
        }
        #expect(await cache.stored == Backlog())
        let origins = try await cache.deadLetters(DeadLetterSelection()).map(\.origin)
        let pieces = origins.map { $0.pieces.map { "\($0.path) \($0.start)..<\($0.end ?? -1)" } }
        let both = ["/a.log 100..<300", "/b.log 0..<50"]
        #expect(pieces == [["/a.log 0..<100"], both, both, ["/b.log 50..<90"]])
        #expect(origins[1].pieces.map(\.file) == [a, b])
    }

    @Test func `letters of an older version are kept`() async throws {
        try await setAside(["old"])
        await cache.close()
        try Database(path: fixture.location.database).execute(
            """
            ALTER TABLE dead_letter DROP COLUMN origin;
            \(Fixture.removingLines)
            PRAGMA user_version = 3;
            """
        )
        let next = try fixture.open()
        let letters = try await next.deadLetters(DeadLetterSelection())
        #expect(letters.map(\.id) == [1])
        #expect(try await next.contents(ofDeadLetter: 1) == Array("old".utf8))
        #expect(letters[0].origin.pieces.isEmpty)
    }

    @Test func `letters survive damage, with their ids and where they came from`() async throws {
        await cache.close()
        let plain = try RecordCache(at: fixture.location, streams: [Fixture.logs], maxBytes: 1 << 20)
        try await setAside(["gone"], in: plain)
        _ = try await plain.dropDeadLetters(DeadLetterSelection())
        let file = FileIdentity(device: 1, inode: 2)
        try await plain.append(harvest(["kept"], [(file, 5, "/a.log")]))
        let lease = try #require(try await plain.lease(Fixture.logs, atMost: BatchLimits()))
        try await plain.settle(lease, as: .setAside(reason: "no"))
        let before = try await plain.deadLetters(DeadLetterSelection())
        await plain.close()
        let next = try RecordCache(
            at: fixture.location,
            maxBytes: 1 << 20,
            onDamage: .salvageAtOnce(reason: "a test")
        )
        #expect(next.salvage?.isComplete == true)
        let after = try await next.deadLetters(DeadLetterSelection())
        #expect(after.map(\.id) == [2] && after[0].origin == before[0].origin)
    }

    private func harvest(
        _ texts: [String],
        _ files: [(file: FileIdentity, offset: Int, path: String)]
    ) -> Harvest {
        var harvest = Harvest()
        harvest.records = [(Fixture.logs, RecordBatch(texts))]
        harvest.checkpoints = files.map {
            Checkpoint(stream: Fixture.logs, file: $0.file, offset: $0.offset, path: $0.path)
        }
        return harvest
    }
}

/// What a callback has said.
private final class Told: Sendable {
    private let said = Mutex([String]())

    var texts: [String] { said.withLock { $0 } }

    func add(_ text: String) { said.withLock { $0.append(text) } }
}
