import Foundation
import TestSupport
import Testing

/// An agent that is killed again and again while lines are written, files rotate and the service misbehaves.
@Suite(.timeLimit(.minutes(5))) struct TortureTests {
    private static let kills = 40

    @Test func `no line is lost, and only those are repeated that were on their way at a kill`() async throws {
        try await torture(seed: 1, disk: nil)
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting a small file system takes root"))
    func `the same holds while the disk is full for a third of the time`() async throws {
        try await torture(seed: 2, disk: try SmallDisk(megabytes: 16))
    }

    private func torture(seed: UInt64, disk: SmallDisk?) async throws {
        let scene = try self.scene(stateDirectory: disk?.directory.path("state"))
        let ledger = Ledger(seed: seed)
        var random = SeededGenerator(seed: seed)
        let writer = LogWriter(to: ["a-1", "a-2", "b-1"], in: scene.directory.path("logs"), seed: seed) { written in
            written - ledger.keptCount > 3_000
        }
        for run in 1...Self.kills {
            let isFull = disk != nil && (10..<20).contains(run)
            if run == 20 { disk?.makeRoom() }
            let standIn = try ledger.standIn(for: run)
            scene.agentKeys["firehose.endpoint"] = standIn.url
            let agent = try scene.start()
            if !isFull, Int.random(in: 0..<3, using: &random) > 0 {
                let requests = Int.random(in: 1...8, using: &random)
                try await agent.wait(for: "\(requests) requests") { ledger.requestCount(of: run) >= requests }
            }
            if isFull { try disk?.fill() }
            usleep(.random(in: 0...200_000, using: &random))
            try await agent.kill()
            standIn.stop()
        }
        let lines = try await writer.stop()
        try await finish(scene, ledger, lines)
        #expect(ledger.missing(of: lines).isEmpty)
        #expect(ledger.invented(besides: lines).isEmpty)
        #expect(ledger.outOfOrder().isEmpty)
        #expect(ledger.needlesslyRepeated().isEmpty)
        #expect(lines.count > 1_000)
    }

    private func scene(stateDirectory: String?) throws -> AgentScene {
        let scene = try AgentScene(agent: ["cacheMaxBytes": 16 << 20])
        if let stateDirectory { scene.agentKeys["stateDirectory"] = stateDirectory }
        var joined = scene.flows[0]
        scene.flows[0]["filePattern"] = scene.directory.path("logs/a-*.log*")
        joined["filePattern"] = scene.directory.path("logs/b-*.log*")
        joined["deliveryStream"] = "joined"
        joined["aggregatedRecordSizeBytes"] = 500
        scene.flows.append(joined)
        return scene
    }

    /// Lets one more agent deliver what is left.
    private func finish(_ scene: AgentScene, _ ledger: Ledger, _ lines: [String]) async throws {
        ledger.behave()
        let standIn = try ledger.standIn(for: Self.kills + 1)
        scene.agentKeys["firehose.endpoint"] = standIn.url
        let agent = try scene.start()
        try await agent.wait(for: "all \(lines.count) lines arrive, of which \(ledger.keptCount) have") {
            ledger.keptCount >= lines.count
        }
        #expect(try await agent.stop() == .code(0))
        standIn.stop()
    }
}
