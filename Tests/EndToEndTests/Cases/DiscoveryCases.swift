import Foundation
import TestSupport
import Testing

/// Which files are found, whatever they are called and wherever they appear.
@Suite(.timeLimit(.minutes(3))) struct DiscoveryCases {
    /// LS-014: patterns that overlap.
    @Test(arguments: [false, true])
    func `a file that two flows match is sent once to each stream`(hasTwoStreams: Bool) async throws {
        let story = try Scenario("*.log")
        var second = story.scene.flows[0]
        second["filePattern"] = story.path("app*.log")
        if hasTwoStreams { second["deliveryStream"] = "other" }
        story.scene.flows.append(second)
        story.ledger.mayRepeat = hasTwoStreams
        try await story.run { story in
            try await story.start()
            try story.emit("app1.log", 1...100)
            try story.emit("b.log", 101...200)
            try await story.settle()
            try await story.running.wait(for: "each stream has what is its own") {
                story.sink.count(of: "stream") == 200 && story.sink.count(of: "other") == (hasTwoStreams ? 100 : 0)
            }
            #expect(story.log.ranges(of: "matches two flows").count == (hasTwoStreams ? 0 : 1))
        }
    }

    /// LS-016: a directory that is not there yet.
    @Test func `a directory that is not there yet is waited for in silence`() async throws {
        try await Scenario("none/*.json", agent: ["scanIntervalMillis": 100]).run { story in
            try await story.start()
            try await Task.sleep(for: .milliseconds(500))
            #expect(!story.log.contains("WARN") && !story.log.contains("ERROR"))
            try story.makeDirectory("none")
            try story.emit("none/a.json", 1...3)
        }
    }

    /// LS-036: links that lead in circles, and into the kernel.
    @Test func `a loop of links is walked once`() async throws {
        try await Scenario("root/**/*.log").run { story in
            try story.makeDirectory("root/svc")
            try story.emit("root/svc/app.log", 1...10)
            try story.link("root/svc/loop", to: "..")
            try story.link("root/svc/p", to: "/proc/self")
            try story.link("root/svc/self", to: "self")
            try await story.start()
            try await story.settle(within: .seconds(10))
            try story.emit("root/svc/loop/svc/app.log", 11...20)
        }
    }

    /// LS-047: directories that come one after the other, with files in them at once.
    @Test(arguments: ["*/*/application.log", "**/application.log"])
    func `directories that appear are looked through at once`(pattern: String) async throws {
        try await Scenario(pattern, agent: ["scanIntervalMillis": 3_600_000]).run { story in
            try await story.start()
            for round in 0..<20 {
                try story.makeDirectory("n\(round)/m1")
                try story.emit("n\(round)/m1/application.log", round * 20 + 1...round * 20 + 10)
                try story.makeDirectory("n\(round)/m2")
                try story.emit("n\(round)/m2/application.log", round * 20 + 11...round * 20 + 20)
            }
            try await story.settle(within: .seconds(10))
        }
    }

    /// LS-060: an old file that gets one more line.
    @Test func `of a file that is too old, only what is added is sent`() async throws {
        try await Scenario("*.log", flow: ["ignoreOlderSeconds": 3_600]).run { story in
            try story.burst("old.log", 1...10_000)
            story.ledger.forget(1...10_000)
            try story.run("touch", "-d", "30 days ago", story.path("old.log"))
            try story.emit("young.log", 20_001...20_100)
            try await story.start()
            try await story.settle()
            try story.emit("old.log", 10_001...10_001)
            try await story.settle()
            // The offset is remembered, however old the file becomes.
            try await story.stop()
            try story.emit("old.log", 10_002...10_003)
            try story.run("touch", "-d", "20 days ago", story.path("old.log"))
            try await story.start()
            try await story.settle()
            // One that is moved in is as old as it is.
            try story.burst("moved.txt", 30_001...30_100)
            story.ledger.forget(30_001...30_100)
            try story.run("touch", "-d", "30 days ago", story.path("moved.txt"))
            try story.move("moved.txt", to: "moved.log")
            try await story.waitForLog("moved.log: following it")
            try story.emit("moved.log", 30_101...30_110)
        }
    }

    /// LS-077: thousands of files of one line, all of the same age.
    @Test func `thousands of short files come and go`() async throws {
        try await Scenario("*.log", flow: ["aggregatedRecordSizeBytes": 50_000]).run { story in
            try await story.start()
            for generation in 0..<2 {
                for file in 0..<2_500 {
                    try story.emit("\(generation)-\(file).log", generation * 10_000 + file...generation * 10_000 + file)
                }
                try story.run("sh", "-c", "touch -d 2026-01-01 '\(story.path("."))'/*.log")
                try await story.settle(within: .seconds(120))
                for file in 0..<2_500 { try story.remove("\(generation)-\(file).log") }
            }
            try await story.running.wait(for: "all are let go") { try await story.scene.balance().files.isEmpty }
            #expect(story.openLogs.isEmpty)
            try await story.stop()
            #expect(try await story.checkpointCount() == 0)
        }
    }

    /// LS-084: names of all kinds.
    @Test func `any name is a name`() async throws {
        try await Scenario("**/*.log").run { story in
            try story.makeDirectory("日志")
            let names = ["日志/app.log", "caf\u{E9}.log", "cafe\u{301}.log", " a b.log", "new\nline.log", "*[?].log"]
            // A name that no text can hold is given to a file by the shell; until then no pattern matches it.
            let invalid = "bad.staged"
            for round in 0..<2 {
                for (index, name) in (names + [invalid]).enumerated() {
                    try story.emit(name, round * 1_000 + index * 10 + 1...round * 1_000 + index * 10 + 10)
                }
                if round == 0 {
                    try story.run(
                        "sh",
                        "-c",
                        "cd '\(story.path("."))' && mv bad.staged \"$(printf 'bad\\377\\376.log')\""
                    )
                } else {
                    try story.run(
                        "sh",
                        "-c",
                        "cd '\(story.path("."))' && f=$(printf 'bad\\377\\376.log') && cat bad.staged >> \"$f\" && rm bad.staged"
                    )
                }
                if round == 0 { try await story.start() }
                try await story.settle()
                try await story.stop()
                try await story.start()
            }
            #expect(story.log.contains(#"bad\xFF\xFE.log"#) || story.log.contains(#"bad\xff\xfe.log"#), "\(story.log)")
        }
    }

    /// LS-122: a large tree in which nothing happens but in one file.
    @Test func `a large tree costs little while it is quiet`() async throws {
        let story = try Scenario(
            "**/*.log",
            "**/a*.log",
            "d1*/**/*.log",
            flow: ["aggregatedRecordSizeBytes": 50_000],
            agent: ["scanIntervalMillis": 3_600_000]
        )
        try await story.run { story in
            for directory in 0..<1_000 {
                try story.makeDirectory("d\(directory)/logs")
                for file in 0..<10 {
                    try story.emit("d\(directory)/logs/\(file).log", directory * 100 + file...directory * 100 + file)
                }
            }
            try await story.start()
            try await story.settle(within: .seconds(120))
            #expect(!story.log.contains("polled"))
            #expect(try story.running.residentKilobytes < 100_000, "60 MB when it is optimised")
            for line in 0..<20 { try story.emit("d777/logs/3.log", 200_000 + line...200_000 + line) }
            try await story.settle(within: .seconds(5))
        }
    }

    /// LS-142: several live files.
    @Test func `all live files are followed, not only the newest`() async throws {
        try await Scenario("*.log").run { story in
            try await story.start()
            for round in 0..<100 {
                for file in 0..<7 {
                    let first = file * 10_000 + round * 10
                    try story.emit("\(file).log", first...first + 9)
                }
                usleep(5_000)
            }
        }
    }

    /// LS-162: files and directories that nobody may read, until somebody may.
    @Test(.enabled(if: getuid() == 0, "another user has to be taken on"), arguments: ["file", "directory"])
    func `what may not be read is said once, and read once it may be`(kind: String) async throws {
        try await Scenario("**/*.log", agent: ["scanIntervalMillis": 200]).run { story in
            try story.makeDirectory("d")
            let closed = kind == "file" ? "d/p.log" : "d"
            try story.emit("d/p.log", 1...10)
            try story.emit("other.log", 11...20)
            try story.setMode(closed, 0)
            try story.directory.makeDirectory("state")
            try story.directory.setMode("state", 0o777)
            try await story.start(wrapper: ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"])
            try await story.running.wait(for: "the other file arrives") { story.sink.count == 10 }
            try story.emit("other.log", 21...30)
            try await story.running.wait(for: "it goes on") { story.sink.count == 20 }
            try await Task.sleep(for: .milliseconds(800))
            let complaints = story.log.split(separator: "\n").filter { $0.contains("WARN") }
            #expect((1...2).contains(complaints.count), "\(complaints)")
            try story.setMode(closed, 0o755)
            try await story.settle(within: .seconds(10))
        }
    }
}
