import Foundation
import TestSupport
import Testing

/// A disk that is full while the agent runs.
@Suite(
    .enabled(if: SmallDisk.isPossible, "mounting a small file system takes root"),
    .timeLimit(.minutes(3))
)
struct FullDiskTests {
    private static let complaint = "; reading waits until there is some"
    private static let passage = "; lines are read only as fast as they are delivered"

    private func scene(on disk: SmallDisk) throws -> AgentScene {
        try AgentScene(agent: ["stateDirectory": disk.directory.path("state")])
    }

    /// Lines of a thousand bytes, their newlines included.
    private func append(_ numbers: ClosedRange<Int>, to scene: AgentScene) throws {
        for number in numbers {
            let text = "line \(number) "
            try scene.append(text + String(repeating: "x", count: 999 - text.count) + "\n")
        }
    }

    /// The numbers of the lines that were delivered.
    private func numbers(of scene: AgentScene) -> [Int] {
        scene.deliveredLines.compactMap { Int($0.split(separator: " ")[1]) }
    }

    /// LS-026: lines pass through the room that the cache has, also after a kill.
    @Test func `a disk that others have filled holds up nothing that is delivered`() async throws {
        let disk = try SmallDisk(megabytes: 16)
        let scene = try scene(on: disk)
        try append(1...1_000, to: scene)
        let agent = try scene.start()
        try await scene.waitForRecords(1_000, from: agent)
        try disk.fill()
        for round in 1...10 {
            try append(round * 1_000 + 1...round * 1_000 + 1_000, to: scene)
            try await scene.waitForRecords(round * 1_000 + 1_000, from: agent)
        }
        #expect(agent.log.ranges(of: Self.passage).count == 1)
        #expect(!agent.log.contains(Self.complaint))
        try await agent.kill()
        disk.makeRoom()
        try append(11_001...11_100, to: scene)
        let next = try scene.start()
        try await next.wait(for: "all lines arrive") { Set(numbers(of: scene)).count == 11_100 }
        #expect(try await next.stop() == .code(0))
        #expect(scene.delivered.count <= 11_100 + 500, "the request that was on its way may come again")
    }

    @Test func `what others fill while nothing is delivered, reading waits for: said once, and nothing is lost`()
        async throws
    {
        let disk = try SmallDisk(megabytes: 8)
        let scene = try scene(on: disk)
        try append(1...100, to: scene)
        let agent = try scene.start()
        try await scene.waitForRecords(100, from: agent)
        scene.standIn.answerByDefault { _ in .html(status: 503) }
        try disk.fill()
        try append(101...4_100, to: scene)
        try await agent.waitForLog(Self.complaint)
        try append(4_101...4_200, to: scene)
        #expect(agent.hasEnded == nil)
        disk.makeRoom()
        scene.standIn.answerByDefault { _ in .accept }
        try await scene.waitForRecords(4_200, from: agent)
        #expect(try await agent.stop() == .code(0))
        #expect(numbers(of: scene) == Array(1...4_200))
        #expect(agent.log.ranges(of: Self.complaint).count == 1)
        #expect(agent.log.ranges(of: "there is room on the disk again; reading goes on").count == 1)
    }

    /// LS-166.
    @Test func `what the cache fills is free again when it is delivered`() async throws {
        let disk = try SmallDisk(megabytes: 8)
        let scene = try scene(on: disk)
        scene.standIn.answerByDefault { _ in .html(status: 503) }
        try append(1...12_000, to: scene)
        let agent = try scene.start()
        try await agent.waitForLog(Self.complaint)
        scene.standIn.answerByDefault { _ in .accept }
        try await scene.waitForRecords(12_000, from: agent)
        #expect(try await agent.stop() == .code(0))
        #expect(numbers(of: scene) == Array(1...12_000))
    }

    @Test func `an agent that is stopped meanwhile ends in good order, and the next one goes on`() async throws {
        let disk = try SmallDisk(megabytes: 8)
        let scene = try scene(on: disk)
        try append(1...100, to: scene)
        let agent = try scene.start()
        try await scene.waitForRecords(100, from: agent)
        scene.standIn.answerByDefault { _ in .html(status: 503) }
        try disk.fill()
        try append(101...4_100, to: scene)
        try await agent.waitForLog(Self.complaint)
        #expect(try await agent.stop() == .code(0))
        disk.makeRoom()
        scene.standIn.answerByDefault { _ in .accept }
        let next = try scene.start()
        try await scene.waitForRecords(4_100, from: next)
        #expect(try await next.stop() == .code(0))
        #expect(numbers(of: scene) == Array(1...4_100))
    }
}
