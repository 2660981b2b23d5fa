import Compression
import Foundation
import TestSupport
import Testing

/// The whole agent with a directory in place of Firehose.
@Suite(.timeLimit(.minutes(2))) struct DirectoryTests {
    /// Where objects go, below a scene's directory.
    private let place = "delivered"

    private func scene(flow: [String: Any]) throws -> AgentScene {
        let scene = try AgentScene(flow: flow)
        scene.agentKeys["firehose.endpoint"] = "file://" + scene.directory.path(place)
        for key in ["region", "awsAccessKeyId", "awsSecretAccessKey"] { scene.agentKeys[key] = nil }
        return scene
    }

    /// The paths of all objects, relative to the root; those that are being written have other names.
    private func objects(of scene: AgentScene) -> [String] {
        let files = FileManager.default.enumerator(atPath: scene.directory.path(place))
        return (files?.compactMap { $0 as? String } ?? []).filter { $0.contains("stream-1-") && !$0.contains("/.") }
    }

    private func lines(of scene: AgentScene) throws -> [String] {
        try objects(of: scene).flatMap { name in
            let content = try scene.directory.contents(of: "\(place)/\(name)")
            var plain: [UInt8] = []
            if name.hasSuffix(".gz") {
                try GzipReader().decompress(content.span, limit: 1 << 26, appendingTo: &plain)
            } else {
                plain = content
            }
            #expect(plain.last == UInt8(ascii: "\n"))
            return String(decoding: plain, as: UTF8.self).split(separator: "\n").map(String.init)
        }
    }

    @Test(
        arguments: [0, 2_000],
        ["none", "gzip"]
    )
    func `objects are named as in S3 and hold every line once`(recordBytes: Int, compression: String) async throws {
        let scene = try scene(flow: ["aggregatedRecordSizeBytes": recordBytes, "compression": compression])
        try scene.append(1...1_500)
        let first = try scene.start()
        try await first.wait(for: "1,500 lines are delivered") { try lines(of: scene).count >= 1_500 }
        #expect(try await first.stop() == .code(0))
        try scene.append(1_501...1_600)
        let second = try scene.start()
        try await second.wait(for: "100 lines more are delivered") { try lines(of: scene).count >= 1_600 }
        #expect(try await second.stop() == .code(0))

        #expect(try lines(of: scene).sorted() == AgentScene.lines(1...1_600).sorted())
        let hexadecimal = "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}"
        let folder = "[0-9]{4}/[0-9]{2}/[0-9]{2}/[0-9]{2}/"
        let name = try Regex(
            "\(folder)stream-1-[0-9]{4}(-[0-9]{2}){5}-\(hexadecimal)" + (compression == "gzip" ? "\\.gz" : "")
        )
        #expect(objects(of: scene).count >= 2)
        for object in objects(of: scene) { #expect(object.wholeMatch(of: name) != nil, "\(object)") }
    }

    @Test func `a directory that cannot be written to is said, and keeps nothing from arriving later`() async throws {
        let scene = try scene(flow: [:])
        try scene.directory.append("in the way", to: place)
        try scene.append(1...10)
        let agent = try scene.start()
        try await agent.waitForLog("stream: nothing delivered: ")
        #expect(agent.log.contains(scene.directory.path(place)))
        #expect(unlink(scene.directory.path(place)) == 0)
        try await agent.wait(for: "10 lines are delivered") { try lines(of: scene).count == 10 }
        #expect(try await agent.stop() == .code(0))
        #expect(agent.log.contains("stream: sending again"))
    }
}
