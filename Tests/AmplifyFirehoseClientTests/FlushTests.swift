import AmplifyFirehoseClient
import Foundation
import TestSupport
import Testing

struct FlushTests {
    private let scene: ClientScene

    init() throws { scene = try ClientScene() }

    // MARK: Batches

    @Test(arguments: [500, 501])
    func `a flush sends at most 500 records of a stream`(count: Int) async throws {
        let client = try scene.client()
        // At once, so that they are stored in groups of any size.
        try await withThrowingTaskGroup { group in
            for number in 0..<count { group.addTask { try await client.record("\(number)") } }
            try await group.waitForAll()
        }
        #expect(try await client.flush().recordsFlushed == 500)
        #expect(try await client.cacheSize.records == count - 500)
        #expect(try await client.flush().recordsFlushed == count - 500)
        #expect(Set(scene.delivered()).count == count)
    }

    @Test(arguments: [(98_304, 1), (98_305, 2)])
    func `a flush sends at most 4,194,304 bytes of a stream`(lastBytes: Int, flushes: Int) async throws {
        let client = try scene.client()
        for _ in 0..<4 { try await client.record(data: Data(repeating: 1, count: 1_024_000), streamName: "s") }
        try await client.record(data: Data(repeating: 2, count: lastBytes), streamName: "s")
        var requests = 0
        while try await client.flush().recordsFlushed > 0 { requests += 1 }
        #expect(requests == flushes)
        #expect(scene.service.records(of: "s").count == 5)
    }

    @Test func `a flush sends one batch of each stream`() async throws {
        let client = try scene.client()
        for stream in ["a", "b", "c"] { try await client.record(1...3, to: stream) }
        #expect(try await client.flush() == FlushData(recordsFlushed: 9, flushInProgress: false))
        #expect(Set(scene.service.requests.map(\.stream)) == ["a", "b", "c"])
        #expect(scene.service.requests.count == 3)
    }

    @Test func `a flush of nothing sends nothing`() async throws {
        let client = try scene.client()
        #expect(try await client.flush() == FlushData(recordsFlushed: 0, flushInProgress: false))
        #expect(scene.service.requests.isEmpty)
    }

    @Test func `while a flush is under way another one does nothing`() async throws {
        let client = try scene.client()
        try await client.record("a")
        scene.service.enqueue(.accept.hanging)
        async let first = client.flush()
        try await waitUntil("a request hangs") { scene.service.hangingCount == 1 }
        #expect(try await client.flush() == FlushData(recordsFlushed: 0, flushInProgress: true))
        scene.service.release()
        #expect(try await first == FlushData(recordsFlushed: 1, flushInProgress: false))
        #expect(scene.delivered() == ["a"])
    }

    // MARK: Refusals

    @Test func `only the refused records are sent again, before newer ones`() async throws {
        let client = try scene.client()
        try await client.record(1...4)
        scene.service.enqueue(.refuse([0: "ServiceUnavailableException", 2: "InternalFailure"]))
        #expect(try await client.flush().recordsFlushed == 2)
        #expect(try await client.cacheSize == .init(bytes: 2, records: 2))
        try await client.record("5")
        #expect(try await client.flush().recordsFlushed == 3)
        #expect(scene.requests == [["1", "2", "3", "4"], ["1", "3", "5"]])
        #expect(scene.delivered() == ["2", "4", "1", "3", "5"])
    }

    @Test(arguments: [0, 1, 5])
    func `a record is deleted when it is refused once more than maxRetries, which is logged and told`(
        maxRetries: Int
    ) async throws {
        let client = try scene.client { $0.maxRetries = maxRetries }
        try await client.record("bad")
        for retry in 0...maxRetries {
            #expect(try await client.cacheSize.records == 1)
            #expect(scene.drops.isEmpty)
            try await client.record("good \(retry)")
            scene.service.enqueue(.refuse([0: "InternalFailure"]))
            #expect(try await client.flush().recordsFlushed == 1)
        }
        #expect(try await client.cacheSize.records == 0)
        #expect(
            scene.drops == [
                DroppedRecords(streamName: "s", count: 1, reason: .retriesExhausted(errorCode: "InternalFailure"))
            ]
        )
        #expect(scene.log.contains { $0.contains("delivery stream s") && $0.contains("1 record deleted") })
        #expect(!scene.log.contains { $0.contains("bad") })
        #expect(scene.delivered() == (0...maxRetries).map { "good \($0)" })
    }

    @Test func `counts are those of each record, not of a batch`() async throws {
        let client = try scene.client { $0.maxRetries = 1 }
        try await client.record("old")
        scene.service.enqueue(.refuse([0: "InternalFailure"]))
        try await client.flush()
        try await client.record("new")
        scene.service.enqueue(.refuse([0: "InternalFailure", 1: "InternalFailure"]))
        try await client.flush()
        // The old one was refused twice, the new one once.
        #expect(scene.drops.map(\.count) == [1])
        #expect(try await client.flush().recordsFlushed == 1)
        #expect(scene.delivered() == ["new"])
    }

    @Test func `counts survive a restart`() async throws {
        var client = try scene.client { $0.maxRetries = 1 }
        try await client.record("a")
        scene.service.enqueue(.throttleAll)
        try await client.flush()
        await client.close()
        client = try scene.client { $0.maxRetries = 1 }
        scene.service.enqueue(.throttleAll)
        try await client.flush()
        #expect(try await client.cacheSize.records == 0)
        #expect(scene.drops.map(\.count) == [1])
    }

    @Test(
        arguments: [
            (400, "ResourceNotFoundException"), (400, "InvalidArgumentException"), (503, "ServiceUnavailableException"),
            (500, "InternalFailure"), (400, "AccessDeniedException"), (400, "InvalidKMSResourceException"),
        ]
    )
    func `an error of the service is charged to its records, logged, and skips that stream only`(
        status: Int,
        code: String
    ) async throws {
        scene.service.answerByDefault { $0.stream == "bad" ? .fail(status: status, code: code) : .accept }
        let client = try scene.client { $0.maxRetries = 1 }
        try await client.record(1...2, to: "bad")
        try await client.record(1...2, to: "good")
        #expect(try await client.flush().recordsFlushed == 2)
        #expect(scene.delivered("good") == ["1", "2"])
        #expect(try await client.cacheSize.records == 2)
        #expect(scene.log.contains { $0.contains("delivery stream bad") && $0.contains(code) })
        #expect(try await client.flush().recordsFlushed == 0)
        #expect(try await client.cacheSize.records == 0)
        #expect(
            scene.drops == [DroppedRecords(streamName: "bad", count: 2, reason: .retriesExhausted(errorCode: code))]
        )
    }

    // MARK: No answer

    @Test(arguments: ["reset before", "reset after", "page", "cut"])
    func `without an answer of the service a flush throws and charges nothing`(fault: String) async throws {
        let client = try scene.client { $0.maxRetries = 0 }
        try await client.record("a")
        for _ in 0..<3 {
            // libcurl sends again by itself over a fresh connection when a kept one is dead.
            scene.service.answerByDefault { _ in
                switch fault {
                case "reset before": .resetBeforeReading
                case "reset after": .resetAfterReading
                case "page": .html(status: 502)
                default: .truncated
                }
            }
            #expect(await kindThrown { try await client.flush() } == "unknown")
        }
        #expect(try await client.cacheSize.records == 1)
        #expect(scene.drops.isEmpty)
        scene.service.answerByDefault { _ in .accept }
        #expect(try await client.flush().recordsFlushed == 1)
        #expect(scene.delivered().last == "a")
    }

    @Test func `with no service at all a flush throws, and says where it looked`() async throws {
        let client = try scene.client()
        try await client.record("a")
        scene.service.stop()
        do {
            try await client.flush()
            Issue.record("the flush succeeded")
        } catch let error as FirehoseError {
            #expect(error.errorDescription.contains("127.0.0.1"))
            #expect(error.underlyingError is FirehoseClientError)
        }
        #expect(try await client.cacheSize.records == 1)
    }

    @Test func `without credentials a flush throws and charges nothing`() async throws {
        struct Unlucky: AWSCredentialsProvider {
            struct Failure: Error {}
            func resolve() async throws -> any AWSCredentials { throw Failure() }
        }
        let client = try scene.client(credentials: Unlucky()) { $0.maxRetries = 0 }
        try await client.record("a")
        #expect(await kindThrown { try await client.flush() } == "unknown")
        #expect(try await client.cacheSize.records == 1)
        #expect(scene.service.requests.isEmpty)
    }

    // MARK: Cancelling

    @Test func `a cancelled flush gives up its request, throws, and leaves the records cached`() async throws {
        let client = try scene.client { $0.maxRetries = 0 }
        try await client.record("a")
        scene.service.enqueue(.accept.hanging)
        let flush = Task { try await client.flush() }
        try await waitUntil("a request hangs") { scene.service.hangingCount == 1 }
        flush.cancel()
        let error = await #expect(throws: FirehoseError.self) { try await flush.value }
        #expect(error?.underlyingError is CancellationError)
        #expect(try await client.cacheSize.records == 1)
        scene.service.release()
        #expect(try await client.flush().recordsFlushed == 1)
    }

    @Test func `a cancelled task still records`() async throws {
        let client = try scene.client()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await client.record("a")
        }
        try await task.value
        #expect(try await client.cacheSize.records == 1)
    }

    @Test func `records that are cleared while they are sent stay cleared, whatever becomes of them`() async throws {
        let client = try scene.client()
        try await client.record(1...3)
        scene.service.enqueue(.refuse([1: "InternalFailure"]).hanging)
        async let flushed = client.flush()
        try await waitUntil("a request hangs") { scene.service.hangingCount == 1 }
        #expect(try await client.clearCache().recordsCleared == 3)
        try await client.record("4")
        scene.service.release()
        #expect(try await flushed.recordsFlushed == 2)
        #expect(try await client.cacheSize == .init(bytes: 1, records: 1))
        #expect(try await client.flush().recordsFlushed == 1)
        #expect(scene.delivered() == ["1", "3", "4"])
    }
}
