import Foundation
import TestSupport
import Testing

@testable import Intake

/// What happens when streams or the store have no room.
@Suite(.serialized, .timeLimit(.minutes(1))) struct PressureTests {
    let bench: Bench
    let directory: TemporaryDirectory

    init() throws {
        bench = try Bench()
        directory = bench.directory
    }

    @Test func `a full stream has its files wait while others go on`() async throws {
        try await bench.start(bench.flow("a*.log"), bench.flow("b*.log", to: .others))
        try directory.append("0\n", to: "a.log")
        try await bench.lines(1)
        bench.store.change { $0.full = [.logs] }
        // With this the intake learns that the stream is full.
        try directory.append("1\n", to: "a.log")
        try await bench.lines(2)
        try directory.append("2\n", to: "a.log")
        try directory.append("new\n", to: "a2.log")
        for line in 1...5 {
            try directory.append("\(line)\n", to: "b.log")
            try await bench.lines(line, of: .others)
        }
        #expect(bench.store.lines(of: .logs) == ["0", "1"])
        bench.makeRoom()
        #expect(try await Set(bench.lines(4)) == ["0", "1", "2", "new"])
        try await bench.stop()
    }

    @Test(arguments: ["deleted", "moved out of sight"])
    func `what waits for room and has no name to be found by survives a reload`(how: String) async throws {
        bench.changePolicy { $0.maxOpenFiles = 1 }
        try directory.makeDirectory("x/y")
        try await bench.start(bench.flow("*.log"))
        try directory.append("0\n", to: "a.log")
        try await bench.lines(1)
        bench.store.change { $0.full = [.logs] }
        try directory.append("1\n", to: "a.log")
        try await bench.lines(2)
        try directory.append("2\nhalf", to: "a.log")
        if how == "deleted" { try directory.unlink("a.log") } else { try directory.rename("a.log", to: "x/y/a") }
        try await bench.waitForEvent("it is ending") { if case .rotatedAway = $0 { true } else { false } }
        try directory.append("", to: "b.log")
        for _ in 1...3 { try await bench.reload(bench.flow("*.log")) }
        bench.makeRoom()
        #expect(try await bench.lines(4) == ["0", "1", "2", "half"])
        try await bench.stop()
        #expect(directory.openFiles.isEmpty)
    }

    @Test func `an intake whose files all wait does not spin`() async throws {
        bench.changePolicy { $0.scanInterval = .milliseconds(100) }
        try await bench.start(bench.flow("*.log"))
        try directory.append("0\n", to: "a.log")
        try await bench.lines(1)
        bench.store.change { $0.full = [.logs] }
        try directory.append("1\nhalf", to: "a.log")
        try await bench.lines(2)
        try directory.append(" and more\n", to: "a.log")
        // It would be due as the last line, if it were not to be read first.
        try directory.rename("a.log", to: "a")
        try await bench.waitForEvent("it is ending") { if case .rotatedAway = $0 { true } else { false } }
        #expect(try await bench.wakeUps(in: 5) <= 6)
        bench.makeRoom()
        #expect(try await bench.lines(3) == ["0", "1", "half and more"])
        try await bench.stop()
    }

    @Test func `nothing is read while the store waits, and all of it afterwards`() async throws {
        try await bench.start(bench.flow("*.log"))
        bench.store.change { $0.isBlocked = true }
        try directory.append("1\n", to: "a.log")
        try await waitUntil("the store waits") { bench.store.now.waiting == 1 }
        try directory.append("2\n", to: "a.log")
        try directory.append("3\n", to: "b.log")
        #expect(bench.store.lines(of: .logs).isEmpty)
        bench.store.change { $0.isBlocked = false }
        #expect(try await Set(bench.lines(3)) == ["1", "2", "3"])
        try await bench.stop()
    }

    @Test func `more news than the kernel keeps is made good by looking at everything`() async throws {
        try await bench.start(bench.flow("*.log"))
        for name in ["a.log", "b.log"] { try directory.append("first\n", to: name) }
        try await bench.lines(2)
        bench.store.change { $0.isBlocked = true }
        try directory.append("trigger\n", to: "a.log")
        try await waitUntil("the store waits") { bench.store.now.waiting == 1 }
        try directory.appendInTurn("x\n", to: ["a.log", "b.log"], times: 20_000)
        try directory.rename("a.log", to: "a.log.1")
        try directory.append("second\n", to: "a.log")
        try directory.append("unseen\n", to: "c.log")
        bench.store.change { $0.isBlocked = false }
        let lines = try await bench.lines(20_005)
        #expect(lines.count { $0 == "x" } == 20_000 && lines.contains("second") && lines.contains("unseen"))
        #expect(bench.count { if case .overflowed = $0 { true } else { false } } == 1)
        try await bench.stop()
    }

    @Test func `large files take turns, and are handed over in pieces`() async throws {
        bench.changePolicy { policy in
            policy.turnBytes = 1_000
            policy.harvestBytes = 10_000
        }
        try await bench.start(bench.flow("*.log"))
        let line = String(repeating: "x", count: 99) + "\n"
        try directory.append(String(repeating: line, count: 20_000), to: "a.log")
        try directory.append("quick\n", to: "b.log")
        let lines = try await bench.lines(20_001)
        #expect(try #require(lines.firstIndex(of: "quick")) < 10_000)
        #expect(bench.store.now.harvests > 6)
        try await bench.stop()
    }

    @Test(arguments: [0, 2]) func `more files than may be open are read in turn`(maxOpenFiles: Int) async throws {
        bench.changePolicy { $0.maxOpenFiles = maxOpenFiles }
        try await bench.start(bench.flow("*.log"))
        for round in 0..<3 {
            for file in 0..<10 { try directory.append("\(round)-\(file)\n", to: "\(file).log") }
            try await bench.lines((round + 1) * 10)
        }
        #expect(Set(bench.store.lines(of: .logs)).count == 30)
        // A closed one that was renamed is found by its inode.
        try directory.rename("5.log", to: "5.log.1")
        try directory.append("straggler\n", to: "5.log.1")
        #expect(try await bench.lines(31).last == "straggler")
        try await bench.stop()
    }

    @Test func `files that grow keep their descriptors, and no more are open than may be`() async throws {
        bench.changePolicy { policy in
            policy.maxOpenFiles = 4
            policy.turnBytes = 1_000
            policy.harvestBytes = 1 << 20
        }
        for file in 0..<20 { try directory.append(String(repeating: "0123456789\n", count: 1_000), to: "\(file).log") }
        bench.store.change { $0.isBlocked = true }
        try await bench.start(bench.flow("*.log", fromStart: true))
        #expect(directory.openFiles.count <= 4)
        bench.store.change { $0.isBlocked = false }
        try await bench.lines(20_000)
        for round in 0..<20 {
            for hot in 0..<2 { try directory.append("hot\n", to: "\(hot).log") }
            try directory.append("cold\n", to: "\(round).log")
            try await bench.lines(20_003 + round * 3)
            try #require(directory.openFiles.isSuperset(of: ["0.log", "1.log"]), "round \(round)")
        }
        try await bench.stop()
    }

    @Test func `a closed file that is deleted with bytes that were not read is reported`() async throws {
        bench.changePolicy { $0.maxOpenFiles = 0 }
        try await bench.start(bench.flow("a.log"), bench.flow("b.log", to: .others))
        // Of so much, nobody has to look at the file again to know how it begins.
        let first = text("first")
        try directory.append(first, to: "a.log")
        try await bench.lines(20)
        bench.store.change { $0.full = [.logs] }
        try directory.append("2\n", to: "a.log")
        try await bench.lines(21)
        try directory.append("3\n", to: "a.log")
        try directory.unlink("a.log")
        // The full stream has it wait until it is gone.
        try directory.append("x\n", to: "b.log")
        try await bench.lines(1, of: .others)
        bench.makeRoom()
        try await bench.waitForEvent("it is lost") { event in
            if case .lost(_, .logs, offset: first.utf8.count + 2) = event { true } else { false }
        }
        try await waitUntil("only the other one is remembered") { bench.store.now.checkpoints.count == 1 }
        try await bench.stop()
    }
}
