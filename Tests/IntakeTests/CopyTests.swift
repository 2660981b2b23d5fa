import Foundation
import Records
import Tailing
import TestSupport
import Testing

/// Copies of logs, as `copytruncate` makes them.
@Suite(.timeLimit(.minutes(1))) struct CopyTests {
    let bench: Bench
    var directory: TemporaryDirectory { bench.directory }

    init() throws { bench = try Bench() }

    /// Has a log and an older generation of it, which is closed, both read: 40 lines.
    private func startWithTwoGenerations() async throws {
        try await bench.start(bench.flow("a.log"))
        try directory.append(text("first"), to: "a.log")
        try await bench.lines(20)
        try directory.rename("a.log", to: "a.log.1")
        try directory.append(text("second"), to: "a.log")
        try await bench.lines(40)
        try await waitUntil("the older one is closed") { !directory.openFiles.contains("a.log.1") }
    }

    /// Has reading wait at a line until the store goes on.
    private func holdUp() async throws {
        bench.store.change { $0.isBlocked = true }
        try directory.append(text("held up", 1), to: "a.log")
        try await waitUntil("the store waits") { bench.store.now.waiting == 1 }
    }

    /// Has a log copied to `a.log.2` and truncated while a line and a generation of it wait to be read, with more after it.
    private func copyAndTruncate(_ beforeCopying: () throws -> Void) async throws {
        try await holdUp()
        try directory.append(text("third"), to: "a.log")
        try beforeCopying()
        try copyLog(to: "a.log.2")
        try directory.truncate("a.log")
        bench.store.change { $0.isBlocked = false }
        try directory.append(text("fourth"), to: "a.log")
    }

    /// Waits until so many different lines have come, and nothing else.
    private func expect(_ count: Int) async throws {
        try await bench.lines(count)
        try await waitUntil("nothing is left") { try bench.intake.currentStatistics.behind.bytes == 0 }
        try await bench.stop()
        let lines = bench.store.lines(of: .logs)
        #expect(Set(lines).count == count && lines.count == count)
    }

    /// Writes a log's content to another file, over what that holds.
    private func copyLog(_ log: String = "a.log", to name: String) throws {
        try directory.append("", to: name)
        try directory.overwrite(name, with: String(decoding: directory.contents(of: log), as: UTF8.self))
    }

    @Test(arguments: ["a.log", "a.log*"], [true, false])
    func `copies are not read again, whether they match or not, and over whatever they are written`(
        pattern: String,
        isOneName: Bool
    ) async throws {
        try await bench.start(bench.flow(pattern))
        var bytes = 0
        for round in 1...4 {
            try directory.append(text("\(round)"), to: "a.log")
            bytes += text("\(round)").utf8.count
            try await bench.settle(at: bytes)
            try copyLog(to: isOneName ? "a.log.1" : "a.log.\(round)")
            try directory.truncate("a.log")
        }
        try directory.append(text("end"), to: "a.log")
        try await bench.settle(at: bytes + text("end").utf8.count)
        try await bench.stop()
        #expect(bench.store.lines(of: .logs).count == 100)
    }

    @Test func `what a copy that matches has more than was read of its log is read from there`() async throws {
        try await bench.start(bench.flow("a.log*"))
        try directory.append(text("first"), to: "a.log")
        try await bench.lines(20)
        try await holdUp()
        try directory.append(text("second"), to: "a.log")
        try copyLog(to: "a.log.1")
        try directory.overwrite("a.log", with: text("third", 3))
        bench.store.change { $0.isBlocked = false }
        try await expect(44)
        #expect(try bench.lastStatistics.lostBytes == 0)
    }

    @Test func `a copy that got the inode of an older generation continues its log`() async throws {
        try await startWithTwoGenerations()
        try await copyAndTruncate {
            // A second name, and the loss of the first one, look like an inode that is used again.
            try directory.hardLink("a.log.2", to: "a.log.1")
            try directory.unlink("a.log.1")
        }
        try await expect(81)
    }

    @Test func `a copy that is written over an older one is known before its turn has come`() async throws {
        bench.changePolicy { $0.harvestBytes = 1 }
        try await bench.start(bench.flow("*.log*"))
        // Which of two files that have news is read first is chance.
        for round in 1...8 {
            let (log, other) = ("\(round).log", "other-\(round).log")
            let count = (round - 1) * 661
            try directory.append(text("first of \(round)"), to: log)
            try await bench.lines(count + 20)
            try copyLog(log, to: log + ".1")
            try directory.truncate(log)
            try directory.append(text("second of \(round)"), to: log)
            try await bench.lines(count + 40)
            bench.store.change { $0.isBlocked = true }
            try directory.append(text("held up \(round)", 1), to: other)
            try await waitUntil("the store waits") { bench.store.now.waiting == 1 }
            // More than a chunk, which is stored before it is the next file's turn.
            try directory.append(text("other of \(round)", 600), to: other)
            try directory.append(text("third of \(round)"), to: log)
            let harvests = bench.store.now.harvests
            bench.store.change { $0.admitted = 1 }
            try await waitUntil("it waits again") {
                bench.store.now.harvests > harvests && bench.store.now.waiting == 1
            }
            try copyLog(log, to: log + ".1")
            try directory.truncate(log)
            bench.store.change { $0.isBlocked = false }
            try await bench.lines(count + 661)
        }
        try await expect(8 * 661)
    }

    @Test func `a copy of the same size as the one before is as new as any other`() async throws {
        bench.changePolicy { $0.quiet = .seconds(1) }
        try await bench.start(bench.flow("a.log"))
        for (number, name) in ["one", "two", "six"].enumerated() {
            try directory.append(text(name), to: "a.log")
            try await bench.lines((number + 1) * 20)
            // It has not changed for as long as a copy is waited for.
            if number > 0 {
                try await waitUntil("the last copy is closed") { !directory.openFiles.contains("a.log.1") }
            }
            try copyLog(to: "a.log.1")
            try await waitUntil("the copy was looked at") {
                number == 0 || bench.count { if case .startedOver = $0 { true } else { false } } == 2 * number
            }
            try directory.truncate("a.log")
        }
        try await expect(60)
    }

    @Test func `a copy that was made while nobody looked is read from where its log was read to`() async throws {
        try await bench.start(bench.flow("a.log*"))
        try directory.append(text("first"), to: "a.log")
        try await bench.lines(20)
        try await bench.stop()
        try directory.append(text("second"), to: "a.log")
        try copyLog(to: "a.log.1")
        try directory.overwrite("a.log", with: text("third", 3))
        try await bench.start(bench.flow("a.log*"))
        try await bench.settle(at: text("second").utf8.count + text("third", 3).utf8.count)
        try await bench.stop()
        #expect(bench.store.lines(of: .logs).count == 43)
    }

    /// Fills the stream, so that nothing more is read, and has a log that nobody has read anything of: 22 lines.
    private func startUnread(_ pattern: String) async throws {
        try await bench.start(bench.flow("full.log"), bench.flow(pattern))
        try directory.append("0\n", to: "full.log")
        try await bench.lines(1)
        bench.store.change { $0.full = [.logs] }
        // With this the intake learns that the stream is full.
        try directory.append("1\n", to: "full.log")
        try await bench.lines(2)
        try directory.append(text("first"), to: "a.log")
        try await isSeen("first")
    }

    /// Waits until the intake knows that the log has these lines, and more that are not read.
    private func isSeen(_ generations: String...) async throws {
        let bytes = generations.reduce(0) { $0 + text($1).utf8.count }
        try await waitUntil("\(generations) are seen") { try bench.intake.currentStatistics.behind.bytes == bytes }
    }

    @Test func `a crash comes never between the new beginning of a log and the copy of the old one`() async throws {
        bench.changePolicy { $0.harvestBytes = 1 }
        try await bench.start(bench.flow("*.log"))
        try directory.append(text("first"), to: "a.log")
        try await bench.lines(20)
        try await holdUp()
        try directory.append(text("second"), to: "a.log")
        try copyLog(to: "a.log.1")
        try directory.overwrite("a.log", with: text("third"))
        // What is read of others is stored before it is the log's turn, and after it.
        for other in 1...9 { try directory.append(text("other \(other)", 1), to: "\(other).log") }
        while try (bench.checkpoint(of: "a.log")?.offset ?? 0) > 0 {
            let harvests = bench.store.now.harvests
            bench.store.change { $0.admitted = 1 }
            try await waitUntil("the next harvest waits") {
                bench.store.now.harvests > harvests && bench.store.now.waiting == 1
            }
        }
        await bench.crash()
        bench.store.change { $0.isBlocked = false }
        try await bench.start(bench.flow("*.log"))
        try await expect(70)
    }

    @Test(arguments: ["a.log", "a.log*"]) func `what nobody had read is read from the copy`(pattern: String)
        async throws
    {
        try await startUnread(pattern)
        try copyLog(to: "a.log.1")
        try directory.truncate("a.log")
        try await bench.waitForEvent("it is rewritten") { if case .startedOver = $0 { true } else { false } }
        try directory.append(text("second"), to: "a.log")
        try await isSeen("first", "second")
        try copyLog(to: "a.log.2")
        // No look comes between this and what is written then.
        try directory.overwrite("a.log", with: text("third"))
        try await isSeen("first", "second", "third")
        bench.makeRoom()
        try await expect(62)
        #expect(try bench.lastStatistics.lostBytes == 0)
    }

    @Test(arguments: [true, false]) func `what nobody had read is read from the copy by the next run`(
        isCrash: Bool
    ) async throws {
        try await startUnread("a.log")
        try await waitUntil("the store knows how it begins") {
            try bench.checkpoint(of: "a.log")?.head.length == Fingerprint.proofBytes
        }
        if isCrash { await bench.crash() } else { try await bench.stop() }
        try copyLog(to: "a.log.1")
        try directory.overwrite("a.log", with: text("second", 30))
        bench.store.change { $0.full = [] }
        try await bench.start(bench.flow("full.log"), bench.flow("a.log"))
        try await expect(52)
    }

    @Test func `what was lost before anybody read it is counted`() async throws {
        try await startUnread("a.log")
        try directory.truncate("a.log")
        try await waitUntil("it is counted") {
            try bench.intake.currentStatistics.lostBytes == text("first").utf8.count
        }
        try directory.append(text("second"), to: "a.log")
        bench.makeRoom()
        try await expect(22)
    }

    /// A hole may be filled later; that is no other content.
    @Test func `a hole that is filled before it is read makes no other file of one`() async throws {
        try await startUnread("*.log")
        try directory.append("known\n" + String(repeating: "\0", count: 600), to: "b.log")
        try await waitUntil("it is seen") {
            try bench.intake.currentStatistics.behind.bytes == text("first").utf8.count + 606
        }
        try directory.overwrite("filled\n", in: "b.log", at: 6)
        bench.makeRoom()
        try await bench.lines(24)
        #expect(bench.count { if case .startedOver = $0 { true } else { false } } == 0)
        try await bench.stop()
    }

    @Test func `a generation with the inode of a copied log keeps an offset of its own`() async throws {
        try await bench.start(bench.flow("a.log"))
        try directory.append(text("first"), to: "a.log")
        try await bench.lines(20)
        try await bench.stop()
        try copyLog(to: "a.log.1")
        try directory.overwrite("a.log", with: text("second"))
        try directory.rename("a.log", to: "a.log.2")
        try await bench.start(bench.flow("a.log"))
        try await bench.lines(40)
        await bench.crash()
        try await bench.start(bench.flow("a.log"))
        try await waitUntil("it has looked around") {
            bench.count { if case .ready = $0 { true } else { false } } == 3
        }
        try await expect(40)
    }

    @Test func `a copy that got the inode of a file that is gone continues its log`() async throws {
        bench.changePolicy { $0.pollInterval = .seconds(3_600) }
        try await startWithTwoGenerations()
        try directory.unlink("a.log.1")
        // Events come in order: once this is read, it is known that the file is gone.
        try directory.append(text("probe", 1), to: "a.log")
        try await bench.lines(41)
        // Most file systems give the inode to the next file that is made.
        try await copyAndTruncate {}
        try await expect(82)
    }

    @Test(arguments: ["second name", "used again"])
    func `a copy that got the inode of a closed file, not known to be gone, continues its log`(inode: String)
        async throws
    {
        bench.changePolicy { $0.maxOpenFiles = 1 }
        try await bench.start(bench.flow("*.log"))
        try directory.append(text("other"), to: "b.log")
        try await bench.lines(20)
        try directory.append(text("first"), to: "a.log")
        try await bench.lines(40)
        try await waitUntil("the other is closed") { !directory.openFiles.contains("b.log") }
        // It is the log's turn first when there is room again.
        bench.store.change { $0.full = [.logs] }
        try directory.append(text("second", 1), to: "a.log")
        try await bench.lines(41)
        try directory.append(text("third"), to: "a.log")
        try await isSeen("third")
        // Most file systems give the inode to the next file that is made.
        if inode == "second name" { try directory.hardLink("a.log.1", to: "b.log") }
        try directory.unlink("b.log")
        try copyLog(to: "a.log.1")
        try directory.overwrite("a.log", with: text("fourth"))
        bench.makeRoom()
        try await expect(81)
        #expect(try bench.lastStatistics.lostBytes == 0)
    }

    @Test func `a log whose inode became that of another one is found in its copy`() async throws {
        bench.changePolicy { $0.maxOpenFiles = 1 }
        try await bench.start(bench.flow("*.log"))
        try directory.append(text("first"), to: "a.log")
        try await bench.lines(20)
        try directory.append(text("other"), to: "b.log")
        try await bench.lines(40)
        try await waitUntil("it is closed") { !directory.openFiles.contains("a.log") }
        bench.store.change { $0.full = [.logs] }
        try directory.append(text("second", 1), to: "b.log")
        try await bench.lines(41)
        try directory.append(text("third"), to: "a.log")
        try copyLog(to: "a.log.1")
        try directory.truncate("a.log")
        // A second name, and the loss of the first one, look like an inode that is used again.
        try directory.hardLink("c.log", to: "a.log")
        try directory.unlink("a.log")
        try directory.append(text("fourth"), to: "c.log")
        bench.makeRoom()
        try await expect(81)
    }

    @Test func `a copy that got the inode of a file that is given up is known after a crash`() async throws {
        try await bench.start(bench.flow("*.log"))
        try directory.append(text("first"), to: "a.log")
        try directory.append(text("other"), to: "b.log")
        try await bench.lines(40)
        try await bench.stop()
        try directory.append(text("second"), to: "a.log")
        // A second name, and the loss of the first one, look like an inode that is used again.
        try directory.hardLink("a.log.1", to: "b.log")
        try directory.unlink("b.log")
        try copyLog(to: "a.log.1")
        try directory.overwrite("a.log", with: text("third"))
        try directory.rename("a.log", to: "a.log.2")
        bench.store.change { $0.full = [.logs] }
        let harvests = bench.store.now.harvests
        try await bench.start(bench.flow("*.log"))
        try await waitUntil("what was found is stored") { bench.store.now.harvests > harvests }
        await bench.crash()
        bench.makeRoom()
        try await bench.start(bench.flow("*.log"))
        try await expect(80)
    }

    @Test func `a generation that got the inode of an older one and was rotated unseen is read`() async throws {
        try await bench.start(bench.flow("a.log"))
        try directory.append(text("first"), to: "a.log")
        try await bench.lines(20)
        try directory.rename("a.log", to: "a.log.1")
        try directory.append(text("second", 1), to: "a.log")
        try await bench.lines(21)
        try await waitUntil("the older one is closed") { !directory.openFiles.contains("a.log.1") }
        try directory.hardLink("a.log.2", to: "a.log.1")
        try directory.unlink("a.log.1")
        try directory.overwrite("a.log.2", with: text("third"))
        #expect(try await bench.lines(41).count == 41)
        try await bench.stop()
    }

    /// What is no `copytruncate` may be two logs with the same lines.
    @Test func `a file that holds the same as a log that stays is a log, too`() async throws {
        try await bench.start(bench.flow("*.log"))
        for round in 1...3 {
            try directory.append(text("\(round)"), to: "a.log")
            try await bench.lines(round * 40 - 20)
            try directory.append(text("\(round)"), to: "a-1.log")
            try await bench.lines(round * 40)
        }
        try await bench.stop()
    }
}
