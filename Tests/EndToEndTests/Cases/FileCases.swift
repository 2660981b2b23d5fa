import Foundation
import TestSupport
import Testing

/// Which file is which, and what becomes of those that are deleted.
@Suite(.timeLimit(.minutes(3))) struct FileCases {
    /// LS-013: files that begin alike.
    @Test func `files with the same first lines are several files`() async throws {
        try await Scenario("*.log").run { story in
            for name in ["a.log", "b.log", "c.log"] { try story.write(name, "Log started", "==========") }
            try await story.start()
            try story.emit("a.log", 1...100)
            try story.emit("b.log", 101...200)
            try story.emit("c.log", 201...300)
        }
    }

    /// LS-073: an old file is deleted, and its inode is used again.
    @Test(.enabled(if: reusesInodes, "the file system does not use inodes again"))
    func `the inode of an old file that was deleted may come back`() async throws {
        try await Scenario("*.log", flow: ["ignoreOlderSeconds": 2]).run { story in
            try await story.start()
            var deletions = 0
            try await story.retrying { base in
                try story.emit("a.log", base + 1...base + 100)
                try await story.settle()
                let inode = try story.inode(of: "a.log")
                try story.remove("a.log")
                deletions += 1
                try await story.running.waitForLog("a.log: done after", times: deletions)
                return try story.reuse(inode, as: "b.log", base + 501...base + 600)
            }
        }
    }

    /// LS-093: what is known of files that are gone is forgotten.
    @Test func `thousands of generations leave no traces`() async throws {
        try await Scenario("x.log").run { story in
            try await story.start()
            for round in 1...800 {
                // A generation that is overwritten before anybody could see it is lost.
                let isAwaited = round.isMultiple(of: 10)
                if !isAwaited { story.ledger.doubt(round...round) }
                try story.emit("x.log", round...round)
                if isAwaited { try await story.arrive() }
                try story.move("x.log", to: "x.log.1")
            }
            try story.emit("x.log", 2_000...2_000)
            try await story.settle()
            try await story.running.wait(for: "all generations are let go") { story.openLogs.count <= 2 }
            try await story.stop()
            #expect(try await story.checkpointCount() <= 3)
        }
    }

    /// LS-160: shorter than any fingerprint.
    @Test func `a file of a few bytes is read at once`() async throws {
        try await Scenario("short.log").run { story in
            try await story.start()
            try story.write("short.log", "rake aborted")
            try await story.settle(within: .seconds(5))
            try story.write("short.log", "once more")
        }
    }

    /// LS-039: the service is down, and large files are deleted.
    @Test func `deleted files are held only so far, and what is given up is said`() async throws {
        let story = try Scenario(
            "a.*.log",
            flow: ["aggregatedRecordSizeBytes": 500_000],
            agent: ["cacheMaxBytes": 16 << 20, "deletedFilesMaxBytes": 12 << 20, "scanIntervalMillis": 200]
        )
        try await story.run { story in
            story.sink.become(.refuse)
            try await story.start()
            for file in 0..<10 {
                let numbers = file * 50_000 + 1...file * 50_000 + 50_000
                // The first fill the cache, the last are held, and the middle is lost.
                if file >= 2 { story.ledger.doubt(numbers) }
                try story.burst("a.\(file).log", numbers)
                try await story.waitForLog("a.\(file).log: following it")
                try story.remove("a.\(file).log")
            }
            try await story.waitForLog("given up")
            try await story.running.wait(for: "only so much is held: \(story.openLogs)") {
                story.openLogs.count <= 6
            }
            #expect(story.log.contains("ERROR"))
            story.sink.become(.ok)
            let youngest = WrittenLines.text(500_000)
            var seen = 0
            try await story.running.wait(for: "the youngest, which is given up last, arrives") {
                let new = story.sink.lines(after: seen)
                seen += new.count
                return new.contains(youngest)
            }
        }
    }

    /// LS-039 with a limit of time.
    @Test func `deleted files are held only so long`() async throws {
        let story = try Scenario(
            "a.*.log",
            flow: ["aggregatedRecordSizeBytes": 500_000],
            agent: ["cacheMaxBytes": 16 << 20, "deletedFilesMaxAgeMillis": 500, "scanIntervalMillis": 200]
        )
        try await story.run { story in
            story.sink.become(.refuse)
            try await story.start()
            for file in 0..<7 {
                let numbers = file * 50_000 + 1...file * 50_000 + 50_000
                if file >= 2 { story.ledger.doubt(numbers) }
                try story.burst("a.\(file).log", numbers)
                try await story.waitForLog("a.\(file).log: following it")
                try story.remove("a.\(file).log")
            }
            try await story.running.wait(for: "nothing is held: \(story.openLogs)") {
                story.openLogs.isEmpty
            }
            #expect(story.log.contains("given up"))
            story.sink.become(.ok)
        }
    }

    /// LS-119: deleted with unread bytes.
    @Test(arguments: [true, false]) func `a file that is deleted unread is read`(isKnown: Bool) async throws {
        try await Scenario("a.log").run { story in
            try await story.start()
            try story.emit("a.log", 0...0)
            try await story.settle()
            try story.pausing {
                try story.emit("a.log", 1...5_000)
                try story.remove("a.log")
                if !isKnown {
                    // Made and deleted within the pause: nobody can have it.
                    try story.emit("a.log", 9_001...9_010)
                    story.ledger.forget(9_001...9_010)
                    try story.remove("a.log")
                }
            }
            try await story.settle()
            try await story.running.wait(for: "its descriptor is closed") { story.openLogs.isEmpty }
        }
    }

    /// LS-134: many more files than descriptors.
    @Test func `files take turns where descriptors are few, and some are kept for other things`() async throws {
        try await Scenario("*.log", flow: ["aggregatedRecordSizeBytes": 50_000]).run { story in
            for file in 0..<2_000 { try story.emit("\(file).log", file * 10 + 1...file * 10 + 3) }
            try await story.start(wrapper: ["prlimit", "--nofile=256:256"])
            try await story.settle(within: .seconds(120))
            for file in 0..<200 { try story.emit("\(file * 10).log", file * 100 + 4...file * 100 + 6) }
            try await story.settle(within: .seconds(120))
            #expect(story.openPaths.count < 230)
        }
    }

    @Test func `files that all grow take turns with a handful of descriptors`() async throws {
        try await Scenario("*.log", flow: ["aggregatedRecordSizeBytes": 50_000]).run { story in
            for file in 0..<600 { try story.burst("\(file).log", file * 1_000...file * 1_000 + 99) }
            try await story.start(wrapper: ["prlimit", "--nofile=128:128"], waiting: false)
            for round in 1...8 {
                for file in 0..<600 {
                    try story.emit("\(file).log", file * 1_000 + round * 100...file * 1_000 + round * 100 + 4)
                }
                #expect(story.openPaths.count < 64)
            }
            try await story.settle(within: .seconds(120))
            #expect(!story.log.contains("too many open files"))
        }
    }
}
