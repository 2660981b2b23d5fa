import Foundation
import TestSupport
import Testing

/// LS-076: requests that nobody answers.
@Suite(.timeLimit(.minutes(2))) struct BlackHoleCases {
    @Test func `what is not answered for half a minute is sent again, and other streams do not wait`() async throws {
        let scene = try AgentScene()
        let streams = ["stream", "hole", "other"]
        scene.flows = streams.map { stream in scene.flows[0].merging(["deliveryStream": stream]) { $1 } }
        let standIn = scene.standIn
        standIn.answerByDefault { request in
            request.stream == "hole" && standIn.hangingCount == 0 ? .accept.hanging : .accept
        }
        func lines(of stream: String) -> [String] {
            standIn.records(of: stream).map { String(decoding: $0.dropLast(), as: UTF8.self) }
        }
        try scene.append(1...10)
        let agent = try scene.start()
        try await agent.wait(for: "a request hangs") { standIn.hangingCount == 1 }
        for end in [10, 20] {
            if end > 10 { try scene.append(11...end) }
            try await agent.wait(for: "others get theirs") {
                lines(of: "stream").count == end && lines(of: "other").count == end
            }
        }
        #expect(lines(of: "hole").isEmpty)
        try await agent.wait(for: "what hangs is given up and sent again") { lines(of: "hole").count == 20 }
        #expect(try await agent.stop() == .code(0))
        for stream in streams { #expect(lines(of: stream) == AgentScene.lines(1...20)) }
        let complaints = agent.log.split(separator: "\n").filter { $0.contains("nothing delivered") }
        #expect(complaints.count == 1)
        #expect(complaints.first?.contains(" WARN  delivery: hole: nothing delivered: ") == true)
        #expect(complaints.first?.contains("timed out: ") == true)
    }
}
