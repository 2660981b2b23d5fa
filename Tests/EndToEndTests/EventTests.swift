import Foundation
import TestSupport
import Testing

/// Events of several lines, from files to the service.
@Suite(.timeLimit(.minutes(2))) struct EventTests {
    private func scene(_ pattern: String = "seq=", timeout: Int = 60_000) throws -> AgentScene {
        try AgentScene(flow: ["multiLineStartPattern": pattern, "multiLineTimeoutMillis": timeout])
    }

    /// LS-051.
    @Test func `the last event arrives although no other follows it`() async throws {
        let scene = try scene(timeout: 300)
        let events = (1...2).map { number in "seq=\(number)\n" + String(repeating: "\tat x\n", count: 4) }
        try scene.append(events.joined())
        let agent = try scene.start()
        try await scene.waitForRecords(2, from: agent)
        #expect(try await agent.stop() == .code(0))
        #expect(scene.delivered == events)
    }

    @Test func `many large events that are open take a bounded amount of memory`() async throws {
        let scene = try scene(timeout: 300_000)
        scene.agentKeys["firehose.endpoint"] = "file://" + scene.directory.path("delivered")
        let line = String(repeating: "x", count: 99_999) + "\n"
        for file in 0..<250 {
            try scene.append("seq=\(file)\n" + String(repeating: line, count: 9), to: "\(file).log")
        }
        let agent = try scene.start()
        try await agent.waitForLog("ready: ")
        try await waitUntil("all is read", timeout: .seconds(60), lookingEvery: .milliseconds(200)) {
            let files = try await scene.balance().files
            return files.count == 250 && files.allSatisfy { $0.read == $0.size }
        }
        // Of 225 MB.
        #expect(try agent.residentKilobytes < 150_000)
        #expect(try await agent.stop() == .code(0))
    }

    /// LS-168.
    @Test func `an event that is open when the agent stops is delivered whole by the next one`() async throws {
        let scene = try scene()
        let first = try scene.start()
        try scene.append("seq=1\n\tat a\n\tat b\n")
        try await first.waitForLog("following it")
        #expect(try await first.stop() == .code(0))
        #expect(scene.delivered.isEmpty)
        try scene.append("\tat c\n\tat d\nseq=2\n")
        let second = try scene.start()
        try await scene.waitForRecords(1, from: second)
        #expect(try await second.stop() == .code(0))
        #expect(scene.delivered == ["seq=1\n\tat a\n\tat b\n\tat c\n\tat d\n"])
    }

    /// LS-148.
    @Test func `an event ends with its file, and lines that are left over are an event`() async throws {
        let scene = try scene()
        let agent = try scene.start()
        try scene.append("seq=1\n\tat a\n\tat b\n\tat c\n")
        try await agent.waitForLog("following it")
        try scene.rename("a.log", to: "a.log.1")
        try scene.append("\tat d\n\tat e\nseq=2\n")
        try await scene.waitForRecords(2, from: agent)
        #expect(try await agent.stop() == .code(0))
        #expect(Set(scene.delivered) == ["seq=1\n\tat a\n\tat b\n\tat c\n", "\tat d\n\tat e\n"])
    }

    /// LS-007.
    @Test func `a pattern that never matches costs no memory and loses no line`() async throws {
        let scene = try scene("NEVER", timeout: 300)
        let agent = try scene.start("--log-level", "info")
        let line = String(repeating: "x", count: 999) + "\n"
        for _ in 0..<32 { try scene.append(String(repeating: line, count: 1_000)) }
        try await agent.wait(for: "32 MB have arrived") {
            scene.standIn.records(of: "stream").reduce(0) { $0 + $1.count } == 32_000_000
        }
        let peak = try String(contentsOfFile: "/proc/\(agent.processID)/status", encoding: .utf8)
            .split(separator: "\n").first { $0.hasPrefix("VmHWM") }
        #expect(try await agent.stop() == .code(0))
        let kibibytes = try #require(peak.flatMap { Int($0.filter(\.isNumber)) })
        #expect(kibibytes < 200_000)
        #expect(agent.log.ranges(of: "check the pattern").count == 1)
        #expect(scene.standIn.records(of: "stream").allSatisfy { $0.count <= 1_024_000 && $0.last == 0x0A })
    }

    @Test func `a pattern that is none is refused with the place and the reason`() async throws {
        let scene = try scene("(a")
        let agent = try scene.start()
        #expect(try await agent.exit() == .code(78))
        #expect(agent.log.contains(#"multiLineStartPattern = "(a": at offset 2: missing closing parenthesis"#))
    }
}
