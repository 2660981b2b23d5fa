import Records
import SQLite

/// What the cache knows by heart about one stream, so that it never has to count rows.
struct StreamState {
    let id: Int

    /// The number of the oldest record; chunks before it are delivered and not deleted yet.
    var firstRecord: Int

    /// The number that the next record gets.
    var nextRecord: Int

    /// How many records it was ever given, and of how many lines; those that were set aside and put back count once.
    var given = Tally()

    /// What that was when the cache was opened.
    var givenBefore = Tally()

    /// Bytes in the chunks before `firstRecord`; at least 1 if there may be any.
    var spentBytes = 0

    /// When records were stored last by this process.
    var lastAppend: ContinuousClock.Instant?

    /// How much of what files have long had may be stored, in bytes; nil is as much as there is room for.
    var lead: Int?

    /// What is stored, lent records included.
    var stored: Backlog

    /// What became of those that are not stored any more.
    var left = Departures()

    /// What is lent.
    var lent = Backlog()

    /// The chunks that are lent.
    var lentChunks: Set<Int> = []

    /// Records that are stored and not lent.
    var waiting: Backlog { stored - lent }

    /// How many more bytes may be stored until the lead is used up; nil is no limit.
    var leadLeft: Int? { lead.map { max(0, $0 - stored.bytes) } }

    /// The ids that chunks may have whose records are not delivered.
    var chunkIDs: Range<Int> { id << 40 + firstRecord..<(id + 1) << 40 }

    /// The ids that chunks may have which can be deleted.
    var spentIDs: Range<Int> { id << 40..<id << 40 + firstRecord }

    /// The id of a chunk that begins with the next record.
    var nextID: Int { id << 40 + nextRecord }

    /// Begins to count anew, long before the numbers run out, when there is no chunk whose number could be given again.
    mutating func renumberIfEmpty() {
        guard stored.isEmpty, nextRecord >= 1 << 39 else { return }
        firstRecord = 0
        nextRecord = 0
    }

    /// Drops all that is stored, lent records included.
    mutating func empty() {
        left.dropped += stored.tally
        firstRecord = nextRecord
        spentBytes = 0
        stored = Backlog()
        lent = Backlog()
        lentChunks = []
    }
}

/// How many records there are, and of how many lines they were made.
struct Tally: Equatable {
    var records = 0
    var lines = 0

    static func += (left: inout Tally, right: Tally) {
        left.records += right.records
        left.lines += right.lines
    }

    static func -= (left: inout Tally, right: Tally) {
        left.records -= right.records
        left.lines -= right.lines
    }
}

/// What has left a stream, and how.
struct Departures: Equatable {
    var delivered = Tally()

    /// What is set aside now.
    var deadLetters = Tally()
    var dropped = Tally()
    var damaged = Tally()

    /// Counts dead letters that were deleted.
    mutating func dropLetters(_ letters: Tally) {
        deadLetters -= letters
        dropped += letters
    }
}

extension StreamState {
    /// What became of all its records.
    var balance: StreamBalance { balance(of: \.records, cached: stored.records) }

    /// What became of the lines that they were made of.
    var lineBalance: StreamBalance { balance(of: \.lines, cached: stored.lines) }

    private func balance(of count: KeyPath<Tally, Int>, cached: Int) -> StreamBalance {
        var balance = StreamBalance()
        balance.stored = given[keyPath: count]
        balance.storedInSession = given[keyPath: count] - givenBefore[keyPath: count]
        balance.delivered = left.delivered[keyPath: count]
        balance.deadLetters = left.deadLetters[keyPath: count]
        balance.dropped = left.dropped[keyPath: count]
        balance.damaged = left.damaged[keyPath: count]
        balance.cached = cached
        return balance
    }

    /// The columns of the table of streams, in the order in which `named` expects them.
    static let columns = """
        name, id, first_record, next_record, records, bytes, lines, given, given_lines, delivered, delivered_lines, \
        dead_letters, dead_letter_lines, dropped, dropped_lines, damaged, damaged_lines
        """

    /// From a row with these columns; nil if the name is none.
    static func named(_ row: Statement) -> (StreamName, StreamState)? {
        guard let name = StreamName(row.text(at: 0)) else { return nil }
        let state = StreamState(
            id: row.integer(at: 1),
            firstRecord: row.integer(at: 2),
            nextRecord: row.integer(at: 3),
            given: Tally(row, at: 7),
            givenBefore: Tally(row, at: 7),
            spentBytes: row.integer(at: 2) > 0 ? 1 : 0,
            stored: Backlog(records: row.integer(at: 4), bytes: row.integer(at: 5), lines: row.integer(at: 6)),
            left: Departures(
                delivered: Tally(row, at: 9),
                deadLetters: Tally(row, at: 11),
                dropped: Tally(row, at: 13),
                damaged: Tally(row, at: 15)
            )
        )
        return (name, state)
    }
}

extension Tally {
    /// From two columns of a row.
    fileprivate init(_ row: Statement, at column: Int) {
        records = row.integer(at: column)
        lines = row.integer(at: column + 1)
    }
}
