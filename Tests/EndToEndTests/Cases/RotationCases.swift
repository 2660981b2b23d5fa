import Foundation
import TestSupport
import Testing

/// Files that are rotated while the agent runs.
@Suite(.timeLimit(.minutes(3))) struct RotationCases {
    /// LS-009: the path leads to nothing for a while, between the renaming and the next line.
    @Test func `a path that leads to nothing for a while is waited for`() async throws {
        try await Scenario("a.log").run { story in
            try await story.start()
            try story.emit("a.log", 1...10)
            var random = SeededGenerator(seed: 9)
            for round in 1...30 {
                try story.move("a.log", to: "a.log.old")
                usleep(.random(in: 0...60_000, using: &random))
                try story.emit("a.log", round * 10 + 1...round * 10 + 10)
                // What is overwritten by the next round is to be open by then.
                try await story.arrive()
            }
        }
    }

    /// LS-020: a thousand files at the same time.
    @Test func `a thousand files are rotated at once`() async throws {
        let story = try Scenario("*_log", flow: ["aggregatedRecordSizeBytes": 100_000])
        try await story.run { story in
            for file in 0..<1_000 { try story.burst("t\(file)_log", file * 100 + 1...file * 100 + 10) }
            try await story.start()
            for file in 0..<1_000 {
                try story.move("t\(file)_log", to: "t\(file)_log.1")
                try story.emit("t\(file)_log", file * 100 + 11...file * 100 + 30)
            }
            for file in 0..<1_000 { try story.emit("t\(file)_log", file * 100 + 31...file * 100 + 60) }
            try await story.settle(within: .seconds(120))
        }
    }

    /// LS-021: a writer that never pauses, and renames between two lines.
    @Test(arguments: ["app.log", "app.log*"])
    func `a rotation under a fast writer tears nothing`(pattern: String) async throws {
        try await Scenario(pattern).run { story in
            try await story.start()
            for generation in 0..<20 {
                let log = try OpenLog(story.path("app.log"))
                for number in 1...100 {
                    try log.write(story.ledger.line(generation * 100 + number, in: log.identity))
                    usleep(200)
                }
                try story.move("app.log", to: "app.log.\(generation)")
            }
        }
    }

    /// LS-032: a link to a directory is turned to the next release; the old one goes on for a while.
    @Test(arguments: ["current/app.log", "current/*.log", "cur*/**/*.log"])
    func `a directory's link is turned, and stragglers come to the old target`(pattern: String) async throws {
        try await Scenario(pattern).run { story in
            try story.makeDirectory("r1")
            try story.makeDirectory("r2")
            try story.link("current", to: "r1")
            try await story.start()
            try story.emit("r1/app.log", 1...100)
            try await story.settle()
            try story.link("current", to: "r2")
            try story.emit("r2/app.log", 101...200)
            try story.emit("r1/app.log", 201...210)
        }
    }

    /// LS-035: the new content begins like the old one and is as long.
    @Test(arguments: [true, false])
    func `a file that is rewritten with the same header and size is read again`(isRunning: Bool) async throws {
        let header = String(repeating: "# the same two kilobytes at the head of each generation\n", count: 38)
        try await Scenario("a.log").run { story in
            for round in 0..<3 {
                for line in header.split(separator: "\n") { story.ledger.expect(String(line), in: "header") }
                try story.overwrite("a.log", with: 1_000 + round * 200...1_199 + round * 200, header: header)
                if story.agent == nil { try await story.start() }
                try await story.settle()
                if !isRunning { try await story.stop() }
            }
            if !isRunning { try await story.start() }
        }
    }

    /// `copytruncate` where the copies match, too, or where each is written over the one before.
    @Test(arguments: ["app.log", "app.log*"], [true, false])
    func `copies of a truncated log are not taken for more of its lines`(pattern: String, isOneName: Bool) async throws
    {
        try await Scenario(pattern).run { story in
            try await story.start()
            for round in 0..<4 {
                let first = round * 100 + 1
                try story.emit("app.log", first...first + 59)
                try await story.arrive()
                try story.burst("app.log", first + 60...first + 99)
                try story.run("cp", story.path("app.log"), story.path(isOneName ? "app.log.1" : "app.log.\(round)"))
                try story.truncate("app.log")
                // A generation of which nothing was read before the next truncation would leave no trace.
                try await story.arrive()
            }
        }
    }

    /// LS-046: many generations a second, all of them kept.
    @Test(arguments: ["app.log", "app.log*"])
    func `generations come and go faster than anyone looks`(pattern: String) async throws {
        try await Scenario(pattern, flow: ["aggregatedRecordSizeBytes": 100_000]).run { story in
            try await story.start()
            for generation in 0..<200 {
                try story.burst("app.log", generation * 100 + 1...generation * 100 + 100)
                try story.move("app.log", to: "app.log.\(generation)")
            }
            try await story.settle()
            if pattern == "app.log" {
                try await story.running.wait(for: "the descriptors are given back") { story.openLogs.count <= 1 }
            }
        }
    }

    /// LS-053: a truncation is remembered, so that the file is not sent again at each start.
    @Test func `a file that was truncated and is empty is not sent again by the next run`() async throws {
        try await Scenario("a.log").run { story in
            try await story.start()
            try story.emit("a.log", 1...100)
            try await story.settle()
            try story.truncate("a.log")
            try await story.waitForLog("a.log: was truncated")
            try story.emit("a.log", 101...110)
            try await story.settle()
            for _ in 0..<2 {
                try await story.stop()
                try await story.start()
                try await story.settle()
            }
            #expect(!story.log.contains("is shorter than"))
        }
    }

    /// LS-056: the next day's file appears while today's is far behind.
    @Test func `a newer sibling does not end the reading of an older file`() async throws {
        let story = try Scenario("foo.log*", flow: ["aggregatedRecordSizeBytes": 50_000])
        try await story.run { story in
            story.sink.become(.delay(milliseconds: 200))
            try await story.start()
            try story.burst("foo.log.2024-01-02", 1...20_000)
            try story.emit("foo.log.2024-01-03", 20_001...20_010)
            story.sink.become(.ok)
        }
    }

    /// LS-062: a script that appends nine lines and then throws the file away.
    @Test func `a file that is overwritten again and again loses only what nobody could read`() async throws {
        try await Scenario("test.log").run { story in
            try await story.start()
            for number in 1...120 {
                if number % 10 == 0 {
                    // What is there now is gone in a moment; it was written long enough ago to have been read.
                    story.ledger.doubt(number - 2..<number)
                    try story.overwrite("test.log", with: number...number)
                } else {
                    try story.emit("test.log", number...number)
                }
                usleep(50_000)
            }
        }
    }

    /// LS-068: a name with a date that did not exist at the start.
    @Test func `the next day's file is found`() async throws {
        try await Scenario("*.req.log").run { story in
            try await story.start()
            try story.emit("2024_01_01.req.log", 1...10)
            try await story.settle()
            try story.emit("2024_01_02.req.log", 11...20)
            try await story.settle(within: .seconds(5))
        }
    }

    /// LS-083: a server finishes its requests in the rotated file.
    @Test(arguments: ["acc.log", "acc.log*"])
    func `stragglers in a rotated file are sent, and nothing again`(pattern: String) async throws {
        try await Scenario(pattern).run { story in
            try await story.start()
            try story.emit("acc.log", 1...1_000)
            try await story.settle()
            try story.move("acc.log", to: "acc.log.1")
            try story.emit("acc.log", 2_001...2_010)
            try await story.settle()
            if pattern == "acc.log" {
                // It is opened again when it grows.
                try await story.running.wait(for: "the rotated file is closed") { story.openLogs.count == 1 }
            }
            try story.emit("acc.log.1", 1_001...1_003)
            try await story.settle()
            // Also after a restart.
            try await story.stop()
            try story.emit("acc.log.1", 1_004...1_006)
            try await story.start()
        }
    }

    /// LS-136: every generation is as long as the offset in the one before it.
    @Test(arguments: ["logs.log", "logs.log*"])
    func `files of one short line follow each other under one name`(pattern: String) async throws {
        try await Scenario(pattern).run { story in
            try await story.start()
            for number in 100...149 {
                try story.emit("logs.log", number...number)
                try await story.arrive()
                try story.move("logs.log", to: "logs.log.1")
            }
        }
    }

    /// LS-165: a logging library keeps a link of one name to the file of the day.
    @Test func `a file behind a link is not sent again by the next run`() async throws {
        try await Scenario("app.INFO").run { story in
            try story.link("app.INFO", to: "app.20250101-1.txt")
            try story.emit("app.20250101-1.txt", 1...500)
            for _ in 0..<2 { try await story.session() }
            try story.emit("app.20250102-1.txt", 501...600)
            try story.link("app.INFO", to: "app.20250102-1.txt")
            try story.emit("app.20250101-1.txt", 601...610)
            try await story.start()
        }
    }

    /// LS-169: rotated, compressed and deleted before it was read.
    @Test func `a file that is compressed away while it is behind is read to its end`() async throws {
        try await Scenario("app.log", agent: ["cacheMaxBytes": 16 << 20]).run { story in
            story.sink.become(.delay(milliseconds: 300))
            try await story.start()
            try story.burst("app.log", 1...20_000)
            try await story.waitForLog("app.log: following it")
            try story.move("app.log", to: "app.log.1")
            try story.gzip("app.log.1")
            try story.emit("app.log", 20_001...20_100)
            story.sink.become(.ok)
        }
    }
}
