import Records
import SQLite

/// What the cache knows by heart about one stream, so that it never has to count rows.
struct StreamState {
    let id: Int

    /// The number of the oldest record; chunks before it are delivered and not deleted yet.
    var firstRecord: Int

    /// The number that the next record gets.
    var nextRecord: Int

    /// What `nextRecord` was when the cache was opened.
    var firstOfSession = 0

    /// Bytes in the chunks before `firstRecord`; at least 1 if there may be any.
    var spentBytes = 0

    /// When records were stored last by this process.
    var lastAppend: ContinuousClock.Instant?

    /// How much of what files have long had may be stored, in bytes; nil is as much as there is room for.
    var lead: Int?

    /// What is stored, lent records included.
    var stored: Backlog

    /// What became of the records that are not stored any more.
    var left = Departures()

    /// What is lent.
    var lent = Backlog()

    /// The chunks that are lent.
    var lentChunks: Set<Int> = []

    /// Records that are stored and not lent.
    var waiting: Backlog {
        Backlog(
            records: stored.records - lent.records,
            bytes: stored.bytes - lent.bytes,
            holdsUpReading: leadLeft == 0
        )
    }

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
}

/// How many records have left a stream, and how.
struct Departures: Equatable {
    var delivered = 0
    var deadLetters = 0
    var dropped = 0
    var damaged = 0
}

extension StreamState {
    /// What became of all its records.
    var balance: StreamBalance {
        var balance = StreamBalance()
        balance.stored = nextRecord
        balance.storedInSession = nextRecord - firstOfSession
        balance.delivered = left.delivered
        balance.deadLetters = left.deadLetters
        balance.dropped = left.dropped
        balance.damaged = left.damaged
        balance.cached = stored.records
        return balance
    }

    /// The columns of the table of streams, in the order in which `named` expects them.
    static let columns =
        "name, id, first_record, next_record, records, bytes, delivered, dead_letters, dropped, damaged"

    /// From a row with these columns; nil if the name is none.
    static func named(_ row: Statement) -> (StreamName, StreamState)? {
        guard let name = StreamName(row.text(at: 0)) else { return nil }
        let state = StreamState(
            id: row.integer(at: 1),
            firstRecord: row.integer(at: 2),
            nextRecord: row.integer(at: 3),
            firstOfSession: row.integer(at: 3),
            spentBytes: row.integer(at: 2) > 0 ? 1 : 0,
            stored: Backlog(records: row.integer(at: 4), bytes: row.integer(at: 5)),
            left: Departures(
                delivered: row.integer(at: 6),
                deadLetters: row.integer(at: 7),
                dropped: row.integer(at: 8),
                damaged: row.integer(at: 9)
            )
        )
        return (name, state)
    }
}
