import Glibc
import Platform
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct CommandTests {
    private func run(
        _ arguments: String...,
        limit: Int = 1 << 20,
        timeout: Duration = .seconds(50)
    ) throws(CommandError) -> String {
        String(decoding: try output(ofCommand: arguments, limit: limit, timeout: timeout), as: UTF8.self)
    }

    @Test func `what a command writes is given, with its arguments as they are`() throws {
        #expect(try run("printf", "%s|", "a b", "", "$HOME", "ä") == "a b||$HOME|ä|")
        #expect(try run("true") == "")
    }

    @Test func `there is nothing to read, and no descriptor of ours`() throws {
        #expect(try run("cat") == "")
        let open = try run("sh", "-c", "ls /proc/self/fd").split(separator: "\n").compactMap { Int($0) }
        // The last one is the directory that is listed.
        #expect(open.filter { $0 <= 3 } == [0, 1, 2, 3])
    }

    @Test(arguments: [("exit 7", 7), ("kill -TERM $$", 143), ("kill -KILL $$", 137)])
    func `a command that fails is told with its code`(script: String, code: Int) {
        #expect(throws: CommandError.failed(code: code)) { try run("sh", "-c", script) }
    }

    @Test func `a command that is not there is told`() {
        #expect(throws: CommandError.unstartable(.noSuchFile)) { try run("/nowhere/command") }
    }

    @Test func `a command that writes without end is ended`() {
        #expect(throws: CommandError.tooMuchOutput(limit: 1000)) { try run("yes", limit: 1000) }
        #expect(throws: Never.self) { try run("head", "-c", "1000", "/dev/zero", limit: 1000) }
    }

    @Test(arguments: ["sleep 1000", "exec >&-; sleep 1000"])
    func `a command that does not end is ended, with all that it has started`(script: String) async throws {
        let directory = try TemporaryDirectory()
        let file = directory.path("child")
        #expect(throws: CommandError.timedOut(.seconds(2))) {
            try run("sh", "-c", "sleep 1000 & echo $! > '\(file)'; \(script)", timeout: .seconds(2))
        }
        let child = try #require(pid_t(String(decoding: directory.contents(of: "child"), as: UTF8.self).dropLast()))
        try await waitUntil("its child is gone, or nothing but its name is left") {
            guard kill(child, 0) == 0 else { return true }
            return (try? readFile(path: "/proc/\(child)/cmdline", limit: 1000).isEmpty) ?? true
        }
    }
}
