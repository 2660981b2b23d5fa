import Platform
import Records
import SQLite

/// What became of the records of a lease.
package enum Settlement: Sendable, Equatable {
    /// All were accepted: they are deleted.
    case accepted

    /// Those marked true were refused: they stay, before newer ones, charged with one attempt.
    ///
    /// The others were accepted and are deleted. One mark for each record.
    case partlyRefused([Bool])

    /// None was accepted: they stay, charged with one attempt if the service has answered.
    case returned(charged: Bool)

    /// None will ever be accepted, for this reason: they become dead letters.
    case setAside(reason: String)
}

extension RecordCache {
    /// Ends a lease, in one transaction.
    ///
    /// - Parameters:
    ///   - lease: what `lease` gave.
    ///   - settlement: what became of its records.
    ///   - maxRetries: a record that was refused more often becomes a dead letter; nil is for ever.
    /// - Returns: how many records became dead letters.
    /// - Throws: then nothing is changed and the lease goes on: settle it again.
    @discardableResult
    package func settle(_ lease: Lease, as settlement: Settlement, maxRetries: Int? = nil) throws(CacheError) -> Int {
        guard let before = streams[lease.stream] else { return 0 }
        var after = before
        var deadLetters = 0
        if settlement != .returned(charged: false) {
            try transaction { () throws(SQLiteError) in
                var first = 0
                for chunk in lease.chunks {
                    let fate = Fate(of: chunk, from: first, under: settlement, maxRetries: maxRetries)
                    let left = try apply(fate, to: chunk, from: first, of: lease, &deadLetters)
                    after.stored.records -= chunk.records - left.records
                    after.stored.bytes -= chunk.bytes - left.bytes
                    first += chunk.records
                }
                if after.stored != before.stored { try save(after) }
            }
        }
        after.lent.records -= lease.batch.count
        after.lent.bytes -= lease.batch.bytes.count
        after.lentChunks.subtract(lease.chunks.map(\.id))
        update(lease.stream, to: after)
        return deadLetters
    }

    /// Writes down the fate of a chunk, whose first record has index `first` in the lease; gives what is left of it.
    private func apply(
        _ fate: Fate,
        to chunk: LeasedChunk,
        from first: Int,
        of lease: Lease,
        _ deadLetters: inout Int
    ) throws(SQLiteError) -> Backlog {
        switch fate {
        case .delivered:
            try delete(chunk)
            return Backlog()
        case .charged:
            statements.chargeChunk.bind(chunk.id, at: 1)
            try statements.chargeChunk.run()
            return Backlog(records: chunk.records, bytes: chunk.bytes)
        case .reduced(let marks):
            let rest = lease.batch.records(first..<first + chunk.records) { marks[$0] }
            try rewrite(chunk.id, as: rest, attempts: chunk.attempts + 1)
            return Backlog(records: rest.count, bytes: rest.bytes.count)
        case .deadLetters(let marks, let reason):
            for index in first..<first + chunk.records where marks?[index] ?? true {
                let record = lease.batch.records(index..<index + 1)
                try bury(record, of: lease.stream, attempts: chunk.attempts, reason)
                deadLetters += 1
            }
            try delete(chunk)
            return Backlog()
        }
    }

    private func delete(_ chunk: LeasedChunk) throws(SQLiteError) {
        statements.deleteChunk.bind(chunk.id, at: 1)
        try statements.deleteChunk.run()
    }

    private func bury(
        _ record: RecordBatch,
        of stream: StreamName,
        attempts: Int,
        _ reason: String
    ) throws(SQLiteError) {
        statements.insertDeadLetter.bind(streams[stream]?.id ?? 0, at: 1)
        statements.insertDeadLetter.bind(WallClock.milliseconds, at: 2)
        statements.insertDeadLetter.bind(attempts, at: 3)
        statements.insertDeadLetter.bind(reason, at: 4)
        try statements.insertDeadLetter.run(lending: record.bytes.span, at: 5)
    }

    /// How many records were set aside for good, and why the last of them was.
    package func deadLetters() throws(CacheError) -> (count: Int, lastReason: String?) {
        try CacheError.of(path) { () throws(SQLiteError) in
            let select = try database.prepare(
                "SELECT count(*), (SELECT reason FROM dead_letter ORDER BY id DESC LIMIT 1) FROM dead_letter"
            )
            guard try select.step() else { return (0, nil) }
            let count = select.integer(at: 0)
            return (count, count > 0 ? select.text(at: 1) : nil)
        }
    }
}

/// What a settlement means for one chunk of a lease.
private enum Fate {
    case delivered
    case charged
    case reduced(to: [Bool])
    case deadLetters(of: [Bool]?, reason: String)

    init(of chunk: LeasedChunk, from first: Int, under settlement: Settlement, maxRetries: Int?) {
        let isSpent = maxRetries.map { chunk.attempts >= $0 } ?? false
        let reason = "refused \(chunk.attempts + 1) times, more than maxRetries allows"
        switch settlement {
        case .accepted: self = .delivered
        case .returned: self = isSpent ? .deadLetters(of: nil, reason: reason) : .charged
        case .setAside(let reason): self = .deadLetters(of: nil, reason: reason)
        case .partlyRefused(let marks):
            let refused = marks[first..<first + chunk.records].count { $0 }
            if refused == 0 {
                self = .delivered
            } else if isSpent {
                self = .deadLetters(of: marks, reason: reason)
            } else {
                self = refused == chunk.records ? .charged : .reduced(to: marks)
            }
        }
    }
}
