import Bytes
import Platform
import Records
import SQLite

/// The records that were set aside, in one table that is bounded.
final class DeadLetterTable {
    /// What is known of a letter when it is written.
    struct Row {
        /// The id of its stream.
        var stream: Int
        var attempts: Int
        var reason: String
        var lines = 1
        var origin = DeadLetterOrigin()
    }

    /// How many bytes of records may be kept, counting `rowBytes` more for each.
    var maxBytes = Int.max

    /// The letters of each stream, by its id, that were deleted to keep within that, and not told yet.
    private(set) var discarded: [Int: Tally] = [:]

    /// What a letter takes beside its record, about, in bytes.
    static let rowBytes = 256

    /// What all letters take; nil until somebody has to know.
    private var bytes: Int?

    private let database: Database
    private let insert: Statement

    init(in database: Database) throws(SQLiteError) {
        self.database = database
        insert = try database.prepare(
            """
            INSERT INTO dead_letter (id, stream, created, attempts, reason, origin, payload, lines)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            """
        )
    }

    // MARK: Writing, within the caller's transaction

    /// Keeps one record.
    func insert(_ record: [UInt8], _ row: Row) throws(SQLiteError) {
        insert.bind(nil, at: 1)
        insert.bind(row.stream, at: 2)
        insert.bind(WallClock.milliseconds, at: 3)
        insert.bind(row.attempts, at: 4)
        insert.bind(row.reason, at: 5)
        insert.bind(row.origin.encoded, at: 6)
        insert.bind(row.lines, at: 8)
        try insert.run(lending: record.span, at: 7)
        bytes? += record.count + Self.rowBytes
    }

    /// From a row of id, stream, created, attempts, reason, payload, origin and lines.
    func copy(_ row: Statement) throws(SQLiteError) {
        for column in 0..<4 { insert.bind(row.integer(at: column), at: column + 1) }
        insert.bind(row.text(at: 4), at: 5)
        insert.bind(row.isNull(at: 6) ? nil : row.withBlob(at: 6) { [UInt8](copying: $0) }, at: 6)
        insert.bind(row.integer(at: 7), at: 8)
        let payload = row.withBlob(at: 5) { [UInt8](copying: $0) }
        try insert.run(lending: payload.span, at: 7)
        bytes = nil
    }

    /// Deletes one.
    ///
    /// - Returns: how many lines it was made of.
    func delete(_ id: Int) throws(SQLiteError) -> Int {
        let delete = try database.prepare("DELETE FROM dead_letter WHERE id = ?1 RETURNING lines")
        delete.bind(id, at: 1)
        var lines = 0
        while try delete.step() { lines = delete.integer(at: 0) }
        bytes = nil
        return lines
    }

    /// Deletes the oldest letters until the others are within `maxBytes`.
    func discardOldest() throws(SQLiteError) {
        guard maxBytes < .max else { return }
        var total = 0
        if let bytes { total = bytes } else { total = try size() }
        defer { bytes = total }
        guard total > maxBytes else { return }
        let oldest = try database.prepare("SELECT id, stream, length(payload), lines FROM dead_letter ORDER BY id")
        var last = 0
        while total > maxBytes, try oldest.step() {
            last = oldest.integer(at: 0)
            let letter = Tally(records: 1, lines: oldest.integer(at: 3))
            discarded[oldest.integer(at: 1), default: Tally()] += letter
            total -= oldest.integer(at: 2) + Self.rowBytes
        }
        oldest.reset()
        let delete = try database.prepare("DELETE FROM dead_letter WHERE id <= ?1")
        delete.bind(last, at: 1)
        try delete.run()
    }

    private func size() throws(SQLiteError) -> Int {
        try database.integer("SELECT coalesce(sum(length(payload) + \(Self.rowBytes)), 0) FROM dead_letter")
    }

    /// The transaction is undone: what was counted in it does not hold.
    func forgetChanges() {
        bytes = nil
        discarded = [:]
    }

    /// Gives `discarded`, and begins to count anew.
    func takeDiscarded() -> [Int: Tally] {
        defer { discarded = [:] }
        return discarded
    }

    // MARK: Reading

    /// Visits the letters of a selection, the oldest first; what `row` has is said by `columns`.
    ///
    /// - Returns: the ids of the selection that are not there.
    func forEach(
        of selection: DeadLetterSelection,
        inStream stream: Int?,
        _ columns: String,
        _ body: (_ row: Statement) throws(SQLiteError) -> Void
    ) throws(SQLiteError) -> [Int] {
        let condition = stream == nil ? "?2 = 0" : "stream = ?2"
        guard let ids = selection.ids else {
            let select = try database.prepare(
                "SELECT \(columns) FROM dead_letter WHERE id >= ?1 AND \(condition) ORDER BY id"
            )
            select.bind(Int.min, at: 1)
            select.bind(stream ?? 0, at: 2)
            while try select.step() { try body(select) }
            return []
        }
        let select = try database.prepare("SELECT \(columns) FROM dead_letter WHERE id = ?1 AND \(condition)")
        var missing: [Int] = []
        for id in Set(ids).sorted() {
            select.bind(id, at: 1)
            select.bind(stream ?? 0, at: 2)
            if try select.step() { try body(select) } else { missing.append(id) }
            select.reset()
        }
        return missing
    }
}
