import Foundation
import TestSupport
import Testing

/// Files that are far behind, and files of which there are ever more.
@Suite(.timeLimit(.minutes(3))) struct BacklogCases {
    /// LS-025: a start with much to read, and with checkpoints.
    @Test func `a large backlog is begun at once, and takes no more memory`() async throws {
        try await Scenario("*.log", flow: ["aggregatedRecordSizeBytes": 500_000]).run { story in
            for file in 0..<20 { try story.burst("\(file).log", file * 100_000...file * 100_000 + 9) }
            try await story.session()
            for file in 0..<20 { try story.burst("\(file).log", file * 100_000 + 10...file * 100_000 + 10_000) }
            story.sink.become(.delay(milliseconds: 20))
            try await story.start()
            try await story.running.wait(for: "it begins") { story.sink.count > 200 }
            #expect(story.sink.count < 150_000, "long before all is read")
            #expect(try story.running.residentKilobytes < 120_000)
            story.sink.become(.ok)
            try await story.settle(within: .seconds(120))
            #expect(try story.running.residentKilobytes < 120_000)
        }
    }

    /// LS-079: a file that is rotated for ever.
    @Test func `memory does not grow with the number of files that were`() async throws {
        try await Scenario("r.log", agent: ["rotatedFileQuietMillis": 0]).run { story in
            try await story.start()
            var resident: [Int] = []
            for round in 0..<1_500 {
                if round.isMultiple(of: 20) { try await story.arrive() }
                if round.isMultiple(of: 500) { resident.append(try story.running.residentKilobytes) }
                let isLast = round % 20 == 19
                if !isLast { story.ledger.doubt(round * 5..<round * 5 + 5) }
                try story.emit("r.log", round * 5...round * 5 + 4)
                if !isLast { try story.move("r.log", to: "r.log.1") }
            }
            try await story.settle()
            let grown = try story.running.residentKilobytes - resident[1]
            #expect(grown < 4_000, "\(grown) kB in 1,000 rounds after \(resident)")
        }
    }

    /// LS-141: one huge file and one small one.
    @Test func `a huge file does not keep a small one waiting`() async throws {
        try await Scenario("*.log", flow: ["aggregatedRecordSizeBytes": 100_000]).run { story in
            try story.burst("big.log", 1...200_000)
            try await story.start()
            var line = 500_000
            while story.sink.count < 180_000 {
                line += 1
                try story.emit("small.log", line...line)
                let text = WrittenLines.text(line)
                try await story.running.wait(for: "a line of the small file arrives") {
                    story.sink.lines.suffix(200_000).contains(text)
                }
            }
            #expect(line > 500_001, "one line after the other came while the huge file was read")
            try await story.settle(within: .seconds(120))
        }
    }

    /// LS-141 where it is the service that is slow.
    @Test(arguments: [
        (Sink.Mode.throttle(bytesPerSecond: 400_000), 0), (.throttle(bytesPerSecond: 400_000), 100_000),
        (.delay(milliseconds: 100), 0),
    ])
    func `a huge file does not keep a small one waiting in the cache`(service: Sink.Mode, joinedBytes: Int) async throws
    {
        let flow: [String: Any] = joinedBytes > 0 ? ["aggregatedRecordSizeBytes": joinedBytes] : [:]
        try await Scenario("*.log", flow: flow).run { story in
            try story.burst("big.log", 1...100_000)
            story.sink.become(service)
            try await story.start()
            for line in 500_000...500_003 {
                let before = story.sink.count
                try story.emit("small.log", line...line)
                let text = WrittenLines.text(line)
                try await story.running.wait(for: "a line of the small file arrives") {
                    story.sink.lines.contains(text)
                }
                // Five seconds' worth at this rate, of 80 bytes each.
                #expect(story.sink.count - before < 25_000)
            }
            #expect(story.sink.count < 90_000, "the huge file is still being read")
            story.sink.become(.ok)
            try await story.settle(within: .seconds(120))
        }
    }

    @Test func `an outage that lasts fills the cache with what may be gone after it`() async throws {
        try await Scenario("*.log").run { story in
            try story.burst("big.log", 1...100_000)
            story.sink.become(.refuse)
            try await story.start()
            try await waitUntil("all is stored", timeout: .seconds(60), lookingEvery: .milliseconds(200)) {
                try await story.scene.balance().files.allSatisfy { $0.stored == $0.size }
            }
            try story.truncate("big.log")
            story.sink.become(.ok)
            try await story.settle(within: .seconds(60))
        }
    }
}
