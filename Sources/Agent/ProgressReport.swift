import Cache
import Intake
import Logging

/// Says from time to time how much has been read, is cached, was delivered, and is still to be read.
struct ProgressReport {
    let intake: Intake
    let cache: RecordCache
    let journal: Journal
    let log: Log

    /// Writes a line in each period, until cancelled.
    func run(every period: Duration) async {
        while true {
            do {
                try await Task.sleep(for: period)
            } catch {
                return
            }
            await write()
        }
    }

    func write() async {
        let read = intake.currentStatistics
        let cached = await cache.stored
        let delivered = journal.delivered
        var text = "read \(Amount.count(read.counts.lines, "line")) (\(Amount.bytes(read.counts.bytes)))"
        text += " of \(Amount.count(read.files, "file"))"
        text += ", cached \(Amount.count(cached.records, "record")) (\(Amount.bytes(cached.bytes)))"
        text += ", delivered \(Amount.count(delivered.records, "record")) (\(Amount.bytes(delivered.bytes)))"
        text += " in \(Amount.count(delivered.requests, "request")), behind \(Amount.bytes(read.behind))"
        if read.counts.cutLines > 0 {
            let lost = Amount.bytes(read.counts.droppedBytes)
            text += ", \(Amount.count(read.counts.cutLines, "line")) cut (\(lost) lost)"
        }
        if read.counts.splitEvents > 0 { text += ", events split \(Amount.count(read.counts.splitEvents, "time"))" }
        if read.counts.brokenLines > 0 { text += ", \(Amount.count(read.counts.brokenLines, "broken line"))" }
        if read.counts.unfinishedMessages > 0 {
            text += ", \(Amount.count(read.counts.unfinishedMessages, "unfinished message"))"
        }
        if delivered.deadLetters > 0 { text += ", \(Amount.count(delivered.deadLetters, "dead letter"))" }
        log.info(text)
    }
}
