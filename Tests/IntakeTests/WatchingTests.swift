import Foundation
import Tailing
import TestSupport
import Testing

@testable import Intake

/// How files and directories are noticed, with events and without.
@Suite(.serialized, .timeLimit(.minutes(1))) struct WatchingTests {
    let bench: Bench
    let directory: TemporaryDirectory

    init() throws {
        bench = try Bench()
        directory = bench.directory
    }

    private func isPolling(_ event: IntakeEvent) -> Bool { if case .polling = event { true } else { false } }

    // MARK: Directories

    @Test func `directories may come later, one by one or many at once`() async throws {
        try await bench.start(bench.flow("x/y/*/app*.log"))
        try directory.makeDirectory("x")
        try directory.makeDirectory("x/y/1")
        try directory.append("1\n", to: "x/y/1/app.log")
        try await bench.lines(1)
        try directory.makeDirectory("x/y/2")
        try directory.append("2\n", to: "x/y/2/app.log")
        try directory.append("not\n", to: "x/y/2/other.log")
        #expect(try await bench.lines(2) == ["1", "2"])
        try await bench.stop()
    }

    @Test func `a tree is watched to all depths as it grows`() async throws {
        try await bench.start(bench.flow("**/*.log"))
        var expected: [String] = []
        var path = ""
        for depth in 0..<6 {
            path += "d\(depth)/"
            try directory.makeDirectory(path)
            for name in ["a", "b"] {
                expected.append("\(depth)\(name)")
                try directory.append(expected.last! + "\n", to: path + name + ".log")
            }
            try await bench.lines(expected.count)
        }
        #expect(bench.store.lines(of: .logs).sorted() == expected.sorted())
        try await bench.stop()
    }

    @Test(arguments: ["*.log", "sub/*.log", "**/*.log"])
    func `a directory that is deleted and made again is watched again`(names: String) async throws {
        try directory.makeDirectory("d/sub")
        try await bench.start(bench.flow("d/" + names))
        let name = names.hasPrefix("sub") ? "d/sub/a.log" : "d/a.log"
        for round in 0..<5 {
            try directory.makeDirectory("d/sub")
            try directory.append("\(round)\n", to: name)
            #expect(try await bench.lines(round + 1).last == "\(round)")
            try directory.remove("d")
        }
        try await bench.stop()
    }

    @Test func `a renamed directory and what is made in it is followed under its new name`() async throws {
        try directory.makeDirectory("d/sub")
        try await bench.start(bench.flow("*/**/*.log"))
        try directory.append("1\n", to: "d/sub/a.log")
        try await bench.lines(1)
        try directory.rename("d", to: "e")
        try directory.append("2\n", to: "e/sub/a.log")
        try directory.append("3\n", to: "e/sub/b.log")
        #expect(try await bench.lines(3).sorted() == ["1", "2", "3"])
        try directory.makeDirectory("d/sub")
        try directory.append("4\n", to: "d/sub/a.log")
        #expect(try await bench.lines(4).last == "4")
        try await bench.stop()
    }

    @Test func `two flows that come to a directory by different names both hear of it`() async throws {
        try directory.makeDirectory("real")
        try directory.link("l", to: directory.path("real"))
        try await bench.start(bench.flow("real/a*"), bench.flow("l/b*", to: .others))
        try directory.append("1\n", to: "real/a")
        try directory.append("2\n", to: "real/b")
        #expect(try await bench.lines(1) == ["1"])
        #expect(try await bench.lines(1, of: .others) == ["2"])
        try await bench.stop()
    }

    // MARK: What is no file, or closed

    @Test func `what is no file is reported once, and again if it comes again`() async throws {
        bench.changePolicy { $0.scanInterval = .milliseconds(20) }
        try directory.makeDirectory("d.log")
        try await bench.start(bench.flow("*.log"))
        func skipped() -> Int { bench.count { if case .skipped(_, .directory) = $0 { true } else { false } } }
        try directory.append("1\n", to: "a.log")
        try await bench.lines(1)
        #expect(skipped() == 1)
        try directory.remove("d.log")
        try directory.append("2\n", to: "a.log")
        try await bench.lines(2)
        // A scan sees that it is gone.
        _ = try await bench.wakeUps(in: 2)
        try directory.makeDirectory("d.log")
        try await waitUntil("it is reported again") { skipped() == 2 }
        try await bench.stop()
    }

    @Test(.enabled(if: geteuid() != 0, "root may read everything"), arguments: [true, false])
    func `a file that nobody may read is reported once, and taken up when one may`(first: Bool) async throws {
        if !first { try await bench.start(bench.flow("*.log")) }
        try directory.append("old\n", to: "a.log")
        if !first { try await bench.lines(1) }
        try await bench.stop()
        try directory.setMode("a.log", 0)
        bench.changePolicy { $0.scanInterval = .milliseconds(50) }
        try await bench.start(bench.flow("*.log"))
        try await bench.waitForScans(3)
        try await bench.stop()
        try await bench.start(bench.flow("*.log"))
        try directory.setMode("a.log", 0o644)
        try directory.append("new\n", to: "a.log")
        #expect(try await bench.lines(first ? 1 : 2) == (first ? ["new"] : ["old", "new"]))
        #expect(bench.count { if case .unreadable = $0 { true } else { false } } == 2)
        try await bench.stop()
    }

    @Test(.enabled(if: geteuid() != 0, "root may read everything"))
    func `files in a directory that is closed for a while do not end`() async throws {
        bench.changePolicy { $0.scanInterval = .milliseconds(20) }
        try directory.makeDirectory("d")
        try await bench.start(bench.flow("d/*.log"))
        try directory.append("1\nhalf", to: "d/a.log")
        try await bench.lines(1)
        try directory.setMode("d", 0)
        try await bench.waitForScans(5)
        try directory.setMode("d", 0o755)
        try directory.append(" and half\n", to: "d/a.log")
        #expect(try await bench.lines(2) == ["1", "half and half"])
        #expect(bench.count { if case .rotatedAway = $0 { true } else { false } } == 0)
        try await bench.stop()
    }

    // MARK: Without events

    @Test(arguments: [0, 1, 3]) func `what cannot be watched is polled, which is said once`(watches: Int) async throws {
        let watcher = watches == 0 ? FileWatcher(inotify: nil) : FileWatcher(maxWatches: watches)
        try await bench.start([bench.flow("**/*.log")], watcher: watcher)
        for round in 0..<3 {
            try directory.makeDirectory("\(round)")
            for file in 0..<4 { try directory.append("\(round)-\(file)\n", to: "\(round)/\(file).log") }
            try directory.append("more\n", to: "0/0.log")
            try await bench.lines((round + 1) * 5)
        }
        try directory.rename("0/0.log", to: "0/0.old")
        try directory.append("straggler\n", to: "0/0.old")
        #expect(try await bench.lines(16).last == "straggler")
        #expect(bench.count(isPolling) == 1)
        try await bench.stop()
    }

    @Test func `the safety scan finds what no event told of`() async throws {
        bench.changePolicy { $0.scanInterval = .milliseconds(20) }
        try directory.makeDirectory("real")
        try await bench.start(bench.flow("l.log"))
        try directory.link("l.log", to: directory.path("real/1"))
        // The link's target appears where nobody watches.
        try directory.append("1\n", to: "real/1")
        #expect(try await bench.lines(1) == ["1"])
        try await bench.stop()
    }

    @Test func `an idle intake wakes up for the safety scan and nothing else`() async throws {
        bench.changePolicy { $0.scanInterval = .milliseconds(30) }
        for file in 0..<20 { try directory.append("old\n", to: "\(file).log") }
        try await bench.start(bench.flow("*.log"))
        try directory.append("1\nhalf", to: "1.log")
        try await bench.lines(1)
        try await bench.waitForScans(3)
        #expect(try await bench.wakeUps(in: 5) <= 6)
        try await bench.stop()
    }
}
