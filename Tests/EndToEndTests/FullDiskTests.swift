import Foundation
import TestSupport
import Testing

/// A disk that is full while the agent runs.
@Suite(
    .enabled(if: SmallDisk.isPossible, "mounting a small file system takes root"),
    .timeLimit(.minutes(3))
)
struct FullDiskTests {
    private static let complaint = "no room on the disk of "

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

    @Test func `what others fill, reading waits for: said once, and no line is lost or repeated`() async throws {
        let disk = try SmallDisk(megabytes: 8)
        let scene = try scene(on: disk)
        try append(1...100, to: scene)
        let agent = try scene.start()
        try await scene.waitForRecords(100, from: agent)
        try disk.fill()
        try append(101...200, to: scene)
        try await agent.waitForLog(Self.complaint + scene.agentKeys["stateDirectory"].map { "\($0)/cache.db" }!)
        try append(201...300, to: scene)
        #expect(agent.hasEnded == nil)
        disk.makeRoom()
        try await scene.waitForRecords(300, from: agent)
        #expect(try await agent.stop() == .code(0))
        #expect(numbers(of: scene) == Array(1...300))
        #expect(agent.log.ranges(of: Self.complaint).count == 1)
        #expect(agent.log.ranges(of: "there is room on the disk again; reading goes on").count == 1)
    }

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
        try disk.fill()
        try append(101...200, to: scene)
        try await agent.waitForLog(Self.complaint)
        #expect(try await agent.stop() == .code(0))
        disk.makeRoom()
        let next = try scene.start()
        try await scene.waitForRecords(200, from: next)
        #expect(try await next.stop() == .code(0))
        #expect(numbers(of: scene) == Array(1...200))
    }
}
