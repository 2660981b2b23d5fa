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
    /// - Returns: how many records became dead letters, and what waits in the stream now.
    /// - Throws: then nothing is changed and the lease goes on: settle it again.
    @discardableResult
    package func settle(
        _ lease: Lease,
        as settlement: Settlement,
        maxRetries: Int? = nil
    ) throws(CacheError) -> (deadLetters: Int, waiting: Backlog) {
        guard var state = streams[lease.stream] else { return (0, Backlog()) }
        let deadLetters = try write(settlement, of: lease, maxRetries, &state)
        state.lent.records -= lease.batch.count
        state.lent.bytes -= lease.batch.bytes.count
        state.lentChunks.subtract(lease.chunks.map(\.id))
        update(lease.stream, to: state)
        return (deadLetters, state.waiting)
    }

    /// Writes down what became of a lease; gives how many of its records became dead letters.
    private func write(
        _ settlement: Settlement,
        of lease: Lease,
        _ maxRetries: Int?,
        _ state: inout StreamState
    ) throws(CacheError) -> Int {
        switch settlement {
        case .returned(charged: false): 0
        case .accepted where lease.isOldest:
            try transaction { () throws(SQLiteError) in
                try pass(lease, &state)
                return 0
            }
        default:
            try transaction { () throws(SQLiteError) in try writeFates(settlement, of: lease, maxRetries, &state) }
        }
    }

    /// Lets the stream begin behind the lease, without touching its chunks until there are many of them.
    private func pass(_ lease: Lease, _ state: inout StreamState) throws(SQLiteError) {
        state.firstRecord += (lease.chunks.last?.id ?? 0) - state.chunkIDs.lowerBound + 1
        state.stored.records -= lease.batch.count
        state.stored.bytes -= lease.batch.bytes.count
        state.spentBytes += lease.batch.bytes.count
        if state.spentBytes >= Self.spentLimit { try deleteSpent(&state) }
        try save(state)
    }

    /// Bytes of delivered records that may wait to be deleted.
    private static let spentLimit = 1 << 20

    private func writeFates(
        _ settlement: Settlement,
        of lease: Lease,
        _ maxRetries: Int?,
        _ state: inout StreamState
    ) throws(SQLiteError) -> Int {
        let before = state.stored
        var deadLetters = 0
        var first = 0
        for chunk in lease.chunks {
            let fate = Fate(of: chunk, from: first, under: settlement, maxRetries: maxRetries)
            let left = try apply(fate, to: chunk, from: first, of: lease, &deadLetters)
            state.stored.records -= chunk.records - left.records
            state.stored.bytes -= chunk.bytes - left.bytes
            first += chunk.records
        }
        if state.stored != before { try save(state) }
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
