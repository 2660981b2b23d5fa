import Foundation
import TestSupport
import Testing

/// Ends at any moment, and what is there at the next beginning.
@Suite(.timeLimit(.minutes(3))) struct LifeCases {
    /// LS-003, LS-171: killed at random, again and again.
    @Test func `no kill leaves a state that cannot be started from, or that has forgotten anything`() async throws {
        let scene = try AgentScene()
        var random = SeededGenerator(seed: 171)
        for round in 0..<30 {
            let agent = try scene.start()
            try scene.append(round * 10 + 1...round * 10 + 10)
            usleep(.random(in: 0..<150_000, using: &random))
            try await agent.kill()
            #expect(!agent.log.contains("ERROR"), "\(agent.log)")
        }
        let agent = try scene.start()
        try await agent.wait(for: "all lines arrive") { Set(scene.deliveredLines).count == 300 }
        try await scene.expectBalance()
        #expect(try await agent.stop() == .code(0))
        #expect(scene.deliveredLines.count <= 300 + 30 * 10, "at most what was on its way comes twice")
    }

    /// LS-118: many files at once, small buffers, a slow service, and a kill in the middle.
    @Test func `a burst goes on after a kill`() async throws {
        let scene = try AgentScene(
            flow: ["maxBufferSizeRecords": 50],
            agent: ["cacheMaxBytes": 16 << 20, "maxOpenFiles": 16]
        )
        for file in 0..<100 { try scene.append(file * 200 + 1...file * 200 + 200, to: "\(file).log") }
        scene.standIn.answerByDefault { _ in
            usleep(20_000)
            return .accept
        }
        let agent = try scene.start()
        try await agent.wait(for: "some lines arrive") { scene.deliveredLines.count > 1_000 }
        try await agent.kill()
        let next = try scene.start()
        try await next.wait(for: "all lines arrive") { Set(scene.deliveredLines).count == 20_000 }
        try await scene.expectBalance()
        #expect(try await next.stop() == .code(0))
        #expect(scene.deliveredLines.count <= 20_050, "one request may come twice")
    }

    /// LS-170: a file system that is mounted over the logs, and taken away again.
    @Test(.enabled(if: SmallDisk.isPossible, "mounting a file system takes root"))
    func `what is mounted over a directory is noticed`() async throws {
        let scene = try AgentScene(agent: ["scanIntervalMillis": 200])
        let logs = scene.directory.path("logs")
        try scene.append(1...10)
        let agent = try scene.start()
        try await scene.waitForRecords(10, from: agent)
        guard mount("tmpfs", logs, "tmpfs", 0, "size=1m") == 0 else { throw POSIXError(.EPERM) }
        defer { umount2(logs, Int32(MNT_DETACH)) }
        try scene.append(11...20)
        try await scene.waitForRecords(20, from: agent)
        guard umount2(logs, Int32(MNT_DETACH)) == 0 else { throw POSIXError(.EPERM) }
        try scene.append(21...30)
        try await scene.waitForRecords(30, from: agent)
        #expect(try await agent.stop() == .code(0))
        #expect(scene.deliveredLines == AgentScene.lines(1...30))
    }
}
