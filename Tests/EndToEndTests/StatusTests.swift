import Foundation
import TestSupport
import Testing

/// `firetail status`: how the work stands, told by the agent that does it.
@Suite(.timeLimit(.minutes(2))) struct StatusTests {
    @Test(arguments: [0, 1_000], ["none", "gzip"])
    func `what is read is delivered, dead or cached`(joinedBytes: Int, compression: String) async throws {
        let scene = try AgentScene(flow: ["aggregatedRecordSizeBytes": joinedBytes, "compression": compression])
        try scene.append(1...3_000)
        let agent = try scene.start()
        try await agent.wait(for: "all arrives") { !scene.standIn.requests.isEmpty }
        try await scene.expectBalance()
        try await agent.wait(for: "all is delivered") { try await scene.balance().stream().cached == 0 }
        let balance = try await scene.balance()
        #expect(balance.process == agent.processID)
        #expect(balance.flows[0].linesRead == 3_000)
        #expect(balance.files.map(\.size) == balance.files.map(\.stored))
        #expect(try balance.stream().delivered == scene.delivered.count)
        let text = try await scene.askStatus().output
        #expect(text.contains("a.log"))
        #expect(text.contains("fine"))
        #expect(text.contains("nothing is wrong"))
        #expect(balance.flows[0].linesStored == 3_000)
        #expect(try balance.stream().lines.delivered == 3_000)
        #expect(try await agent.stop() == .code(0))
    }

    @Test func `it answers while the service hangs, and tells the last error`() async throws {
        let scene = try AgentScene(agent: ["shutdownTimeoutMillis": 100])
        scene.standIn.enqueue(.fail(status: 400, code: "ResourceNotFoundException"))
        scene.standIn.answerByDefault { _ in .accept.hanging }
        try scene.append(1...10)
        let agent = try scene.start()
        try await agent.wait(for: "a request hangs") { scene.standIn.hangingCount == 1 }
        let stream = try await scene.balance().stream()
        #expect(stream.cached == 10)
        #expect(stream.failing)
        #expect(stream.lastError?.contains("ResourceNotFoundException") == true)
        #expect(try await agent.stop() == .code(0))
    }

    @Test func `dead letters and refusals are in the balance, also of the next run`() async throws {
        let scene = try AgentScene()
        scene.standIn.answerByDefault { request in
            let isPoison = request.records.contains { String(decoding: $0, as: UTF8.self).contains("poison") }
            return isPoison ? .fail(status: 400, code: "InvalidArgumentException") : .accept
        }
        scene.standIn.enqueue(.refuse([1: "InternalFailure", 50: "InternalFailure"]))
        try scene.append(1...50)
        try scene.append("poison\n")
        let agent = try scene.start()
        try await agent.waitForLog("1 record set aside")
        try await scene.waitForRecords(50, from: agent)
        try await agent.wait(for: "all is settled") { try await scene.balance().stream().cached == 0 }
        try await scene.expectBalance()
        #expect(try await agent.stop() == .code(0))
        let next = try scene.start()
        try await next.waitForLog("started: ")
        let stream = try await scene.balance().stream()
        #expect(stream.stored == 51)
        #expect(stream.delivered == 50)
        #expect(stream.deadLetters == 1)
        #expect(stream.missing == 0)
        #expect(try await next.stop() == .code(0))
    }

    @Test func `without an agent the exit code says so`() async throws {
        let scene = try AgentScene()
        let agent = try scene.start()
        try await agent.waitForLog("started: ")
        #expect(try await agent.stop() == .code(0))
        let answer = try await scene.askStatus()
        #expect(answer.exit == .code(3))
        #expect(answer.errors == "firetail: no agent runs with the state directory \(scene.directory.path("state"))\n")
        let next = try scene.start()
        try await next.waitForLog("started: ")
        try await next.kill()
        #expect(try await scene.askStatus().exit == .code(3))
    }

    @Test func `an agent that stands still is said to, and soon`() async throws {
        let scene = try AgentScene()
        let agent = try scene.start()
        try await agent.waitForLog("started: ")
        agent.send(SIGSTOP)
        defer { agent.send(SIGCONT) }
        let state = scene.directory.path("state")
        // More than may wait to be taken.
        let programs = try (0..<12).map { _ in try Program(agent: ["status", "-c", scene.configurationPath]) }
        for program in programs {
            #expect(try await program.exit() == .code(1))
            #expect(program.log.contains("the state directory \(state) has said nothing for 15 s"))
        }
        agent.send(SIGCONT)
        #expect(try await agent.stop() == .code(0))
    }

    @Test(.enabled(if: geteuid() == 0, "to be another user takes root"))
    func `another user is told who may ask`() async throws {
        let scene = try AgentScene()
        let agent = try scene.start()
        try await agent.waitForLog("started: ")
        let answer = try await scene.askStatus(wrapper: ["setpriv", "--reuid=65534", "--clear-groups"])
        #expect(answer.exit == .code(1))
        #expect(answer.errors.contains("only the user that the agent runs as may ask it"), "\(answer.errors)")
        #expect(try await agent.stop() == .code(0))
    }

    @Test func `only its owner may ask, and nonsense is hung up on`() async throws {
        let scene = try AgentScene()
        let agent = try scene.start()
        try await agent.waitForLog("started: ")
        let path = scene.directory.path("state/status.sock")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        for _ in 0..<3 {
            let nonsense = try Program(
                ["sh", "-c", "head -c 100000 /dev/zero | timeout 5 nc -NU \(path) || true"],
                environment: ["PATH": "/usr/bin:/bin"]
            )
            _ = try await nonsense.exit()
        }
        #expect(try await scene.balance().process == agent.processID)
        #expect(try await agent.stop() == .code(0))
    }
}
