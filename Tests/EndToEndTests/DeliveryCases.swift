import Compression
import Foundation
import Synchronization
import TestSupport
import Testing

/// What services and networks do to a delivery, each as somebody has seen it.
@Suite(.timeLimit(.minutes(3))) struct DeliveryCases {
    /// LS-101: a service that refuses a fifth of every request.
    @Test func `of requests that are refused in part, every record is accepted once`() async throws {
        let scene = try AgentScene()
        let random = Mutex(SeededGenerator(seed: 101))
        scene.standIn.answerByDefault { request in
            let refused = random.withLock { random in
                request.records.indices.filter { _ in Int.random(in: 0..<5, using: &random) == 0 }
            }
            return .refuse(Dictionary(uniqueKeysWithValues: refused.map { ($0, "InternalFailure") }))
        }
        try scene.append(1...5_000)
        let agent = try scene.start()
        try await scene.waitForRecords(5_000, from: agent)
        try await scene.expectBalance()
        #expect(try await agent.stop() == .code(0))
        #expect(scene.deliveredLines.count == 5_000)
        #expect(Set(scene.deliveredLines) == Set(AgentScene.lines(1...5_000)))
    }

    /// LS-104: how records end.
    @Test(arguments: [0, 200])
    func `each line ends with one newline, whatever it ended with`(joinedBytes: Int) async throws {
        let scene = try AgentScene(flow: ["aggregatedRecordSizeBytes": joinedBytes])
        try scene.append("{\"a\": 1}\n{\"b\": 2}\r\n\n\\n\nlast")
        let agent = try scene.start()
        try await agent.wait(for: "whole lines arrive") { scene.delivered.joined().count >= 22 }
        try scene.rename("a.log", to: "a.log.1")
        try await agent.wait(for: "the last line arrives") { scene.delivered.joined().hasSuffix("last\n") }
        #expect(try await agent.stop() == .code(0))
        #expect(scene.delivered.joined() == "{\"a\": 1}\n{\"b\": 2}\r\n\n\\n\nlast\n")
        if joinedBytes == 0 { #expect(scene.delivered.allSatisfy { $0.filter { $0.isNewline }.count == 1 }) }
    }

    /// LS-105, LS-074: compression.
    @Test func `records are compressed once, and sent again as they are`() async throws {
        let scene = try AgentScene(
            flow: ["compression": "gzip", "aggregatedRecordSizeBytes": 100_000],
            agent: ["shutdownTimeoutMillis": 100]
        )
        scene.standIn.answerByDefault { _ in .html(status: 503) }
        try scene.append(1...5_000)
        let agent = try scene.start()
        try await agent.wait(for: "it was tried twice") { scene.standIn.requests.count >= 2 }
        #expect(try await agent.stop() == .code(0))
        scene.standIn.answerByDefault { _ in .accept }
        let next = try scene.start()
        try await next.wait(for: "all arrives") {
            scene.standIn.records(of: "stream").reduce(0) { $0 + (lines(in: $1) ?? 0) } == 5_000
        }
        #expect(try await next.stop() == .code(0))
        let requests = scene.standIn.requests
        #expect(Set(requests.map { $0.records.first ?? [] }).count == 1, "the same bytes each time")
        #expect(requests.allSatisfy { $0.headers["content-encoding"] == nil })
        let compressed = scene.standIn.records(of: "stream").reduce(0) { $0 + $1.count }
        #expect(compressed * 3 < AgentScene.lines(1...5_000).joined(separator: "\n").utf8.count)
    }

    /// Newlines in a record that is one gzip member; nil if it is none.
    private func lines(in record: [UInt8]) -> Int? {
        let reader = GzipReader()
        var text: [UInt8] = []
        guard (try? reader.decompress(record.span, limit: 1 << 20, appendingTo: &text)) != nil else { return nil }
        return text.count { $0 == UInt8(ascii: "\n") }
    }

    /// LS-146: a stream at its limit.
    @Test func `a burst above the limit of the stream is neither lost nor doubled`() async throws {
        let scene = try AgentScene(flow: ["aggregatedRecordSizeBytes": 20_000])
        let began = ContinuousClock.now
        let taken = Mutex(0)
        // Two megabytes a second.
        scene.standIn.answerByDefault { request in
            let bytes = request.records.reduce(0) { $0 + $1.count }
            return taken.withLock { taken in
                let allowed = Int((ContinuousClock.now - began) / .milliseconds(1)) * 2_000
                guard taken + bytes <= allowed else { return .throttleAll }
                taken += bytes
                return .accept
            }
        }
        let text = String(repeating: "x", count: 1_000)
        for first in stride(from: 0, to: 5_000, by: 100) {
            try scene.append((first..<first + 100).map { "\($0) \(text)\n" }.joined())
        }
        let agent = try scene.start()
        try await agent.wait(for: "all arrives") { scene.deliveredLines.count >= 5_000 }
        try await scene.expectBalance()
        #expect(try await agent.stop() == .code(0))
        #expect(scene.deliveredLines.count == 5_000)
        #expect(Set(scene.deliveredLines).count == 5_000)
    }

    /// LS-159: answers that are larger than anybody expects.
    @Test func `long answers are read, and what cannot be read is sent again`() async throws {
        let scene = try AgentScene()
        let refused = Dictionary(uniqueKeysWithValues: stride(from: 1, to: 500, by: 2).map { ($0, "InternalFailure") })
        scene.standIn.enqueue(.refuse(refused).explained(inBytes: 2_048).chunked, .html(status: 200))
        try scene.append(1...500)
        let agent = try scene.start()
        try await scene.waitForRecords(500, from: agent)
        #expect(try await agent.stop() == .code(0))
        #expect(scene.deliveredLines.count == 500)
        #expect(Set(scene.deliveredLines) == Set(AgentScene.lines(1...500)))
        #expect(agent.log.contains("250 of 500 records were refused"))
    }

    /// LS-024: connections that do not last.
    @Test func `connections that are closed or reset between requests lose nothing and double nothing`() async throws {
        let scene = try AgentScene(flow: ["maxBufferAgeMillis": 100])
        let count = Mutex(0)
        scene.standIn.answerByDefault { _ in
            switch count.withLock({ count in
                count += 1
                return count
            }) % 4 {
            case 0: .accept
            case 1: .accept.closingUnannounced
            case 2: .resetAfterReading
            default: .accept.closingAfterwards
            }
        }
        let agent = try scene.start()
        for line in 1...40 {
            try scene.append(line...line)
            if line % 5 == 0 { try await scene.waitForRecords(line, from: agent) }
        }
        try await scene.expectBalance()
        #expect(try await agent.stop() == .code(0))
        #expect(scene.deliveredLines == AgentScene.lines(1...40))
    }

    /// LS-063: one file in two flows.
    @Test func `two flows that read one file for two streams keep two positions`() async throws {
        let scene = try AgentScene()
        var second = scene.flows[0]
        second["deliveryStream"] = "other"
        second["aggregatedRecordSizeBytes"] = 1_000
        scene.flows.append(second)
        try scene.append(1...50)
        func other() -> [Substring] {
            scene.standIn.records(of: "other").flatMap { String(decoding: $0, as: UTF8.self).split(separator: "\n") }
        }
        for lines in [1...50, 51...100] {
            if lines.lowerBound > 1 { try scene.append(lines) }
            let agent = try scene.start()
            try await scene.waitForRecords(lines.upperBound, from: agent)
            try await agent.wait(for: "the other stream has all") { other().count >= lines.upperBound }
            try await scene.expectBalance()
            #expect(try await agent.stop() == .code(0))
        }
        #expect(scene.deliveredLines == AgentScene.lines(1...100))
        #expect(other().map(String.init) == AgentScene.lines(1...100))
    }
}
