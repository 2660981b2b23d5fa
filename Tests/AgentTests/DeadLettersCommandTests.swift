import Foundation
import TestSupport
import Testing

/// `firetail dead-letters`, with an agent that does what is asked, and without one.
@Suite(.timeLimit(.minutes(3))) struct DeadLettersCommandTests {
    let scene: AgentScene

    init() throws {
        scene = try AgentScene(flow: ["maxBufferSizeRecords": 1])
        try scene.append("good\npoison one\npoison \0two\n")
    }

    /// Has records with "poison" in them refused for good, or accepted.
    private func refusePoison(_ isRefused: Bool = true) {
        scene.standIn.answerByDefault { request in
            let isPoison = request.records.contains { String(decoding: $0, as: UTF8.self).contains("poison") }
            return isRefused && isPoison ? .fail(status: 400, code: "InvalidArgumentException") : .accept
        }
    }

    /// An agent that has set two records aside.
    private func startWithLetters() async throws -> Program {
        refusePoison()
        let agent = try scene.start()
        try await agent.wait(for: "two are set aside") {
            // An agent that is about to start has the state and does not answer yet.
            let answer = try await ask("list", "--json")
            return try answer.exit == .code(0) && ids(in: answer.output) == [1, 2]
        }
        return agent
    }

    @discardableResult
    private func ask(_ words: String...) async throws -> (output: String, errors: String, exit: Program.Exit) {
        let program = try Program(agent: ["dead-letters", "-c", scene.configurationPath] + words)
        let exit = try await program.exit()
        return (program.output, program.log, exit)
    }

    private func ids() async throws -> [Int] {
        let answer = try await ask("list", "--json")
        #expect(answer.exit == .code(0), "\(answer.errors)")
        return try ids(in: answer.output)
    }

    private func ids(in list: String) throws -> [Int] {
        struct List: Decodable {
            struct Letter: Decodable { var id: Int }
            var deadLetters: [Letter]
        }
        return try JSONDecoder().decode(List.self, from: Data(list.utf8)).deadLetters.map(\.id)
    }

    private func delivered() -> [String] {
        scene.standIn.records(of: "stream").map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [true, false])
    func `letters are listed, shown byte by byte, and dropped`(withAgent: Bool) async throws {
        let agent = try await startWithLetters()
        if !withAgent { #expect(try await agent.stop() == .code(0)) }
        let list = try await ask("list")
        #expect(list.output.contains("\(scene.directory.path("logs/a.log")) [0, 28): "))
        #expect(list.output.contains("InvalidArgumentException"))
        #expect(!list.output.contains("poison"))
        #expect(try await !ask("list", "--json").output.contains("poison"))
        #expect(try await ids() == [1, 2])
        #expect(try await ask("show", "2").output == "poison \0two\n")
        let wrong = try await ask("drop", "2", "3")
        #expect(wrong.exit == .code(1))
        #expect(wrong.errors.hasPrefix("firetail: no dead letter has the id 3; nothing was done; "))
        #expect(try await ask("drop", "2", "--stream", "stream").output == "1 dead letter (12 B) deleted\n")
        #expect(try await ask("drop", "--all", "--stream", "other").output == "0 dead letters (0 B) deleted\n")
        #expect(try await ids() == [1])
        #expect(try await ask("drop", "--all").output == "1 dead letter (11 B) deleted\n")
        #expect(try await ask().output == "no dead letters\n")
        if withAgent { #expect(try await agent.stop() == .code(0)) }
    }

    @Test func `a running agent sends what is put back at once`() async throws {
        let agent = try await startWithLetters()
        refusePoison(false)
        #expect(try await ask("replay", "--all").output == "2 dead letters (23 B) put back\n")
        try await agent.wait(for: "all has arrived") { delivered().count == 3 }
        #expect(delivered() == ["good\n", "poison one\n", "poison \0two\n"])
        #expect(try await ids().isEmpty)
        #expect(try await agent.stop() == .code(0))
    }

    @Test func `what is put back without an agent is sent by the next one`() async throws {
        #expect(try await startWithLetters().stop() == .code(0))
        refusePoison(false)
        #expect(try await ask("replay", "2").output == "1 dead letter (12 B) put back\n")
        let next = try scene.start()
        try await next.wait(for: "it has arrived") { delivered().count == 2 }
        #expect(try await next.stop() == .code(0))
        #expect(delivered() == ["good\n", "poison \0two\n"])
        #expect(try await ids() == [1])
    }

    @Test func `over the limit the oldest go, and the log says so`() async throws {
        scene.agentKeys["deadLetterMaxBytes"] = 300
        refusePoison()
        let agent = try scene.start()
        try await agent.waitForLog("ERROR cache: stream: 1 dead letter deleted, the oldest first")
        #expect(try await agent.stop() == .code(0))
        #expect(agent.log.contains("2 dead letters, 1 dead letter deleted for want of room"))
        #expect(try await ids() == [2])
    }

    @Test func `without a state there is nothing, and none is made`() async throws {
        let content = try JSONSerialization.data(withJSONObject: scene.agentKeys.merging(["flows": scene.flows]) { $1 })
        try scene.configure(with: content)
        #expect(try await ask("list").output == "no dead letters\n")
        let answer = try await ask("drop", "--all")
        #expect(answer.exit == .code(1))
        #expect(answer.errors.contains("holds no cache yet"))
        #expect(!FileManager.default.fileExists(atPath: scene.directory.path("state")))
        try scene.configure(with: Data("{}".utf8))
        #expect(try await ask("list").exit == .code(78))
    }

    @Test func `an agent that does not answer for a moment is waited for`() async throws {
        let agent = try await startWithLetters()
        try FileManager.default.removeItem(atPath: scene.directory.path("state/status.sock"))
        let command = try Program(agent: ["dead-letters", "list", "--json", "-c", scene.configurationPath])
        #expect(try await agent.stop() == .code(0))
        #expect(try await command.exit() == .code(0), "\(command.log)")
        #expect(try ids(in: command.output) == [1, 2])
    }

    @Test func `an agent that says nothing has the state and does not answer`() async throws {
        let agent = try await startWithLetters()
        agent.send(SIGSTOP)
        let answer = try await ask("drop", "--all")
        agent.send(SIGCONT)
        #expect(answer.exit == .code(75))
        #expect(answer.errors.contains("has said nothing for 30 s: it was stopped"), "\(answer.errors)")
        #expect(try await agent.stop() == .code(0))
    }

    @Test func `who holds the state and does not answer is named`() async throws {
        let agent = try await startWithLetters()
        try FileManager.default.removeItem(atPath: scene.directory.path("state/status.sock"))
        let answer = try await ask("replay", "--all")
        #expect(answer.exit == .code(75))
        #expect(answer.errors.contains("is in use by process \(agent.processID)"))
        #expect(try await agent.stop() == .code(0))
    }
}
