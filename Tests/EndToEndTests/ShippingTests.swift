import Foundation
import TestSupport
import Testing

/// Lines on their way from files to a stream, while nothing goes wrong.
@Suite(.timeLimit(.minutes(2))) struct ShippingTests {
    @Test func `a file that is there is shipped from its start, and what is added to it follows`() async throws {
        let scene = try AgentScene()
        try scene.append(1...1_234)
        let agent = try scene.start()
        try await scene.waitForRecords(1_234, from: agent)
        try scene.append(1_235...1_300)
        try await scene.waitForRecords(1_300, from: agent)
        try scene.append("half a line")
        #expect(try await agent.stop() == .code(0))
        #expect(scene.deliveredLines == AgentScene.lines(1...1_300))
        #expect(scene.delivered.allSatisfy { $0.hasSuffix("\n") })
    }

    @Test func `of a file that is there, only what is added is shipped unless told otherwise`() async throws {
        let scene = try AgentScene(flow: ["initialPosition": "END_OF_FILE"])
        try scene.append(1...10)
        let agent = try scene.start()
        try await agent.waitForLog("a.log: following it to stream from byte 71")
        try scene.append(11...20)
        try scene.append(21...30, to: "later.log")
        try await scene.waitForRecords(20, from: agent)
        #expect(try await agent.stop() == .code(0))
        #expect(Set(scene.deliveredLines) == Set(AgentScene.lines(11...30)))
        #expect(scene.delivered.count == 20)
    }

    @Test func `a rotated file is read to its end, and the new one from its start`() async throws {
        let scene = try AgentScene()
        try scene.append(1...100)
        let agent = try scene.start()
        try await scene.waitForRecords(100, from: agent)
        for generation in 1...5 {
            let first = generation * 100 + 1
            try scene.append(first...first + 49)
            try scene.rename("a.log", to: "a.log.\(generation)")
            // Programs go on writing to the old file for a while.
            try scene.append(first + 50...first + 59, to: "a.log.\(generation)")
            try scene.append(first + 60...first + 99)
            try await scene.waitForRecords(first + 99, from: agent)
        }
        try scene.append("cut short", to: "a.log")
        try scene.rename("a.log", to: "a.log.6")
        try await scene.waitForRecords(601, from: agent)
        #expect(try await agent.stop() == .code(0))
        #expect(Set(scene.deliveredLines) == Set(AgentScene.lines(1...600) + ["cut short"]))
        #expect(scene.delivered.count == 601)
    }

    @Test func `a file that is copied and truncated is read again from its start`() async throws {
        let scene = try AgentScene()
        try scene.append(1...100)
        let agent = try scene.start()
        try await scene.waitForRecords(100, from: agent)
        for generation in 1...3 {
            #expect(truncate(scene.directory.path("logs/a.log"), 0) == 0)
            try await agent.waitForLog("a.log: was truncated", times: generation)
            let first = generation * 100 + 1
            try scene.append(first...first + 99)
            try await scene.waitForRecords(first + 99, from: agent)
        }
        #expect(try await agent.stop() == .code(0))
        #expect(scene.deliveredLines == AgentScene.lines(1...400))
    }

    @Test func `a deleted file is delivered although nobody can open it any more`() async throws {
        let scene = try AgentScene()
        scene.standIn.enqueue(.accept.hanging)
        try scene.append(1...100)
        let agent = try scene.start()
        try await agent.waitForLog("following it")
        try scene.append(101...200)
        #expect(unlink(scene.directory.path("logs/a.log")) == 0)
        scene.standIn.release()
        try await scene.waitForRecords(200, from: agent)
        #expect(try await agent.stop() == .code(0))
        #expect(scene.deliveredLines == AgentScene.lines(1...200))
    }

    @Test func `a restart goes on where the agent was, also in a file that was rotated meanwhile`() async throws {
        let scene = try AgentScene()
        try scene.append(1...100)
        let first = try scene.start()
        try await scene.waitForRecords(100, from: first)
        #expect(try await first.stop() == .code(0))
        try scene.append(101...150)
        try scene.rename("a.log", to: "a.log.1")
        try scene.append(151...200)
        try scene.append(201...210, to: "b.log")
        let second = try scene.start()
        try await scene.waitForRecords(210, from: second)
        #expect(try await second.stop() == .code(0))
        let third = try scene.start()
        try scene.append(211...220, to: "b.log")
        try await scene.waitForRecords(220, from: third)
        #expect(try await third.stop() == .code(0))
        #expect(scene.delivered.count == 220)
        #expect(Set(scene.deliveredLines) == Set(AgentScene.lines(1...220)))
    }

    @Test func `lines of several flows go to their own streams`() async throws {
        let scene = try AgentScene()
        var second = scene.flows[0]
        second["filePattern"] = scene.directory.path("logs/**/*.txt")
        second["deliveryStream"] = "texts"
        scene.flows.append(second)
        let agent = try scene.start()
        try await agent.waitForLog("started")
        let directory = scene.directory.path("logs/new/deep")
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try scene.append("a text\n", to: "new/deep/a.txt")
        try scene.append(1...10)
        try await scene.waitForRecords(10, from: agent)
        try await agent.wait(for: "the text arrives") { !scene.standIn.records(of: "texts").isEmpty }
        #expect(try await agent.stop() == .code(0))
        #expect(scene.standIn.records(of: "texts") == [Array("a text\n".utf8)])
        #expect(scene.deliveredLines == AgentScene.lines(1...10))
    }
}
