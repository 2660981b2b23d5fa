import Foundation
import Platform
import Tailing
import TestSupport
import Testing

/// Generations and copies of which no event told, and deleted files for which there is no room.
@Suite(.timeLimit(.minutes(1))) struct GenerationTests {
    let bench: Bench
    var directory: TemporaryDirectory { bench.directory }

    init() throws { bench = try Bench() }

    private func isLost(_ path: String) -> Bool {
        bench.count { if case .lost(let lost, _, _) = $0 { lost.hasSuffix(path) } else { false } } > 0
    }

    @Test func `older generations are read to their end before younger ones`() async throws {
        bench.changePolicy { $0.turnBytes = 64 }
        try await bench.start(bench.flow("a.log"))
        try directory.append(text("first", 1), to: "a.log")
        try await bench.lines(1)
        try await bench.stop()
        try directory.append(text("second"), to: "a.log")
        try directory.rename("a.log", to: "a.log.2")
        // The clock of the file system ticks every few milliseconds.
        usleep(20_000)
        try directory.append(text("third"), to: "a.log.1")
        usleep(20_000)
        try directory.append(text("fourth"), to: "a.log")
        try await bench.start(bench.flow("a.log"))
        try await bench.lines(61)
        #expect(
            bench.store.records(of: .logs).joined()
                == ["second", "third", "fourth"].reduce(text("first", 1)) { $0 + text($1) }
        )
        try await bench.stop()
    }

    @Test func `a generation that a slow run did not look at is found, although it stored something later`()
        async throws
    {
        try await bench.start(bench.flow("a.log", joinedBytes: 10_000))
        try directory.append(text("first", 1), to: "a.log")
        try await bench.settle(at: text("first", 1).utf8.count)
        try await bench.stop()
        try directory.append(text("second", 1), to: "a.log")
        try directory.rename("a.log", to: "a.log.1")
        usleep(20_000)
        try directory.append(text("unseen"), to: "a.log")
        try directory.rename("a.log", to: "a.log.2")
        usleep(50_000)
        // As if the run had still stored the lines of another file before it was killed.
        bench.store.change { $0.lastStored = .milliseconds(WallClock.milliseconds) }
        try await bench.start(bench.flow("a.log"))
        #expect(try await bench.lines(22).count == 22)
        try await bench.stop()
    }

    @Test func `generations of a log that nobody knew are found, but no copy of it`() async throws {
        try await bench.start(bench.flow("*.log"))
        try directory.append(text("first", 1), to: "a.log")
        try await bench.lines(1)
        try await bench.stop()
        usleep(50_000)
        for name in ["second", "third"] {
            try directory.append(text(name), to: "new.log")
            try directory.rename("new.log", to: "new.log.\(name == "second" ? 2 : 1)")
            usleep(20_000)
        }
        try directory.append(text("fourth"), to: "new.log")
        try FileManager.default.copyItem(atPath: directory.path("new.log"), toPath: directory.path("new.log.old"))
        try directory.append("more\n", to: "new.log")
        try await bench.start(bench.flow("*.log"))
        try await bench.lines(62)
        for name in ["a.log", "new.log", "new.log.1", "new.log.2"] { try directory.unlink(name) }
        try await bench.expectNoTraces()
        try await bench.stop()
        let expected = text("first", 1) + ["second", "third", "fourth"].map { text($0) }.joined() + "more\n"
        #expect(bench.store.records(of: .logs).joined() == expected)
    }

    @Test(arguments: [["a.log.1", "a.log.2"], ["a-20260101.log"], ["old/a-20260101.log", "old/a.log.old"]])
    func `a generation of which nothing was read is found under the next name that rotation gives it`(
        names: [String]
    ) async throws {
        try directory.makeDirectory("old")
        try await bench.start(bench.flow("a.log"))
        try directory.append(text("first", 1), to: "a.log")
        try await bench.lines(1)
        bench.store.change { $0.full = [.logs] }
        try directory.append(text("second", 1), to: "a.log")
        try await bench.lines(2)
        try FileManager.default.removeItem(atPath: directory.path("a.log"))
        try directory.append(text("waiting"), to: "a.log")
        var name = "a.log"
        for next in names {
            try await waitUntil("\(name) is known") {
                try bench.checkpoint(of: name)?.path == directory.path(name)
            }
            try await bench.stop()
            try directory.rename(name, to: next)
            name = next
            // It is older than what was stored last, so that nobody looks for it by its age.
            usleep(50_000)
            bench.store.change { $0.lastStored = .milliseconds(WallClock.milliseconds) }
            try await bench.start(bench.flow("a.log"))
        }
        bench.makeRoom()
        #expect(try await bench.lines(22).count == 22)
        try await bench.stop()
    }

    @Test func `generations between two polls are found`() async throws {
        try await bench.start([bench.flow("a.log")], watcher: FileWatcher(inotify: nil))
        for round in 1...10 {
            try directory.append(text("\(round).1"), to: "a.log")
            try await bench.lines(round * 60 - 40)
            try directory.rename("a.log", to: "a.log.\(round)-1")
            try directory.append(text("\(round).2"), to: "a.log")
            try directory.rename("a.log", to: "a.log.\(round)-2")
            try directory.append(text("\(round).3"), to: "a.log")
            try await bench.lines(round * 60)
        }
        try await bench.stop()
        #expect(Set(bench.store.lines(of: .logs)).count == 600)
    }

    @Test func `what was not read of a truncated file is read from its copy, while it runs too`() async throws {
        try await bench.start(bench.flow("a.log"))
        try directory.append(text("first"), to: "a.log")
        try await bench.lines(20)
        bench.store.change { $0.isBlocked = true }
        try directory.append(text("held up", 1), to: "a.log")
        try await waitUntil("the store waits") { bench.store.now.waiting == 1 }
        try directory.append(text("second"), to: "a.log")
        try FileManager.default.copyItem(atPath: directory.path("a.log"), toPath: directory.path("a.log.1"))
        try directory.overwrite("a.log", with: text("third", 3))
        bench.store.change { $0.isBlocked = false }
        try await bench.lines(44)
        try await bench.stop()
        let expected = ["first", "second"].map { text($0) }.joined() + text("held up", 1) + text("third", 3)
        #expect(bench.store.lines(of: .logs).sorted() == expected.split(separator: "\n").map(String.init).sorted())
        #expect(try bench.lastStatistics.lostBytes == 0)
    }

    @Test func `a closed file whose content is only in a compressed one is read from there`() async throws {
        bench.changePolicy { policy in
            policy.maxOpenFiles = 0
            policy.spoolDirectory = Path(directory.path)
            policy.scanInterval = .milliseconds(50)
        }
        try await bench.start(bench.flow("a.log"))
        try directory.append(text("first"), to: "a.log")
        try await bench.lines(20)
        bench.store.change { $0.full = [.logs] }
        try directory.append(text("second"), to: "a.log")
        try await bench.lines(40)
        try directory.append(text("third"), to: "a.log")
        try directory.rename("a.log", to: "a.log.1")
        #expect(system("gzip '\(directory.path("a.log.1"))'") == 0)
        bench.makeRoom()
        try await bench.lines(60)
        try await bench.stop()
        #expect(Set(bench.store.lines(of: .logs)).count == 60)
        #expect(!isLost("a.log"))
    }

    @Test(arguments: [true, false])
    func `deleted files are held within limits, and the oldest is given up first`(isTooMuch: Bool) async throws {
        bench.changePolicy { policy in
            policy.scanInterval = .milliseconds(50)
            if isTooMuch { policy.deletedFilesMaxBytes = 2_000 } else { policy.deletedFilesMaxAge = .zero }
        }
        try await bench.start(bench.flow("*.log"))
        try directory.append("known\n", to: "0.log")
        try await bench.lines(1)
        bench.store.change { $0.full = [.logs] }
        try directory.append("the last that there is room for\n", to: "0.log")
        try await bench.lines(2)
        for name in ["a", "b", "c"] {
            try directory.append(text(name, 50), to: "\(name).log")

            try await bench.waitForScans(try bench.intake.currentStatistics.scans + 2)
            try directory.unlink("\(name).log")
            try await bench.waitForScans(try bench.intake.currentStatistics.scans + 2)
        }
        bench.makeRoom()
        try await bench.lines(isTooMuch ? 52 : 2)
        try await bench.stop()
        let lines = bench.store.lines(of: .logs).dropFirst(2)
        #expect(lines.allSatisfy { $0.hasPrefix("c,") } && lines.count == (isTooMuch ? 50 : 0))
        let given = bench.count { if case .givenUp = $0 { true } else { false } }
        #expect(given == (isTooMuch ? 2 : 3))
        #expect(try bench.lastStatistics.lostBytes == text("a", 50).utf8.count * given)
        #expect(bench.store.now.checkpoints.count <= 2)
    }

    @Test func `an old file is read from its end, and a young one from its start`() async throws {
        try directory.append(text("old"), to: "old.log")
        try directory.append(text("young", 5), to: "young.log")
        #expect(system("touch -d '1 hour ago' '\(directory.path("old.log"))'") == 0)
        var flow = try bench.flow("*.log", fromStart: true)
        flow.ignoreOlder = .seconds(600)
        try await bench.start(flow)
        try await bench.lines(5)
        try directory.append(text("added", 2), to: "old.log")
        try await bench.lines(7)
        try await bench.stop()
        #expect(bench.store.records(of: .logs).joined() == text("young", 5) + text("added", 2))
    }
}
