import Foundation
import TestSupport
import Testing

/// What `firetail status` says first when something is wrong.
@Suite(.timeLimit(.minutes(2))) struct TroubleTests {
    private func wait(for text: String, of scene: AgentScene, _ agent: Program) async throws {
        var told = ""
        try await agent.wait(for: "the trouble is told: \(text)") {
            told = try await scene.troubles() ?? ""
            return told.contains(text)
        }
    }

    private func waitForNone(of scene: AgentScene, _ agent: Program) async throws {
        try await agent.wait(for: "nothing is wrong any more") { try await scene.troubles() == "" }
    }

    static let refusals: [(code: String, status: Int)] = [
        ("ServiceUnavailableException", 503), ("ThrottlingException", 400), ("UnrecognizedClientException", 403),
    ]

    @Test(arguments: refusals)
    func `a service that takes nothing, and why`(code: String, status: Int) async throws {
        let scene = try AgentScene()
        scene.standIn.answerByDefault { _ in .fail(status: status, code: code) }
        try scene.append(1...100)
        let agent = try scene.start()
        try await wait(for: "stream: nothing delivered, ", of: scene, agent)
        #expect(try await scene.troubles()?.contains(code) == true)
        scene.standIn.answerByDefault { _ in .accept }
        try await scene.waitForRecords(100, from: agent)
        try await waitForNone(of: scene, agent)
        #expect(try await scene.askStatus().output.contains("stream was failing "))
        #expect(try await agent.stop() == .code(0))
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting takes root"))
    func `a disk without room`() async throws {
        let disk = try SmallDisk(megabytes: 8)
        let scene = try AgentScene(agent: ["stateDirectory": disk.directory.path("state")])
        try scene.append(1...100)
        let agent = try scene.start()
        try await scene.waitForRecords(100, from: agent)
        try disk.fill()
        try scene.append(101...200)
        let place = "no room on the disk of \(disk.directory.path("state/cache.db")); "
        try await wait(for: place + "lines are read only as fast as they are delivered", of: scene, agent)
        try await scene.waitForRecords(200, from: agent)
        scene.standIn.answerByDefault { _ in .html(status: 503) }
        let line = String(repeating: "x", count: 9_999) + "\n"
        try scene.append(String(repeating: line, count: 1_000))
        try await wait(for: place + "reading waits until there is some", of: scene, agent)
        disk.makeRoom()
        scene.standIn.answerByDefault { _ in .accept }
        try await scene.waitForRecords(1_200, from: agent)
        try await waitForNone(of: scene, agent)
        #expect(try await agent.stop() == .code(0))
    }

    /// From its end, a file is opened before it is followed.
    @Test(.enabled(if: geteuid() == 0, "to be another user takes root"), arguments: ["START_OF_FILE", "END_OF_FILE"])
    func `a file and a directory that may not be read`(position: String) async throws {
        let scene = try AgentScene(agent: ["scanIntervalMillis": 1_000])
        scene.flows[0]["initialPosition"] = position
        let patterns = ["logs/*.log", "logs/closed/*.log"].map { scene.directory.path($0) }
        scene.flows[0]["filePattern"] = patterns
        try scene.directory.makeDirectory("logs/closed")
        try scene.directory.makeDirectory("state")
        try scene.append(1...10)
        try scene.directory.setMode("logs/a.log", 0)
        try scene.directory.setMode("logs/closed", 0)
        try scene.directory.setMode("state", 0o777)
        chown(scene.directory.path("state"), 65_534, 65_534)
        let agent = try scene.start(wrapper: ["setpriv", "--reuid=65534", "--clear-groups"])
        try await wait(for: "logs/a.log: cannot be read: permission denied", of: scene, agent)
        try await wait(for: "logs/closed: cannot look for files in it", of: scene, agent)
        try scene.directory.setMode("logs/a.log", 0o644)
        try scene.directory.setMode("logs/closed", 0o755)
        try scene.append(11...20)
        try await scene.waitForRecords(position == "START_OF_FILE" ? 20 : 10, from: agent)
        try await waitForNone(of: scene, agent)
        #expect(try await agent.stop() == .code(0))
    }

    @Test func `a damaged cache and dead letters`() async throws {
        let scene = try AgentScene()
        try scene.directory.makeDirectory("state")
        try scene.directory.append(
            Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0xAA, count: 8_192),
            to: "state/cache.db"
        )
        scene.standIn.answerByDefault { _ in .fail(status: 400, code: "InvalidArgumentException") }
        try scene.append(1...2)
        let agent = try scene.start()
        try await wait(for: "stream: 2 dead letters; see `firetail dead-letters`", of: scene, agent)
        #expect(try await scene.troubles()?.contains("the cache was damaged, and is kept as ") == true)
        #expect(try await scene.askDeadLetters("drop", "--all").exit == .code(0))
        #expect(try await scene.troubles()?.contains("dead letter") == false)
        #expect(try await agent.stop() == .code(0))
    }
}
