import AmplifyFirehoseClient
import Foundation
import TestSupport
import Testing

struct LifeTests {
    private let scene: ClientScene

    init() throws { scene = try ClientScene() }

    // MARK: The timer

    @Test func `the timer flushes by itself, and goes on while full batches wait`() async throws {
        let client = try scene.client { $0.flushStrategy = .interval(2) }
        let texts = Set((0..<10_000).map { "\($0)" })
        try await withThrowingTaskGroup { group in
            for text in texts { group.addTask { try await client.record(text) } }
            try await group.waitForAll()
        }
        // One batch at a time they would come for 40 seconds, which is longer than anybody waits here.
        try await waitUntil("all is delivered") { scene.delivered().count >= texts.count }
        #expect(scene.delivered().count == texts.count && Set(scene.delivered()) == texts)
        await client.close()
    }

    @Test func `a flush by the timer that fails is logged, and the next one tries again`() async throws {
        scene.service.enqueue(.html(status: 502), .html(status: 502))
        let client = try scene.client { $0.flushStrategy = .interval(0.05) }
        try await client.record("a")
        try await waitUntil("the record is delivered") { scene.delivered() == ["a"] }
        #expect(scene.log.contains { $0.contains("the flush failed") })
        await client.close()
    }

    @Test func `a disabled client's timer is off until it is enabled`() async throws {
        scene.service.answerByDefault { _ in .fail(status: 500, code: "InternalFailure") }
        let client = try scene.client {
            $0.flushStrategy = .interval(0.02)
            $0.maxRetries = .max
        }
        try await client.record("a", to: "disabled")
        await client.disable()
        await client.disable()
        // Another client's timer tells how the time goes by.
        let clock = try scene.client {
            $0.flushStrategy = .interval(0.02)
            $0.maxRetries = .max
            $0.cachePath = scene.directory.path("clock.db")
        }
        try await clock.record("tick", to: "clock")
        try await waitUntil("the timer has flushed") { requests(to: "clock") >= 2 }
        let before = requests(to: "disabled")
        try await waitUntil("the timer has flushed") { requests(to: "clock") >= 8 }
        #expect(requests(to: "disabled") == before)
        await client.enable()
        await client.enable()
        try await waitUntil("the timer has flushed") { requests(to: "disabled") >= before + 2 }
        await client.close()
        await clock.close()
    }

    private func requests(to stream: String) -> Int { scene.service.requests.count { $0.stream == stream } }

    // MARK: Closing

    @Test func `a closed client throws from every operation`() async throws {
        let client = try scene.client()
        try await client.record("a")
        await client.close()
        await client.close()
        await client.enable()
        await client.disable()
        let kinds = [
            await kindThrown { try await client.record("b") },
            await kindThrown { try await client.record("b", to: "no name") },
            await kindThrown { try await client.flush() },
            await kindThrown { try await client.clearCache() },
            await kindThrown { _ = try await client.cacheSize },
            await kindThrown { _ = try await client.oldestRecordAge },
        ]
        #expect(kinds == Array(repeating: "unknown", count: 6))
        #expect(scene.service.requests.isEmpty)
        await #expect(throws: FirehoseClientError.self) {
            try await client.getFirehoseClient().listDeliveryStreams(input: ListDeliveryStreamsInput())
        }
    }

    @Test func `closing gives up a flush under way, and its records are there for the next client`() async throws {
        let client = try scene.client()
        try await client.record(1...3)
        scene.service.enqueue(.accept.hanging)
        let flush = Task { try await client.flush() }
        try await waitUntil("a request hangs") { scene.service.hangingCount == 1 }
        await client.close()
        #expect(await kindThrown { _ = try await flush.value } == "unknown")
        scene.service.release()
        let next = try scene.client()
        #expect(try await next.flush().recordsFlushed == 3)
        await next.close()
    }

    @Test func `records that are on their way when the client is closed are stored or refused`() async throws {
        let client = try scene.client()
        let stored = await withTaskGroup(of: Int.self) { group in
            for task in 0..<20 {
                group.addTask {
                    var stored = 0
                    while await kindThrown(by: { try await client.record("\(task)") }) == nil { stored += 1 }
                    return stored
                }
            }
            group.addTask {
                try? await waitUntil("some are cached") { (try? await client.cacheSize.records) ?? 0 > 100 }
                await client.close()
                return 0
            }
            return await group.reduce(0, +)
        }
        let next = try scene.client()
        #expect(try await next.cacheSize.records == stored)
        await next.close()
    }

    // MARK: One at a time

    @Test func `a second client on the same cache is refused and told who has it`() async throws {
        let first = try scene.client()
        try await first.record("a")
        do {
            _ = try scene.client()
            Issue.record("the second client opened the cache of the first")
        } catch let error as FirehoseError {
            #expect(kind(error) == "cache")
            #expect(error.errorDescription.contains("process \(ProcessInfo.processInfo.processIdentifier)"))
            #expect(error.errorDescription.contains(scene.cachePath))
        }
        #expect(try await first.flush().recordsFlushed == 1)
        await first.close()
        let next = try scene.client()
        await next.close()
    }

    @Test func `the cache of another program is left as it is`() async throws {
        try FileManager.default.createDirectory(
            atPath: scene.directory.path("cache"),
            withIntermediateDirectories: true
        )
        try scene.directory.append("not a database, and longer than sixteen bytes", to: "cache/records.db")
        do {
            _ = try scene.client()
            Issue.record("it was taken for a cache")
        } catch {
            #expect(kind(error) == "cache")
        }
        #expect(text(try scene.directory.contents(of: "cache/records.db")).hasPrefix("not a database"))
    }

    // MARK: Leaks

    @Test func `a closed client leaves no descriptor and no thread behind`() async throws {
        try await expectNoLeak { scene in
            let client = try scene.client { $0.flushStrategy = .interval(30) }
            try await client.record("a")
            try await client.flush()
            await client.close()
        }
    }

    @Test func `a client that is let go without being closed leaves nothing behind`() async throws {
        try await expectNoLeak { scene in
            weak var gone: AmplifyFirehoseClient?
            do {
                let client = try scene.client { $0.flushStrategy = .interval(30) }
                gone = client
                try await client.record("a")
                try await client.flush()
                try await client.record("b")
            }
            #expect(gone == nil)
        }
    }

    @Test func `a client that is let go while it flushes gives the cache free`() async throws {
        scene.service.enqueue(.accept.hanging)
        do {
            let client = try scene.client { $0.flushStrategy = .interval(0.01) }
            try await client.record("a")
            try await waitUntil("a request hangs") { scene.service.hangingCount == 1 }
        }
        // The lock is free as soon as the flush has been given up.
        try await onceFree {
            let next = try scene.client()
            scene.service.release()
            try await next.flush()
            #expect(scene.delivered().last == "a")
            await next.close()
        }
    }

    /// Does the same again and again, and looks whether descriptors or threads become more.
    private func expectNoLeak(_ body: (ClientScene) async throws -> Void) async throws {
        let scene = try ClientScene()
        for _ in 0..<3 { try await onceFree { try await body(scene) } }
        let before = Holdings()
        for _ in 0..<20 { try await onceFree { try await body(scene) } }
        // A few come and go by themselves: threads of the runtime, connections that the server is about to close.
        try await waitUntil("descriptors and threads are as many as before") {
            let now = Holdings()
            return now.descriptors < before.descriptors + 10 && now.threads < before.threads + 10
        }
    }

    /// Does something as soon as the cache is free.
    private func onceFree(_ body: () async throws -> Void) async throws {
        try await waitUntil("the cache is free") {
            do {
                try await body()
                return true
            } catch FirehoseError.cache {
                return false
            }
        }
    }
}

/// What this process holds.
private struct Holdings {
    let descriptors = entries("/proc/self/fd")
    let threads = entries("/proc/self/task")

    private static func entries(_ path: String) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: path).count) ?? 0
    }
}
