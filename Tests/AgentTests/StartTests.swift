import Foundation
import SQLite
import TestSupport
import Testing

/// Starts that cannot succeed: exit code 1, the reason in one line, and nothing changed.
@Suite(.timeLimit(.minutes(2))) struct StartTests {
    /// Starts an agent that ends by itself.
    ///
    /// - Returns: what it says about that.
    private func reason(_ scene: AgentScene, wrapper: [String] = [], code: Int32 = 1) async throws -> String {
        let agent = try scene.start(wrapper: wrapper)
        #expect(try await agent.exit() == .code(code))
        let errors = agent.log.split(separator: "\n").filter { $0.contains(" ERROR ") }
        #expect(errors.count == 1, "\(agent.log)")
        #expect(scene.standIn.requests.isEmpty)
        return errors.first.map { String($0.split(separator: " ERROR ").last ?? "") } ?? ""
    }

    /// Whether a program can be started that obeys permissions; what root may otherwise do takes no part then.
    private static let unprivileged: [String]? = {
        guard geteuid() == 0 else { return [] }
        let wrapper = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"]
        let trial = try? Program(agent: ["--version"], environment: [:], wrapper: wrapper)
        while let trial, trial.hasEnded == nil { usleep(1_000) }
        return trial?.hasEnded == .code(0) ? wrapper : nil
    }()

    @Test(
        .enabled(if: unprivileged != nil, "root obeys permissions only with setpriv"),
        arguments: ["state", "new/state"]
    )
    func `a state directory that may not be made is named`(name: String) async throws {
        let scene = try AgentScene()
        let closed = scene.directory.path("closed")
        try FileManager.default.createDirectory(
            atPath: closed,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o500]
        )
        scene.agentKeys["stateDirectory"] = closed + "/" + name
        let reason = try await reason(scene, wrapper: try #require(Self.unprivileged))
        #expect(reason.hasPrefix("agent: cannot use \(closed)/\(name): "))
        #expect(reason.contains("Permission denied; check its owner and permissions"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: closed).isEmpty)
    }

    @Test(.enabled(if: unprivileged != nil, "root obeys permissions only with setpriv"))
    func `a state directory that may not be written to is named`() async throws {
        let scene = try AgentScene()
        let state = scene.directory.path("state")
        try FileManager.default.createDirectory(
            atPath: state,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o500]
        )
        let reason = try await reason(scene, wrapper: try #require(Self.unprivileged))
        #expect(reason.hasPrefix("agent: cannot use \(state)/firetail.lock: Permission denied"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: state).isEmpty)
    }

    @Test func `a state directory that is a file is named, and the file stays`() async throws {
        let scene = try AgentScene()
        try scene.directory.append("precious", to: "state")
        let reason = try await reason(scene)
        #expect(reason.hasPrefix("agent: cannot use \(scene.directory.path("state")): "))
        #expect(try scene.directory.contents(of: "state") == Array("precious".utf8))
    }

    @Test func `a second agent on a state directory is told who the first one is`() async throws {
        let scene = try AgentScene()
        let first = try scene.start()
        try await first.waitForLog("started")
        scene.agentKeys["shutdownTimeoutMillis"] = 300
        let reason = try await reason(scene, code: 75)
        let state = scene.directory.path("state")
        #expect(reason.hasPrefix("agent: the state directory \(state) is in use by process \(first.processID); stop"))
        try scene.append(1...10)
        try await scene.waitForRecords(10, from: first)
        #expect(try await first.stop() == .code(0))
    }

    @Test func `a database that is not one is left untouched`() async throws {
        let scene = try AgentScene()
        try makeState(scene)
        try scene.directory.append("my notes, not a database", to: "state/cache.db")
        let reason = try await reason(scene)
        #expect(reason.contains("state/cache.db is not a cache of firetail (it is not a SQLite database)"))
        #expect(try scene.directory.contents(of: "state/cache.db") == Array("my notes, not a database".utf8))
    }

    @Test func `the database of another program is left untouched`() async throws {
        let scene = try AgentScene()
        try makeState(scene)
        try Database(path: scene.directory.path("state/cache.db")).execute("CREATE TABLE theirs (a)")
        let before = try scene.directory.contents(of: "state/cache.db")
        let reason = try await reason(scene)
        #expect(reason.contains("state/cache.db is not a cache of firetail (it is the database of another program)"))
        #expect(try scene.directory.contents(of: "state/cache.db") == before)
    }

    @Test func `the cache of a newer version is left untouched`() async throws {
        let scene = try await sceneWithCache()
        try Database(path: scene.directory.path("state/cache.db")).execute("PRAGMA user_version = 9000")
        let before = try scene.directory.contents(of: "state/cache.db")
        let reason = try await reason(scene)
        #expect(reason.contains("state/cache.db has schema version 9000, and this firetail knows up to "))
        #expect(try scene.directory.contents(of: "state/cache.db") == before)
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting a small file system takes root"), arguments: ["state", "a/b/c"])
    func `a full disk is named, and nothing is left behind`(name: String) async throws {
        let disk = try SmallDisk(megabytes: 1)
        try disk.fill()
        let scene = try AgentScene()
        scene.agentKeys["stateDirectory"] = disk.directory.path(name)
        let reason = try await reason(scene)
        #expect(reason.hasPrefix("agent: no room is left on the disk of \(disk.directory.path(name))"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.directory.path) == ["ballast"])
    }

    private func makeState(_ scene: AgentScene) throws {
        let state = scene.directory.path("state")
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: false)
    }

    /// A scene whose state directory has the cache of an agent that was stopped in good order.
    private func sceneWithCache() async throws -> AgentScene {
        let scene = try AgentScene()
        let agent = try scene.start()
        try await agent.waitForLog("started")
        #expect(try await agent.stop() == .code(0))
        return scene
    }
}
