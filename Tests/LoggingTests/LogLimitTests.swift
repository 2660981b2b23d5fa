import Logging
import Testing

@Suite struct LogLimitTests {
    let memory = Memory()

    @Test func `one place prints ten lines a minute and counts the rest`() {
        let log = memory.log(.info)
        for number in 1...200 {
            log.warning("message \(number)")
            memory.advance(by: .seconds(1))
        }
        let expected =
            (1...10).map { "message \($0)" } + ["message 61 (and 50 more like this)"]
            + (62...70).map { "message \($0)" }
            + ["message 121 (and 50 more like this)"] + (122...130).map { "message \($0)" }
            + ["message 181 (and 50 more like this)"] + (182...190).map { "message \($0)" }
        #expect(memory.texts == expected)
    }

    @Test func `no stretch of a minute has more than ten lines`() {
        let log = memory.log(.info)
        memory.advance(by: .seconds(55))
        for number in 1...10 { log.info("\(number)", key: "k") }
        memory.advance(by: .seconds(59))
        log.info("early", key: "k")
        #expect(memory.lines.count == 10)
        memory.advance(by: .seconds(1))
        log.info("due", key: "k")
        #expect(memory.texts.last == "due (and 1 more like this)")
    }

    @Test func `places, keys and components are limited each by itself`() {
        let log = memory.log(.info)
        let once = LogLimit.once(per: .seconds(60))
        for _ in 1...2 {
            log.info("a", limit: once)
            log.info("b", limit: once)
            log.info("c", limit: once, key: "x")
            log.info("d", limit: once, key: "y")
            log.info("not c", limit: once, key: "x")
            log.named("other").info("e", limit: once, key: "x")
        }
        #expect(memory.texts == ["a", "b", "c", "d", "e"])
    }

    @Test func `what was held back is said when its time comes, with any message`() {
        let log = memory.log(.info)
        for number in 1...4 { log.warning("slow \(number)", limit: .once(per: .seconds(60)), key: "slow") }
        memory.advance(by: .seconds(59))
        log.info("before")
        memory.advance(by: .seconds(1))
        log.info("after")
        #expect(memory.texts == ["slow 1", "before", "slow 4 (and 2 more like this)", "after"])
        log.warning("slow 5", limit: .once(per: .seconds(60)), key: "slow")
        #expect(memory.lines.count == 4, "what was said late counts as well")
    }

    @Test func `what is held back at the end is not lost`() {
        let log = memory.log(.info)
        for number in 1...3 { log.info("\(number)", limit: .once(per: .seconds(1)), key: "k") }
        log.flush()
        log.flush()
        #expect(memory.texts == ["1", "3 (and 1 more like this)"])
    }

    @Test func `a kind of which nothing is heard is forgotten`() {
        let log = memory.log(.info)
        log.info("1", limit: .once(per: .seconds(60)), key: "k")
        memory.advance(by: .seconds(60))
        log.info("other")
        log.info("2", limit: LogLimit(lines: 2, per: .seconds(60)), key: "k")
        log.info("3", key: "k")
        log.info("4", key: "k")
        #expect(memory.texts == ["1", "other", "2", "3"], "the new limit holds")
    }

    @Test func `when there are too many kinds the new ones share a limit`() {
        let log = memory.log(.info)
        for number in 1...1_100 { log.info("\(number)", key: "\(number)") }
        #expect(memory.lines.count == 1_010)
        memory.advance(by: .seconds(60))
        log.info("again", key: "new")
        #expect(memory.texts.suffix(2) == ["1100 (and 89 more like this)", "again"])
    }

    @Test func `a jump of the date changes no limit`() {
        let log = memory.log(.info)
        log.info("1", limit: .once(per: .seconds(60)), key: "k")
        memory.date += .seconds(86_400)
        log.info("2", limit: .once(per: .seconds(60)), key: "k")
        #expect(memory.texts == ["1"])
    }
}
