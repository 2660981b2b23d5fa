import Foundation
import TestSupport
import Testing

/// What happens to files while no agent runs.
@Suite(.timeLimit(.minutes(3))) struct DowntimeCases {
    /// LS-108: several generations while the agent is down; also one that it has never seen.
    @Test(arguments: ["device.log", "device.log*"])
    func `generations of a time without an agent are all read, oldest first`(pattern: String) async throws {
        try await Scenario(pattern).run { story in
            try await story.session { try story.emit("device.log", 1...100) }
            try story.emit("device.log", 101...200)
            try story.move("device.log", to: "device.log.1")
            try story.emit("device.log", 201...300)
            try story.move("device.log.1", to: "device.log.2")
            try story.move("device.log", to: "device.log.1")
            try story.emit("device.log", 301...400)
            try await story.start()
            try await story.settle()
            #expect(story.sink.lines == (1...400).map(WrittenLines.text))
        }
    }

    /// The same as logrotate's other names.
    @Test(arguments: ["device.log-20260101", "device-20260101.log", "device.log.2026-01-01-00", "device.1.log"])
    func `a generation that was made and rotated meanwhile is read, however it is called`(
        name: String
    ) async throws {
        try await Scenario("device.log").run { story in
            try await story.session { try story.emit("device.log", 1...100) }
            let next = name.replacing("1", with: "2")
            try story.emit("device.log", 101...200)
            try story.move("device.log", to: name)
            try story.emit("device.log", 201...300)
            try story.move("device.log", to: next)
            try story.emit("device.log", 301...400)
            try await story.start()
        }
    }

    /// What was there before the agent first ran is none of its business, and neither are files of other logs.
    @Test func `older generations and other logs are let be`() async throws {
        try await Scenario("device.log").run { story in
            for name in ["device.log.7", "device.log.8", "device-error.log", "device.log.bak", "device.logs"] {
                try story.emit(name, 900...909)
            }
            story.ledger.forget(900...909)
            try await story.session { try story.emit("device.log", 1...10) }
            try story.move("device.log", to: "device.log.1")
            try story.emit("device.log", 11...20)
            for name in ["device-error.log", "device.log.bak", "device.logs"] { try story.emit(name, 910...919) }
            story.ledger.forget(910...919)
            try await story.start()
        }
    }

    /// copytruncate while the agent is down: the unread rest lives on only in the copy.
    @Test func `the unread rest of a file that was copied and truncated is read from the copy`() async throws {
        try await Scenario("device.log").run { story in
            try await story.session { try story.emit("device.log", 1...100) }
            try story.emit("device.log", 101...200)
            try story.run("cp", story.path("device.log"), story.path("device.log.1"))
            try story.overwrite("device.log", with: 201...300)
            for _ in 0..<2 { try await story.session() }
        }
    }

    /// LS-169 with the agent down: the unread rest is in the compressed file.
    @Test(arguments: [1, 2])
    func `the unread rest of a file that was compressed meanwhile is read`(generations: Int) async throws {
        try await Scenario("app.log").run { story in
            try await story.session { try story.emit("app.log", 1...1_000) }
            try story.burst("app.log", 1_001...9_000)
            try story.move("app.log", to: "app.log.1")
            try story.gzip("app.log.1")
            if generations == 2 {
                try story.emit("app.log", 9_001...9_100)
                try story.move("app.log.1.gz", to: "app.log.2.gz")
                try story.move("app.log", to: "app.log.1")
            }
            try story.emit("app.log", 9_101...9_200)
            for _ in 0..<2 { try await story.session() }
        }
    }

    /// A generation that was made and compressed in this time is of an unknown content.
    @Test func `a file that nobody saw before it was compressed is named, and not sent`() async throws {
        try await Scenario("app.log").run { story in
            try await story.session { try story.emit("app.log", 1...100) }
            try story.emit("app.log", 101...200)
            try story.move("app.log", to: "app.log.2")
            try story.gzip("app.log.2")
            try story.emit("app.log", 201...300)
            story.ledger.forget(201...300)
            try story.move("app.log", to: "app.log.1")
            try story.gzip("app.log.1")
            try story.emit("app.log", 301...400)
            try await story.start()
            try await story.settle()
            #expect(story.log.ranges(of: "app.log.1.gz: was compressed").count == 1)
            #expect(!story.log.contains("app.log.2.gz: was compressed"))
        }
    }

    /// logrotate's `olddir`.
    @Test func `a file that was rotated into another directory is read to its end`() async throws {
        try await Scenario("app.log").run { story in
            try story.makeDirectory("old")
            try await story.session { try story.emit("app.log", 1...100) }
            try story.emit("app.log", 101...200)
            try story.move("app.log", to: "old/app.log.1")
            try story.emit("app.log", 201...300)
            try await story.start()
            try await story.settle()
            // Also while it runs.
            try story.emit("app.log", 301...310)
            try story.move("app.log", to: "old/app.log.2")
            try story.emit("app.log", 311...320)
            try story.emit("old/app.log.2", 321...330)
        }
    }

    /// LS-032 with the agent down: what was written before the link was turned is not behind it any more.
    @Test(arguments: TurnedLink.all)
    func `the unread rest behind a directory's link that was turned is read`(link: TurnedLink) async throws {
        try await Scenario(link.pattern).run { story in
            let (old, new) = (link.old + "/r1", link.new + "/r2")
            for target in [old, new] { try story.makeDirectory(target + link.below) }
            try story.link("current", to: old)
            try await story.start()
            try story.emit(old + link.below + "/app.log", 1...100)
            try await story.settle()
            if link.isKilled { try await story.kill9() } else { try await story.stop() }
            try story.emit(old + link.below + "/app.log", 101...200)
            try story.link("current", to: new)
            try story.emit(new + link.below + "/app.log", 201...300)
            try await story.start()
            // Stragglers on the old target.
            try story.emit(old + link.below + "/app.log", 301...310)
            try await story.settle()
            #expect(story.log.contains("/r1\(link.below)/app.log: rotated away; reading it to its end"))
            #expect(!story.log.contains("not found any more"))
            try await waitUntil("the old target is let go of") { !story.openPaths.contains { $0.contains("/r1/") } }
            try await story.stop()
            try story.emit(old + link.below + "/app.log", 311...320)
            try await story.start()
        }
    }

    /// A generation that is nowhere: a warning, once.
    @Test func `a file that is gone is missed aloud, once`() async throws {
        try await Scenario("app.log").run { story in
            try await story.session { try story.emit("app.log", 1...100) }
            try story.emit("app.log", 101...200)
            story.ledger.doubt(101...200)
            try story.remove("app.log")
            try story.emit("app.log", 201...300)
            for _ in 0..<2 { try await story.session() }
            let warnings = story.log.split(separator: "\n").filter { $0.contains("WARN") && $0.contains("app.log") }
            #expect(warnings.count == 1, "\(warnings)")
        }
    }

    /// LS-017: a file that is not there at the start, and comes back.
    @Test func `a file that comes back after the start goes on where it was`() async throws {
        try await Scenario("*.log").run { story in
            try await story.session { try story.emit("late.log", 1...100) }
            try story.move("late.log", to: "hidden")
            try await story.start()
            try await story.running.wait(for: "it has looked around") { story.log.contains("hidden") }
            try story.move("hidden", to: "late.log")
            try story.emit("late.log", 101...110)
        }
    }

    /// The same from another directory, in which nobody looked.
    @Test func `a file that comes back from elsewhere goes on where it was`() async throws {
        try await Scenario("*.log").run { story in
            try await story.session { try story.emit("late.log", 1...100) }
            try story.makeDirectory("far/away")
            try story.move("late.log", to: "far/away/late.txt")
            try await story.start()
            try await story.waitForLog("late.log: not found")
            try story.move("far/away/late.txt", to: "late.log")
            try story.emit("late.log", 101...110)
        }
    }

    /// LS-055: the inode of a deleted file comes back under its name.
    @Test(.enabled(if: reusesInodes, "the file system does not use inodes again"))
    func `an inode that was used again is another file`() async throws {
        try await Scenario("*.log").run { story in
            try await story.retrying { base in
                try await story.session { try story.emit("a.log", base + 1...base + 100) }
                let inode = try story.inode(of: "a.log")
                try story.remove("a.log")
                return try story.reuse(inode, as: "a.log", base + 201...base + 400)
            }
            try await story.start()
        }
    }

    /// LS-163: a fingerprint that grows is no new identity.
    @Test func `a file that grows from run to run is sent once`() async throws {
        try await Scenario("a.log").run { story in
            for lines in [1...3, 4...43, 44...44, 45...200] {
                try await story.session { try story.emit("a.log", lines) }
            }
        }
    }
}

/// A link called `current`, first to one directory, `r1`, then to another, `r2`.
struct TurnedLink: CustomTestStringConvertible {
    let pattern: String
    /// Where the first directory is, and where the second one.
    let old: String, new: String
    /// Where in them the logs are.
    var below = ""
    /// How the agent ends before the link is turned.
    var isKilled = false

    var testDescription: String { "\(pattern), \(old)/r1 to \(new)/r2, \(isKilled ? "kill9" : "stop")" }

    static let all = [false, true].flatMap { isKilled in
        [
            TurnedLink(pattern: "current/app.log", old: ".", new: ".", isKilled: isKilled),
            TurnedLink(pattern: "current/app.log", old: ".", new: "../elsewhere", isKilled: isKilled),
            TurnedLink(pattern: "current/*.log", old: "releases", new: "releases", isKilled: isKilled),
            TurnedLink(
                pattern: "current/log/*.log",
                old: "../releases",
                new: "../releases",
                below: "/log",
                isKilled: isKilled
            ),
        ]
    }
}

/// Whether a file that is made after another one was deleted may get its inode.
let reusesInodes: Bool = {
    guard let story = try? Scenario() else { return false }
    return (0..<20).contains { _ in
        try? story.emit("old", 1...1)
        guard let inode = try? story.inode(of: "old"), (try? story.remove("old")) != nil else { return false }
        return (try? story.reuse(inode, as: "new", 1...1)) == true
    }
}()
