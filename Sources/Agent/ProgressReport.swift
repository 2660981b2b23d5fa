import Cache
import Intake
import Logging

/// Says from time to time how much has been read, is cached, was delivered, and is still to be read; and that nothing
/// gets done, if so.
struct ProgressReport {
    let intake: Intake
    let cache: RecordCache
    let journal: Journal
    let log: Log

    /// How long nothing may get done although work is pending, before that is said: longer than any record may wait.
    let patience: Duration

    /// How often it is looked whether anything gets done.
    private static let checkPeriod: Duration = .seconds(60)

    /// Writes a line in each period, until cancelled.
    func run(every period: Duration) async {
        var alarm = StallAlarm(patience: patience, at: .now)
        var (nextLine, nextCheck) = (ContinuousClock.now + period, ContinuousClock.now + checkPeriod)
        while true {
            do {
                try await Task.sleep(until: min(nextLine, nextCheck), clock: .continuous)
            } catch {
                return
            }
            let now = ContinuousClock.now
            if now >= nextCheck {
                nextCheck = now + checkPeriod
                await check(&alarm, at: now)
            }
            if now >= nextLine {
                nextLine = now + period
                await write()
            }
        }
    }

    private var checkPeriod: Duration { min(Self.checkPeriod, patience / 4) }

    private func check(_ alarm: inout StallAlarm, at now: ContinuousClock.Instant) async {
        let read = intake.currentStatistics
        let cached = await cache.stored
        let progress = StallAlarm.Progress(
            deliveredRecords: journal.delivered.records,
            readBytes: read.counts.bytes
        )
        let isPending = !cached.isEmpty || read.behind.due > 0
        guard let idle = alarm.check(progress, isPending: isPending, at: now) else { return }
        log.error(
            """
            nothing was read or delivered for \(idle.components.seconds) s, although \
            \(Amount.count(cached.records, "record")) (\(Amount.bytes(cached.bytes))) are cached and \
            \(Amount.bytes(read.behind.due)) are to be read
            """
        )
    }

    func write() async {
        let read = intake.currentStatistics
        let cached = await cache.stored
        let delivered = journal.delivered
        var text = "read \(Amount.count(read.counts.lines, "line")) (\(Amount.bytes(read.counts.bytes)))"
        text += " of \(Amount.count(read.files, "file"))"
        text += ", cached \(Amount.count(cached.records, "record")) (\(Amount.bytes(cached.bytes)))"
        text += ", delivered \(Amount.count(delivered.records, "record")) (\(Amount.bytes(delivered.bytes)))"
        text += " in \(Amount.count(delivered.requests, "request")), behind \(Amount.bytes(read.behind.bytes))"
        if read.counts.cutLines > 0 {
            let lost = Amount.bytes(read.counts.droppedBytes)
            text += ", \(Amount.count(read.counts.cutLines, "line")) cut (\(lost) lost)"
        }
        if read.counts.splitEvents > 0 { text += ", events split \(Amount.count(read.counts.splitEvents, "time"))" }
        if read.counts.brokenLines > 0 { text += ", \(Amount.count(read.counts.brokenLines, "broken line"))" }
        if read.counts.unfinishedMessages > 0 {
            text += ", \(Amount.count(read.counts.unfinishedMessages, "unfinished message"))"
        }
        if read.lostBytes > 0 { text += ", \(Amount.bytes(read.lostBytes)) lost with files that are gone" }
        if delivered.deadLetters > 0 { text += ", \(Amount.count(delivered.deadLetters, "dead letter"))" }
        if delivered.discardedLetters > 0 {
            text += ", \(Amount.count(delivered.discardedLetters, "dead letter")) deleted for want of room"
        }
        log.info(text)
    }
}
