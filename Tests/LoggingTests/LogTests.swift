import Logging
import Synchronization
import Testing

@Suite struct LogTests {
    let memory = Memory()

    @Test func `a message is one line with time, level, component and text`() {
        let log = memory.log(.debug)
        log.error("broken")
        log.warning("odd")
        log.named("tailer").info("fine")
        log.debug("detail")
        #expect(
            memory.lines == [
                "2026-11-30T11:38:30.123Z ERROR agent: broken\n",
                "2026-11-30T11:38:30.123Z WARN  agent: odd\n",
                "2026-11-30T11:38:30.123Z INFO  tailer: fine\n",
                "2026-11-30T11:38:30.123Z DEBUG agent: detail\n",
            ]
        )
    }

    @Test(arguments: [
        ("error", ["error"]), ("warning", ["error", "warning"]), ("info", ["error", "warning", "info"]),
        ("debug", ["error", "warning", "info", "debug"]),
    ])
    func `prints its level and what matters more`(name: String, printed: [String]) throws {
        let log = memory.log(try #require(LogLevel(rawValue: name)))
        var made: [String] = []
        func text(_ text: String) -> String {
            made.append(text)
            return text
        }
        for level in LogLevel.allCases { log.log(level, text(level.rawValue), key: level.rawValue) }
        #expect(memory.texts == printed)
        #expect(made == printed, "the text of the others is not even made")
    }

    @Test(arguments: [
        ("a\nb\r\tc", "a\\nb\\r\\tc"), ("\u{1B}[31mred\0", "\\u{1b}[31mred\\u{0}"), ("\u{7F}\u{85}", "\\u{7f}\\u{85}"),
        ("\u{2028}\u{2029}\u{202E}", "\\u{2028}\\u{2029}\\u{202e}"), ("日志 é 😀", "日志 é 😀"), ("", ""), ("a\\nb", "a\\nb"),
    ])
    func `what would end the line or change how it is shown is escaped`(text: String, shown: String) {
        memory.log(.info).info(text)
        #expect(memory.texts == [shown])
    }

    @Test(arguments: ["x", "é", "日", "😀", "\n", "\u{202E}"]) func `a long text is cut between characters`(piece: String)
    {
        let log = memory.log(.info)
        log.info(String(repeating: piece, count: 5_000))
        let line = memory.lines[0]
        #expect(line.utf8.count <= 4_096 && line.utf8.count > 4_080)
        #expect(line.hasSuffix("…\n") && !line.contains("\u{FFFD}"))
    }

    @Test(arguments: [
        (0, 0, "1970-01-01T00:00:00.000Z"), (951_782_399, 999, "2000-02-28T23:59:59.999Z"),
        (951_782_400, 0, "2000-02-29T00:00:00.000Z"), (951_868_800, 0, "2000-03-01T00:00:00.000Z"),
        (1_709_164_800, 0, "2024-02-29T00:00:00.000Z"), (1_735_689_599, 1, "2024-12-31T23:59:59.001Z"),
        (4_107_542_400, 0, "2100-03-01T00:00:00.000Z"), (-1, 0, "1969-12-31T23:59:59.000Z"),
        (0, -1, "1969-12-31T23:59:59.999Z"), (-62_135_596_800, 0, "0001-01-01T00:00:00.000Z"),
    ])
    func `writes any date`(seconds: Int, milliseconds: Int, text: String) {
        memory.date = .seconds(seconds) + .milliseconds(milliseconds)
        memory.log(.info).info("x")
        #expect(memory.lines == ["\(text) INFO  agent: x\n"])
    }

    @Test func `goes to standard error unless told otherwise`() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            Log(level: .info, component: "agent").info("hello")
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains(/(^|\n)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z INFO  agent: hello\n/))
    }

    @Test func `lines of many threads do not mix and none is lost`() async {
        let log = memory.log(.info)
        await withTaskGroup { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 0..<100 { log.info("\(task)-\(number)", key: "\(task)-\(number)") }
                }
            }
        }
        let expected = (0..<8).flatMap { task in (0..<100).map { "\(task)-\($0)" } }
        #expect(memory.texts.sorted() == expected.sorted())
    }
}

/// Keeps what is logged, at a time that a test sets.
final class Memory: Sendable {
    private struct State {
        var lines: [String] = []
        var date = Duration.milliseconds(1_796_038_710_123)
        var instant = ContinuousClock.now
    }

    private let state = Mutex(State())

    func log(_ level: LogLevel) -> Log {
        Log(
            level: level,
            component: "agent",
            sink: { [self] line in state.withLock { $0.lines.append(String(decoding: line, as: UTF8.self)) } },
            now: { [self] in state.withLock { LogTime(date: $0.date, instant: $0.instant) } }
        )
    }

    var lines: [String] { state.withLock(\.lines) }

    /// What follows the component.
    var texts: [String] {
        lines.map { line in
            // The time has no space after a colon.
            let parts = line.dropLast().split(separator: ": ", maxSplits: 1, omittingEmptySubsequences: false)
            return parts.count == 2 ? String(parts[1]) : ""
        }
    }

    var date: Duration {
        get { state.withLock(\.date) }
        set { state.withLock { $0.date = newValue } }
    }

    func advance(by duration: Duration) {
        state.withLock {
            $0.instant += duration
            $0.date += duration
        }
    }
}
