import Discovery
import Foundation
import Framing
import Packing
import Platform
import Records
import Synchronization
import Tailing
import TestSupport
import Testing

@testable import Intake

/// A directory, a store, and an intake between them that can be stopped, crashed and started again.
final class Bench: Sendable {
    let directory: TemporaryDirectory
    let store = MemoryStore()
    let doorbell: Doorbell
    private let state = Mutex(State())

    private struct State {
        var running: (intake: Intake, task: Task<Void, any Error>)?
        var last: IntakeStatistics?
        var events: [IntakeEvent] = []
        var policy = Bench.quickPolicy
    }

    init() throws {
        directory = try TemporaryDirectory()
        doorbell = try Doorbell()
    }

    /// Everything happens by events: the safety scan does not come while a test runs.
    static var quickPolicy: IntakePolicy {
        var policy = IntakePolicy()
        policy.scanInterval = .seconds(3_600)
        policy.pollInterval = .milliseconds(20)
        policy.quiet = .milliseconds(60)
        policy.breather = .milliseconds(1)
        return policy
    }

    func changePolicy(_ body: (inout IntakePolicy) -> Void) { state.withLock { body(&$0.policy) } }

    /// A flow that reads what matches in the directory.
    func flow(
        _ patterns: String...,
        to stream: StreamName = .logs,
        fromStart: Bool = false,
        maxLineBytes: Int = 1_024_000,
        oversized: LineLimits.Oversized = .truncate,
        dropsEmptyLines: Bool = false,
        encoding: FileEncoding = .marked,
        headerLines: Int = 0,
        events: EventRules = EventRules(),
        containers: ContainerLogs? = nil,
        partialLineTimeout: Duration? = nil,
        joinedBytes: Int = 0,
        linger: Duration = .seconds(3_600)
    ) throws -> IntakeFlow {
        let includes = patterns.map { directory.path($0) }
        return IntakeFlow(
            stream: stream,
            patternText: includes.joined(separator: "\n"),
            pattern: try FilePattern(includes: includes),
            readsFromStart: fromStart,
            lines: LineLimits(maxLineBytes: maxLineBytes, oversized: oversized, dropsEmptyLines: dropsEmptyLines),
            encoding: encoding,
            headerLines: headerLines,
            events: events,
            containers: containers,
            partialLineTimeout: partialLineTimeout,
            packing: PackingSettings(aggregatedRecordSizeBytes: joinedBytes),
            linger: linger
        )
    }

    // MARK: Running

    /// Starts an intake where the one before it left off, and waits until it has looked around.
    func start(_ flows: IntakeFlow..., watcher: consuming FileWatcher = FileWatcher()) async throws {
        try await start(flows, watcher: watcher)
    }

    func start(
        _ flows: [IntakeFlow],
        watcher: consuming FileWatcher = FileWatcher(),
        leftFiles: [LeftFile] = []
    ) async throws {
        store.change { $0.hasCrashed = false }
        var memory = store.memory(for: flows)
        memory.leftFiles = leftFiles
        let intake = Intake(
            flows: flows,
            memory: memory,
            policy: state.withLock { $0.policy },
            store: store.recordStore,
            doorbell: doorbell,
            watcher: watcher,
            report: { event in self.state.withLock { $0.events.append(event) } }
        )
        let task = Task { try await intake.run() }
        state.withLock { $0.running = (intake, task) }
        try await waitUntil("the intake has looked around") {
            intake.currentStatistics.rests > 0 || store.now.isBlocked
        }
    }

    var intake: Intake {
        get throws { try #require(state.withLock { $0.running?.intake }) }
    }

    /// What the intake that was stopped last has counted.
    var lastStatistics: IntakeStatistics {
        get throws { try #require(state.withLock { $0.last }) }
    }

    /// Ends the intake as a signal does.
    func stop() async throws {
        guard let (intake, task) = state.withLock({ $0.running.take() }) else { return }
        intake.stop()
        try await task.value
        state.withLock { $0.last = intake.currentStatistics }
    }

    /// Ends the intake and starts one with other flows in its place, as a new configuration does.
    func reload(_ flows: IntakeFlow...) async throws {
        let former = try intake
        try await stop()
        try await start(flows, leftFiles: former.leaveFiles())
    }

    /// Ends the intake in such a way that nothing more is stored.
    func crash() async {
        guard let (intake, task) = state.withLock({ $0.running.take() }) else { return }
        store.change { $0.hasCrashed = true }
        intake.stop()
        _ = await task.result
    }

    // MARK: What happened

    var events: [IntakeEvent] { state.withLock { $0.events } }

    /// How many events there were of a kind.
    func count(_ isWanted: (IntakeEvent) -> Bool) -> Int { events.count(where: isWanted) }

    func waitForEvent(_ name: String, _ isWanted: (IntakeEvent) -> Bool) async throws {
        try await waitUntil("it is reported: \(name)") { events.contains(where: isWanted) }
    }

    /// Waits until the stream has this many lines, and tells which.
    @discardableResult
    func lines(_ count: Int, of stream: StreamName = .logs) async throws -> [String] {
        do {
            try await waitUntil("\(count) lines have come") { store.lines(of: stream).count >= count }
        } catch {
            Issue.record("there are \(store.lines(of: stream).count) lines: \(store.lines(of: stream).suffix(20))")
            throw error
        }
        return store.lines(of: stream)
    }

    /// Waits until the running intake has read so many bytes, and knows of no more than `behind`.
    func settle(at bytes: Int, behind: Int = 0) async throws {
        try await waitUntil("\(bytes) bytes are read") {
            let statistics = try intake.currentStatistics
            return statistics.counts.bytes == bytes && statistics.behind.bytes == behind
        }
    }

    /// Waits until the running intake has looked at everything so many times.
    func waitForScans(_ count: Int) async throws {
        try await waitUntil("it has looked around \(count) times") { try intake.currentStatistics.scans >= count }
    }

    /// How often the running intake comes to rest while it looks at everything so many times.
    func wakeUps(in scans: Int) async throws -> Int {
        let before = try intake.currentStatistics
        try await waitForScans(before.scans + scans)
        return try intake.currentStatistics.rests - before.rests
    }

    /// Lets all streams have room again.
    func makeRoom() {
        store.change { $0.full = [] }
        doorbell.ring()
    }

    /// Expects that the intake holds nothing about any file, once it has come to rest.
    func expectNoTraces(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let intake = try intake
        try await waitUntil("nothing is followed") { intake.currentStatistics.files == 0 }
        async let found = intake.traces
        // It answers when it wakes up.
        doorbell.ring()
        let traces = await found
        #expect(traces == [0, 0, 0, 0, 0, 0, 0, 0], sourceLocation: sourceLocation)
    }

    func checkpoint(of name: String, for stream: StreamName = .logs) throws -> Checkpoint? {
        let status = try FileStatus(of: directory.path(name))
        let file = FileIdentity(device: status.device, inode: status.inode)
        return store.now.checkpoints[MemoryStore.FileKey(stream: stream, file: file)]
    }
}

extension Intake {
    /// How much is remembered about single files, in each place where that may be.
    fileprivate var traces: [Int] {
        [
            files.count, attended.count, openFiles.count, safePositions.count, watcher.polledFiles.count,
            reportedPaths.count, possibleCopies.count, newcomers.count,
        ]
    }
}

extension StreamName {
    static let logs = named("logs")
    static let others = named("others")

    private static func named(_ text: String) -> StreamName {
        guard let name = StreamName(text) else { preconditionFailure("it is a valid name") }
        return name
    }
}

extension TemporaryDirectory {
    /// The names of the files in it that this process has open.
    var openFiles: Set<String> {
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        let targets = descriptors.compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }
        return Set(targets.filter { $0.hasPrefix(path("")) }.map { String($0.dropFirst(path("").count)) })
    }
}

/// The lines of one generation of a log.
func text(_ name: String, _ count: Int = 20) -> String {
    (1...count).map { "\(name), line \($0) of this generation\n" }.joined()
}
