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

/// What becomes of a record that was refused more often than allowed.
package enum GivingUp: Sendable, Equatable {
    /// It becomes a dead letter.
    case deadLetters

    /// It is deleted for good.
    case dropped
}

extension RecordCache {
    /// Ends a lease, in one transaction; one that was taken before the cache was cleared changes nothing.
    ///
    /// - Parameters:
    ///   - lease: what `lease` gave.
    ///   - settlement: what became of its records.
    ///   - maxRetries: a record that was refused more often is given up; nil is for ever.
    ///   - givingUp: what that means. What is set aside becomes a dead letter in any case.
    /// - Returns: how many records became dead letters or were dropped, and what waits in the stream now.
    /// - Throws: then nothing is changed and the lease goes on: settle it again. To return a lease without a charge
    ///   writes nothing, and throws only if the cache is closed.
    @discardableResult
    package func settle(
        _ lease: Lease,
        as settlement: Settlement,
        maxRetries: Int? = nil,
        givingUp: GivingUp = .deadLetters
    ) throws(CacheError) -> (givenUp: Int, waiting: Backlog) {
        let storage = try opened()
        guard lease.clearings == clearings, var state = streams[lease.stream] else {
            return (0, backlog(of: lease.stream))
        }
        let fates = Fates(settlement: settlement, maxRetries: maxRetries, givingUp: givingUp)
        let givenUp = try storage.write(fates, of: lease, &state)
        state.lent -= Backlog(lease.batch)
        state.lentChunks.subtract(lease.chunks.map(\.id))
        update(lease.stream, to: state)
        tellOfDiscardedLetters(in: storage, settling: lease.stream)
        return (givenUp, state.waiting)
    }

    /// Deletes every record of every stream, lent ones included; checkpoints and dead letters stay.
    ///
    /// - Returns: how much that was.
    package func clear() throws(CacheError) -> Backlog {
        let storage = try opened()
        let cleared = stored
        let emptied = streams.mapValues { state in
            var emptied = state
            emptied.empty()
            return emptied
        }
        try storage.transaction { () throws(SQLiteError) in
            try storage.database.execute("DELETE FROM chunk")
            for state in emptied.values { try storage.save(state) }
        }
        clearings += 1
        for (name, state) in emptied { update(name, to: state) }
        return cleared
    }
}

extension Storage {
    /// Writes down what became of a lease; gives how many of its records were given up.
    fileprivate func write(_ fates: Fates, of lease: Lease, _ state: inout StreamState) throws(CacheError) -> Int {
        switch fates.settlement {
        case .returned(charged: false): 0
        case .accepted where lease.isOldest:
            try transaction { () throws(SQLiteError) in
                try pass(lease, &state)
                return 0
            }
        default:
            try transaction { () throws(SQLiteError) in try apply(fates, to: lease, &state) }
        }
    }

    /// Lets the stream begin behind the lease, without touching its chunks until there are many of them.
    private func pass(_ lease: Lease, _ state: inout StreamState) throws(SQLiteError) {
        state.firstRecord += (lease.chunks.last?.id ?? 0) - state.chunkIDs.lowerBound + 1
        state.stored -= Backlog(lease.batch)
        state.left.delivered += Backlog(lease.batch).tally
        state.spentBytes += lease.batch.bytes.count
        if state.spentBytes >= Self.spentLimit { try deleteSpent(&state) }
        try save(state)
    }

    /// Bytes of delivered records that may wait to be deleted.
    private static let spentLimit = 1 << 20

    private func apply(_ fates: Fates, to lease: Lease, _ state: inout StreamState) throws(SQLiteError) -> Int {
        let before = state.stored
        var givenUp = 0
        var first = 0
        for chunk in lease.chunks {
            let records = first..<first + chunk.records
            state.stored -= chunk.backlog
            switch fates.fate(of: chunk, records) {
            case .delivered:
                try delete(chunk.id)
                state.left.delivered += chunk.backlog.tally
            case .charged:
                try charge(chunk.id)
                state.stored += chunk.backlog
            case .reduced(let marks):
                let rest = lease.batch.records(records) { marks[$0] }
                try rewrite(chunk.id, as: rest, attempts: chunk.attempts + 1)
                state.stored += Backlog(rest)
                state.left.delivered += (chunk.backlog - Backlog(rest)).tally
            case .dropped(let marks):
                try delete(chunk.id)
                let dropped = lease.batch.total(of: records) { marks?[$0] ?? true }
                givenUp += dropped.records
                state.left.dropped += dropped.tally
                state.left.delivered += (chunk.backlog - dropped).tally
            case .deadLetters(let marks, let reason):
                let buried = records.filter { marks?[$0] ?? true }
                try bury(buried, of: lease, chunk, reason, &state)
                givenUp += buried.count
            }
            first = records.upperBound
        }
        for (stream, discarded) in letters.discarded {
            if stream == state.id { state.left.dropLetters(discarded) } else { try drop(discarded, ofStream: stream) }
        }
        if state.stored != before { try save(state) }
        return givenUp
    }

    /// Writes down that letters of another stream were deleted.
    private func drop(_ letters: Tally, ofStream id: Int) throws(SQLiteError) {
        let update = try database.prepare(
            """
            UPDATE stream SET dead_letters = dead_letters - ?2, dead_letter_lines = dead_letter_lines - ?3,
                dropped = dropped + ?2, dropped_lines = dropped_lines + ?3
            WHERE id = ?1
            """
        )
        update.bind(id, at: 1)
        update.bind(letters.records, at: 2)
        update.bind(letters.lines, at: 3)
        try update.run()
    }

    /// Makes dead letters of these records of a chunk; its others were delivered.
    private func bury(
        _ buried: [Int],
        of lease: Lease,
        _ chunk: LeasedChunk,
        _ reason: String,
        _ state: inout StreamState
    ) throws(SQLiteError) {
        var letter = DeadLetterTable.Row(stream: state.id, attempts: chunk.attempts, reason: reason)
        letter.origin = try origin(ofChunk: chunk.id, in: state)
        var total = Backlog()
        for index in buried {
            let record = lease.batch.records(index..<index + 1)
            letter.lines = record.lines
            try letters.insert(record.bytes, letter)
            total += Backlog(record)
        }
        try letters.discardOldest()
        try delete(chunk.id)
        state.left.deadLetters += total.tally
        state.left.delivered += (chunk.backlog - total).tally
    }
}

/// What a settlement means for one chunk of a lease.
private enum Fate {
    case delivered
    case charged
    case reduced(to: [Bool])
    case dropped([Bool]?)
    case deadLetters(of: [Bool]?, reason: String)
}

/// What a settlement means for every chunk of a lease.
private struct Fates {
    let settlement: Settlement
    let maxRetries: Int?
    let givingUp: GivingUp

    /// The fate of a chunk, whose records have these indices in the lease.
    func fate(of chunk: LeasedChunk, _ records: Range<Int>) -> Fate {
        switch settlement {
        case .accepted: .delivered
        case .setAside(let reason): .deadLetters(of: nil, reason: reason)
        case .returned:
            isSpent(chunk) ? end(of: chunk, nil) : .charged
        case .partlyRefused(let marks):
            switch marks[records].count(where: \.self) {
            case 0: .delivered
            case _ where isSpent(chunk): end(of: chunk, marks)
            case chunk.records: .charged
            default: .reduced(to: marks)
            }
        }
    }

    private func isSpent(_ chunk: LeasedChunk) -> Bool {
        maxRetries.map { chunk.attempts >= $0 } ?? false
    }

    private func end(of chunk: LeasedChunk, _ marks: [Bool]?) -> Fate {
        switch givingUp {
        case .dropped: .dropped(marks)
        case .deadLetters:
            .deadLetters(of: marks, reason: "refused \(chunk.attempts + 1) times, more than maxRetries allows")
        }
    }
}

extension RecordBatch {
    /// What those records are together whose index is in `range` and that `isIncluded` wants.
    fileprivate func total(of range: Range<Int>, where isIncluded: (Int) -> Bool) -> Backlog {
        range.reduce(into: Backlog()) { total, index in
            guard isIncluded(index) else { return }
            total += Backlog(records: 1, bytes: lengths[index], lines: lines(in: index..<index + 1))
        }
    }
}
