import Foundation
import TestSupport
import Testing

/// SIGHUP: a new configuration in place of the old one, or the old one as if nothing had been asked.
@Suite(.timeLimit(.minutes(3))) struct ReloadCases {
    private func write(_ scene: AgentScene) throws {
        let keys = scene.agentKeys.merging(["flows": scene.flows]) { $1 }
        let temporary = scene.configurationPath + ".new"
        try JSONSerialization.data(withJSONObject: keys).write(to: URL(filePath: temporary))
        guard rename(temporary, scene.configurationPath) == 0 else { throw POSIXError(.EIO) }
    }

    /// LS-121: a configuration that is wrong.
    @Test(arguments: ["{ \"flows\": [", "{ \"flows\": [], \"nonsense\": 1 }", ""])
    func `a wrong configuration changes nothing, and the error is clear`(content: String) async throws {
        let scene = try AgentScene()
        let agent = try scene.start()
        try scene.append(1...10)
        try await scene.waitForRecords(10, from: agent)
        try scene.configure(with: Data(content.utf8))
        agent.send(SIGHUP)
        try await agent.waitForLog("the new configuration is wrong; the old one stays in force")
        #expect(agent.log.contains("ERROR agent: \(scene.configurationPath):"))
        try scene.append(11...20)
        try await scene.waitForRecords(20, from: agent)
        try write(scene)
        agent.send(SIGHUP)
        try await agent.waitForLog("started: ", times: 2)
        try scene.append(21...30)
        try await scene.waitForRecords(30, from: agent)
        #expect(try await agent.stop() == .code(0))
        #expect(scene.deliveredLines == AgentScene.lines(1...30))
    }

    @Test func `a state directory that cannot be used leaves the old configuration in force`() async throws {
        let scene = try AgentScene()
        let agent = try scene.start()
        try scene.append(1...10)
        try await scene.waitForRecords(10, from: agent)
        let state = scene.agentKeys["stateDirectory"]
        scene.agentKeys["stateDirectory"] = scene.configurationPath + "/state"
        try write(scene)
        agent.send(SIGHUP)
        try await agent.waitForLog("nothing can be begun with the new configuration")
        try scene.append(11...20)
        try await scene.waitForRecords(20, from: agent)
        scene.agentKeys["stateDirectory"] = state
        #expect(try await agent.stop() == .code(0))
        #expect(scene.deliveredLines == AgentScene.lines(1...20))
    }

    /// LS-153: signals while a reload is under way.
    @Test func `of many reloads in a row the last one counts`() async throws {
        let scene = try AgentScene()
        let agent = try scene.start()
        try await agent.waitForLog("started: ")
        for version in 1...10 {
            var flow = scene.flows[0]
            flow["filePattern"] = scene.directory.path("logs/\(version).txt")
            scene.flows.append(flow)
            try write(scene)
            agent.send(SIGHUP)
            try await Task.sleep(for: .milliseconds(version * 5))
        }
        for version in 1...10 { try scene.append(version...version, to: "\(version).txt") }
        try await scene.waitForRecords(10, from: agent)
        #expect(try await agent.stop() == .code(0))
        #expect(scene.deliveredLines.sorted() == AgentScene.lines(1...10).sorted())
    }

    @Test func `lines that are written during many reloads arrive once`() async throws {
        let scene = try AgentScene(flow: ["aggregatedRecordSizeBytes": 10_000])
        let agent = try scene.start()
        try await agent.waitForLog("started: ")
        for round in 0..<20 {
            try scene.append(round * 100 + 1...round * 100 + 50)
            agent.send(SIGHUP)
            try scene.append(round * 100 + 51...round * 100 + 100)
            guard round % 5 == 4 else { continue }
            // A file that nobody has seen under its name would be nobody's.
            try await agent.wait(for: "the file is known") { scene.deliveredLines.count > round * 100 }
            agent.send(SIGHUP)
            try scene.append(10_000 + round...10_000 + round)
            try scene.rename("a.log", to: "a.log.\(round)")
        }
        try await agent.wait(for: "all lines arrive") { scene.deliveredLines.count >= 2_004 }
        #expect(try await agent.stop() == .code(0))
        #expect(scene.deliveredLines.count == 2_004)
        let stragglers = [4, 9, 14, 19].map { "line \(10_000 + $0)" }
        #expect(Set(scene.deliveredLines) == Set(AgentScene.lines(1...2_000) + stragglers))
    }

    @Test func `a deleted file that is not read to its end is read on after a reload`() async throws {
        let scene = try AgentScene(agent: ["rotatedFileQuietMillis": 3_600_000])
        let agent = try scene.start()
        try scene.append(1...10)
        try scene.append("line 11")
        try await scene.waitForRecords(10, from: agent)
        try scene.directory.unlink("logs/a.log")
        try await agent.waitForLog("reading it to its end")
        // Whether nothing can be begun, or something can.
        for (key, value) in [("stateDirectory", scene.configurationPath + "/state"), ("rotatedFileQuietMillis", 100)]
            as [(String, any Sendable)]
        {
            let old = scene.agentKeys.updateValue(value, forKey: key)
            try write(scene)
            agent.send(SIGHUP)
            guard key == "stateDirectory" else { break }
            try await agent.waitForLog("nothing can be begun with the new configuration")
            scene.agentKeys[key] = old
        }
        try await scene.waitForRecords(11, from: agent)
        #expect(try await agent.stop() == .code(0))
        #expect(scene.deliveredLines == AgentScene.lines(1...11))
    }

    /// LS-164: a destination that is down.
    @Test(arguments: [false, true])
    func `a reload ends although nothing can be delivered, and SIGTERM is obeyed`(isHanging: Bool) async throws {
        let scene = try AgentScene(agent: ["shutdownTimeoutMillis": 1_000])
        scene.standIn.answerByDefault { _ in isHanging ? .html(status: 503).hanging : .resetBeforeReading }
        let agent = try scene.start()
        try scene.append(1...100)
        if isHanging {
            try await agent.wait(for: "a request hangs") { scene.standIn.hangingCount == 1 }
        } else {
            try await agent.waitForLog("nothing delivered")
        }
        agent.send(SIGHUP)
        try await agent.waitForLog("started: ", times: 2)
        agent.send(SIGHUP)
        #expect(try await agent.stop() == .code(0))
        scene.standIn.release()
        scene.standIn.answerByDefault { _ in .accept }
        let next = try scene.start()
        try await scene.waitForRecords(100, from: next)
        #expect(try await next.stop() == .code(0))
        #expect(scene.deliveredLines == AgentScene.lines(1...100))
    }
}
