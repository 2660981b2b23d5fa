import Cache
import TestSupport
import Testing

/// A service that answers with an error: what it means for the lines, and what the operator gets to know.
@Suite(.timeLimit(.minutes(2))) struct RefusalTests {
    @Test func `records that are refused one by one are sent again, and only they`() async throws {
        let scene = try AgentScene()
        let codes = [0: "InternalFailure", 3: "ServiceUnavailableException", 9: "InternalFailure"]
        scene.standIn.enqueue(.refuse(codes), .refuse([1: "InternalFailure"]))
        try scene.append(0...9)
        let agent = try scene.start()
        try await scene.waitForRecords(10, from: agent)
        #expect(try await agent.stop() == .code(0))
        let order = [1, 2, 4, 5, 6, 7, 8] + [0, 9] + [3]
        #expect(scene.deliveredLines == order.map { "line \($0)" })
        #expect(agent.log.contains("3 of 10 records were refused (InternalFailure); they are sent again"))
    }

    @Test func `a stream at its limit is waited for`() async throws {
        let scene = try AgentScene()
        scene.standIn.enqueue(.throttleAll, .fail(status: 400, code: "ThrottlingException"))
        try scene.append(1...500)
        let agent = try scene.start()
        try await scene.waitForRecords(500, from: agent)
        #expect(try await agent.stop() == .code(0))
        #expect(scene.deliveredLines == AgentScene.lines(1...500))
        #expect(agent.log.contains("500 of 500 records were refused (ServiceUnavailableException)"))
        #expect(agent.log.contains("ThrottlingException (HTTP 400)"))
        #expect(agent.log.contains("stream: sending again"))
    }

    @Test(
        arguments: [
            "ResourceNotFoundException", "AccessDeniedException", "InvalidKMSResourceException",
            "InvalidSourceException", "OptInRequired", "KMSAccessDeniedException", "SomethingNewException",
        ]
    )
    func `what only an operator can mend is named, and everything is kept until then`(code: String) async throws {
        let scene = try AgentScene()
        scene.standIn.enqueue(.fail(status: 400, code: code))
        try scene.append(1...10)
        let agent = try scene.start()
        try await scene.waitForRecords(10, from: agent)
        #expect(try await agent.stop() == .code(0))
        #expect(scene.deliveredLines == AgentScene.lines(1...10))
        #expect(agent.log.contains("ERROR delivery: stream: nothing delivered: "))
        #expect(agent.log.contains("\(code) (HTTP 400)"))
    }

    @Test(arguments: ["ExpiredTokenException", "InvalidClientTokenId", "UnrecognizedClientException"])
    func `credentials that are refused are named, and everything is kept until they are taken`(
        code: String
    ) async throws {
        let scene = try AgentScene()
        // The second answer is to the attempt with credentials that were looked up again.
        scene.standIn.enqueue(.fail(status: 403, code: code), .fail(status: 403, code: code))
        try scene.append(1...10)
        let agent = try scene.start()
        try await scene.waitForRecords(10, from: agent)
        #expect(try await agent.stop() == .code(0))
        #expect(scene.deliveredLines == AgentScene.lines(1...10))
        #expect(agent.log.contains("ERROR delivery: stream: nothing delivered: "))
        #expect(agent.log.contains("\(code) (HTTP 403)"))
    }

    @Test func `a clock that is wrong is corrected without a word`() async throws {
        let scene = try AgentScene()
        scene.standIn.enqueue(.fail(status: 403, code: "InvalidSignatureException").clockAhead(bySeconds: 86_400))
        try scene.append(1...10)
        let agent = try scene.start()
        try await scene.waitForRecords(10, from: agent)
        #expect(try await agent.stop() == .code(0))
        #expect(scene.deliveredLines == AgentScene.lines(1...10))
        let dates = scene.standIn.requests.compactMap { $0.headers["x-amz-date"] }
        #expect(dates.count == 2)
        #expect(dates[0].prefix(8) < dates[1].prefix(8))
        #expect(!agent.log.contains("nothing delivered"))
    }

    @Test(arguments: ["ValidationException", "InvalidArgumentException", "SerializationException"])
    func `a record that is never taken is set aside, and everything else arrives`(code: String) async throws {
        let scene = try AgentScene()
        let isPoison = { @Sendable (record: [UInt8]) in String(decoding: record, as: UTF8.self).contains("poison") }
        scene.standIn.answerByDefault { request in
            request.records.contains(where: isPoison) ? .fail(status: 400, code: code) : .accept
        }
        try scene.append(1...100)
        try scene.append("poison\n")
        try scene.append(101...200)
        let agent = try scene.start()
        try await scene.waitForRecords(200, from: agent)
        try await agent.waitForLog("1 record set aside as dead letters: ")
        #expect(try await agent.stop() == .code(0))
        #expect(scene.deliveredLines == AgentScene.lines(1...200))
        #expect(agent.log.contains("\(code) (HTTP 400)"))
        let cache = try RecordCache(directory: scene.directory.path("state"), streams: [], maxBytes: 1)
        #expect(try await cache.deadLetters().count == 1)
    }

    @Test(
        arguments: [
            StandInAnswer.fail(status: 413, code: "RequestEntityTooLargeException"),
            .fail(status: 400, code: "InvalidArgumentException", message: "Records size exceeds 4 MB limit"),
            .html(status: 413),
        ]
    )
    func `requests that are too large are split until they are taken`(refusal: StandInAnswer) async throws {
        let scene = try AgentScene()
        scene.standIn.answerByDefault { request in request.records.count > 10 ? refusal : .accept }
        try scene.append(1...100)
        let agent = try scene.start()
        try await scene.waitForRecords(100, from: agent)
        #expect(try await agent.stop() == .code(0))
        #expect(scene.deliveredLines == AgentScene.lines(1...100))
    }
}
