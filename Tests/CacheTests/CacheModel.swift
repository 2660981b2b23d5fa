import Cache
import Records

/// What a cache must do, in the simplest way: a list of records for each stream.
struct CacheModel {
    struct Entry: Equatable {
        var text: String
        var attempts = 0

        /// The lease that it is lent to.
        var lease: Int?

        /// How many lines it was made of.
        var lines = 1
    }

    var entries: [StreamName: [Entry]] = [:]
    var deadLetters = 0
    let maxBytes: Int

    var stored: Backlog { Self.backlog(entries.values.joined()) }

    func waiting(_ stream: StreamName) -> [Entry] { entries[stream, default: []].filter { $0.lease == nil } }

    static func backlog(_ entries: some Sequence<Entry>) -> Backlog {
        entries.reduce(into: Backlog()) { total, entry in
            total.records += 1
            total.bytes += entry.text.utf8.count
            total.lines += entry.lines
        }
    }

    /// Gives for each record whether it was stored.
    mutating func record(_ records: [(StreamName, String)]) -> [Bool] {
        var room = max(0, maxBytes - stored.bytes)
        return records.map { stream, text in
            guard text.utf8.count <= room else { return false }
            room -= text.utf8.count
            entries[stream, default: []].append(Entry(text: text))
            return true
        }
    }

    /// How many of the waiting records a request can hold.
    func fitting(_ stream: StreamName, _ limits: BatchLimits) -> Int {
        var bytes = 0
        var count = 0
        for entry in waiting(stream).prefix(limits.records) {
            bytes += entry.text.utf8.count
            if bytes > limits.bytes, count > 0 { break }
            count += 1
        }
        return count
    }

    /// Lends the oldest records that wait.
    ///
    /// - Returns: how often the most refused of them was.
    mutating func lend(_ count: Int, of stream: StreamName, to lease: Int) -> Int {
        var left = count
        var attempts = 0
        for index in entries[stream, default: []].indices where left > 0 && entries[stream]?[index].lease == nil {
            entries[stream]?[index].lease = lease
            attempts = max(attempts, entries[stream]?[index].attempts ?? 0)
            left -= 1
        }
        return attempts
    }

    /// Gives how many records were given up.
    mutating func settle(
        _ lease: Int,
        of stream: StreamName,
        _ settlement: Settlement,
        maxRetries: Int?,
        _ givingUp: GivingUp
    ) -> Int {
        var givenUp = 0
        var index = -1
        entries[stream] = entries[stream, default: []].compactMap { entry in
            guard entry.lease == lease else { return entry }
            index += 1
            var entry = entry
            entry.lease = nil
            switch settlement {
            case .accepted: return nil
            case .partlyRefused(let marks) where !marks[index]: return nil
            case .returned(charged: false): return entry
            case .setAside:
                givenUp += 1
                deadLetters += 1
                return nil
            case .partlyRefused, .returned:
                if let maxRetries, entry.attempts >= maxRetries {
                    givenUp += 1
                    if givingUp == .deadLetters { deadLetters += 1 }
                    return nil
                }
                entry.attempts += 1
                return entry
            }
        }
        return givenUp
    }

    /// Ends every lease, as a restart does.
    mutating func restart() {
        entries = entries.mapValues { entries in
            entries.map { Entry(text: $0.text, attempts: $0.attempts, lines: $0.lines) }
        }
    }
}
