import Foundation
import TestSupport
import Testing

/// What the agent makes of a state directory that was damaged while it was down, or while it runs.
@Suite(.timeLimit(.minutes(3))) struct DamageCases {
    private func database(_ scene: AgentScene) -> URL { URL(filePath: scene.directory.path("state/cache.db")) }

    private func damage(_ scene: AgentScene, _ change: (inout Data) throws -> Void) throws {
        var bytes = try Data(contentsOf: database(scene))
        try change(&bytes)
        try bytes.write(to: database(scene))
    }

    private func keptFiles(_ scene: AgentScene) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: scene.directory.path("state"))
            .filter { $0.contains(".damaged-") && $0.hasSuffix("Z") }
    }

    /// Ships lines 1 to 100 and ends.
    private func shipHundred(_ scene: AgentScene) async throws {
        try scene.append(1...100)
        let agent = try scene.start()
        try await scene.waitForRecords(100, from: agent)
        #expect(try await agent.stop() == .code(0))
    }

    /// LS-028, LS-015: zeros after a power cut, and files that lost their ends.
    @Test(arguments: ["zeros", "cut", "cut by 512", "garbage"], ["START_OF_FILE", "END_OF_FILE"])
    func `a damaged store is moved aside, and no line is skipped`(damage kind: String, position: String) async throws {
        let scene = try AgentScene()
        try await shipHundred(scene)
        try damage(scene) { bytes in
            switch kind {
            case "zeros": bytes = Data(count: bytes.count)
            case "cut": bytes.removeLast(bytes.count / 2)
            case "cut by 512": bytes.removeLast(512)
            default: bytes.replaceSubrange(100..<bytes.count, with: Data(repeating: 0xAA, count: bytes.count - 100))
            }
        }
        // As a first start, that would begin at the end of the file.
        scene.flows[0]["initialPosition"] = position
        try scene.append(101...110)
        let agent = try scene.start()
        try await agent.wait(for: "all lines arrive") { Set(scene.deliveredLines).count == 110 }
        #expect(try await agent.stop() == .code(0))
        guard kind != "cut by 512" else { return }
        #expect(agent.log.contains("is kept as \(scene.directory.path("state/cache.db.damaged-"))"))
        #expect(try keptFiles(scene).count == 1)
        let next = try scene.start()
        try await next.waitForLog("started: ")
        #expect(try await next.stop() == .code(0))
        #expect(!next.log.contains("damaged"), "the next start is clean: \(next.log)")
    }

    /// LS-130: a store of no length.
    @Test func `an empty store is a first start, and said`() async throws {
        let scene = try AgentScene()
        try await shipHundred(scene)
        try damage(scene) { $0 = Data() }
        try scene.append(101...110)
        let agent = try scene.start()
        try await scene.waitForRecords(210, from: agent)
        #expect(try await agent.stop() == .code(0))
        #expect(agent.log.contains("cache.db was empty; this is a first start"))
    }

    /// LS-015: a write-ahead log that lost its end takes records and positions with it, the one with the other.
    @Test(arguments: [30, 5_000, 100_000])
    func `a log that is cut has its lines read again`(bytesLost: Int) async throws {
        let scene = try AgentScene()
        scene.standIn.answerByDefault { _ in .html(status: 503) }
        try scene.append(1...3_000)
        let agent = try scene.start()
        try await agent.waitForLog("nothing delivered")
        try scene.append(3_001...6_000)
        try await agent.wait(for: "requests fail") { scene.standIn.requests.count > 10 }
        try await agent.kill()
        let log = scene.directory.path("state/cache.db-wal")
        let size = try #require(try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int)
        #expect(truncate(log, max(0, size - bytesLost)) == 0)
        scene.standIn.answerByDefault { _ in .accept }
        let next = try scene.start()
        try await next.wait(for: "all lines arrive") { Set(scene.deliveredLines).count == 6_000 }
        #expect(try await next.stop() == .code(0))
        #expect(scene.deliveredLines.count == 6_000, "none twice")
    }

    /// LS-091: one damaged chunk.
    @Test func `a damaged chunk is found when it is to be sent, and its lines are read again`() async throws {
        let scene = try AgentScene()
        scene.standIn.answerByDefault { _ in .html(status: 503) }
        try scene.append(1...5_000)
        let agent = try scene.start()
        try await agent.waitForLog("nothing delivered")
        #expect(try await agent.stop() == .code(0))
        try damage(scene) { bytes in
            let place = try #require(bytes.range(of: Data("line 3456\n".utf8)))
            for index in 0..<64 { bytes[place.lowerBound + index] ^= 0x5A }
        }
        scene.standIn.answerByDefault { _ in .accept }
        let next = try scene.start()
        try await next.wait(for: "all lines arrive") { Set(scene.deliveredLines).count == 5_000 }
        #expect(try await next.stop() == .code(0))
        #expect(next.log.contains("stream: 500 cached records could not be read"))
        #expect(next.log.contains("a.log: is read again from byte "))
        #expect(Set(scene.deliveredLines) == Set(AgentScene.lines(1...5_000)))
        #expect(try keptFiles(scene).count == 1)
    }

    /// LS-017: a file whose checkpoint waits for it.
    @Test func `a file that comes late goes on where it was left`() async throws {
        let scene = try AgentScene()
        try scene.append(1...100, to: "late.log")
        let agent = try scene.start()
        try await scene.waitForRecords(100, from: agent)
        #expect(try await agent.stop() == .code(0))
        try scene.rename("late.log", to: "hidden")
        let next = try scene.start()
        try await next.waitForLog("started: ")
        try scene.append(1...1, to: "other.log")
        try await scene.waitForRecords(101, from: next)
        try scene.rename("hidden", to: "late.log")
        try scene.append(101...110, to: "late.log")
        try await scene.waitForRecords(111, from: next)
        #expect(try await next.stop() == .code(0))
        #expect(scene.deliveredLines.count == 111)
    }

    /// LS-126: a destination that hangs, and an end by force or in good order.
    @Test(arguments: [SIGKILL, SIGTERM])
    func `an offset passes a line only when the line is in the cache`(signal: CInt) async throws {
        let scene = try AgentScene(agent: ["shutdownTimeoutMillis": 200])
        try scene.append(1...10)
        let agent = try scene.start()
        try await scene.waitForRecords(10, from: agent)
        scene.standIn.answerByDefault { _ in .html(status: 503).hanging }
        try scene.append(11...20)
        try await agent.wait(for: "a request hangs") { scene.standIn.hangingCount == 1 }
        agent.send(signal)
        _ = try await agent.exit()
        scene.standIn.release()
        scene.standIn.answerByDefault { _ in .accept }
        let next = try scene.start()
        try await scene.waitForRecords(20, from: next)
        #expect(try await next.stop() == .code(0))
        #expect(scene.deliveredLines == AgentScene.lines(1...20))
    }

    @Test(arguments: ["removed", "replaced by a copy", "replaced by a file"])
    func `a state directory that loses its place is reported, and delivery goes on`(how: String) async throws {
        let scene = try AgentScene()
        try scene.append(1...10)
        let agent = try scene.start()
        try await scene.waitForRecords(10, from: agent)
        try scene.directory.rename("state", to: "moved")
        switch how {
        case "removed": try scene.directory.remove("moved")
        case "replaced by a copy":
            try scene.directory.makeDirectory("state")
            try FileManager.default.copyItem(
                atPath: scene.directory.path("moved/cache.db"),
                toPath: database(scene).path
            )
        default: try scene.directory.append("", to: "state")
        }
        try scene.append(11...20)
        try await agent.waitForLog("ERROR cache: \(database(scene).path) was removed or replaced while it is in use")
        try scene.append(21...30)
        try await scene.waitForRecords(30, from: agent)
        #expect(try await agent.stop() == .code(0))
        #expect(scene.deliveredLines == AgentScene.lines(1...30))
    }
}
