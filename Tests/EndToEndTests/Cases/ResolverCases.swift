import Foundation
import TestSupport
import Testing

/// Names that cannot be looked up for a while, and addresses that change.
@Suite(.enabled(if: PreloadedLibrary.isPossible, "needs a C compiler"), .timeLimit(.minutes(2))) struct ResolverCases {
    /// A resolver that gives the address in the file `address` for every name; none if that is empty.
    private static func resolver() throws -> PreloadedLibrary {
        try PreloadedLibrary { directory in
            """
            #define _GNU_SOURCE
            #include <dlfcn.h>
            #include <netdb.h>
            #include <stdio.h>
            int getaddrinfo(const char *name, const char *port, const struct addrinfo *hints, struct addrinfo **found) {
                int (*next)() = dlsym(RTLD_NEXT, "getaddrinfo");
                char address[64] = "";
                FILE *file = fopen("\(directory.path("address"))", "r");
                if (file) { fscanf(file, "%63s", address); fclose(file); }
                return address[0] ? next(address, port, hints, found) : EAI_AGAIN;
            }
            """
        }
    }

    @Test func `a name is looked up again after it was not found, and after its address has died`() async throws {
        let resolver = try Self.resolver()
        let name = URL(filePath: resolver.directory.path("address"))
        let scene = try AgentScene()
        let successor = try FirehoseStandIn(at: "127.0.0.2", port: scene.standIn.port)
        scene.agentKeys["firehose.endpoint"] = "http://firehose.test:\(scene.standIn.port)"
        scene.environment["LD_PRELOAD"] = resolver.path
        try scene.append(1...10)
        let agent = try scene.start()
        try await agent.waitForLog("the host is unknown: ")

        try Data("127.0.0.1".utf8).write(to: name, options: .atomic)
        try await scene.waitForRecords(10, from: agent)
        scene.standIn.stop()
        try scene.append(11...20)
        try await agent.waitForLog("no connection: ")

        try Data("127.0.0.2".utf8).write(to: name, options: .atomic)
        try await agent.wait(for: "the rest is at the new address") { successor.records(of: "stream").count >= 10 }
        #expect(try await agent.stop() == .code(0))
        let kept = (scene.standIn.records(of: "stream") + successor.records(of: "stream"))
        #expect(kept.map { String(decoding: $0.dropLast(), as: UTF8.self) } == AgentScene.lines(1...20))
        #expect(successor.requests.first?.headers["host"] == "firehose.test:\(scene.standIn.port)")
    }

    @Test func `an endpoint of IPv6 is shipped to, and its host is signed as it is written`() async throws {
        let scene = try AgentScene(standIn: try FirehoseStandIn(at: "::1"))
        try scene.append(1...10)
        let agent = try scene.start()
        try await scene.waitForRecords(10, from: agent)
        #expect(try await agent.stop() == .code(0))
        #expect(scene.deliveredLines == AgentScene.lines(1...10))
        let request = try #require(scene.standIn.requests.first)
        #expect(request.headers["host"] == "[::1]:\(scene.standIn.port)")
        #expect(request.headers["authorization"]?.contains("SignedHeaders=content-type;host;x-amz-date;") == true)
        #expect(!agent.log.contains("unencrypted"))
    }
}
