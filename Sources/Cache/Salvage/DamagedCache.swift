import Records
import SQLite

/// A damaged database, of which is read what can be read.
struct DamagedCache {
    private let database: Database

    /// Nil if SQLite cannot do anything with it.
    init?(at path: String) {
        do throws(SQLiteError) {
            database = try Database(salvaging: path)
            _ = try database.integer("SELECT count(*) FROM sqlite_schema")
        } catch {
            return nil
        }
    }

    // MARK: Rows

    /// Visits the rows of a table from its start, and if one cannot be read, from its end up to where it cannot go on.
    ///
    /// - Returns: whether these were all rows.
    func rows(of table: String, _ columns: String, by key: [String], _ visit: (Statement) -> Void) -> Bool {
        if walk(table, columns, by: key.joined(separator: ", "), visit) { return true }
        _ = walk(table, columns, by: key.map { $0 + " DESC" }.joined(separator: ", "), visit)
        return false
    }

    private func walk(_ table: String, _ columns: String, by order: String, _ visit: (Statement) -> Void) -> Bool {
        do throws(SQLiteError) {
            let select = try database.prepare("SELECT \(columns) FROM \(table) NOT INDEXED ORDER BY \(order)")
            while try select.step() { visit(select) }
            return true
        } catch {
            return false
        }
    }

    // MARK: Chunks

    /// What is known of a chunk without its records.
    struct Head: Equatable {
        var id: Int
        var created: Int
        var attempts: Int
        var origins: Origins?
        var records: Int
    }

    /// The chunks that can be found in a range of ids, and where there may be others.
    struct Heads: Equatable {
        var found: [Head] = []
        var gaps: [Range<Int>] = []
    }

    /// Finds the chunks in a range of ids.
    ///
    /// A page that cannot be read ends a walk over the table; what lies behind it is found by a walk from the other end,
    /// and what lies between two such pages by seeking in the middle.
    ///
    /// - Parameters:
    ///   - ids: where to look.
    ///   - limit: how often it is sought in the middle of the dark; as many as by default take a second or so.
    /// - Returns: what was found, in order.
    func heads(in ids: Range<Int>, seeking limit: Int = 20_000) -> Heads {
        var heads = Heads()
        var pending = [ids]
        var seeks = 0
        while let range = pending.popLast() {
            seeks += 1
            let up = walk(range, isAscending: true)
            heads.found += up.found
            if up.isComplete { continue }
            let rest = (up.found.last.map { $0.id + 1 } ?? range.lowerBound)..<range.upperBound
            let down = walk(rest, isAscending: false)
            heads.found += down.found
            if down.isComplete { continue }
            let dark = rest.lowerBound..<(down.found.last?.id ?? rest.upperBound)
            let isHopeless = up.found.isEmpty && down.found.isEmpty && dark.count <= Self.finestSeek
            if isHopeless || seeks > limit {
                heads.gaps.append(dark)
            } else if !dark.isEmpty {
                let middle = dark.lowerBound + dark.count / 2
                pending += [middle..<dark.upperBound, dark.lowerBound..<middle]
            }
        }
        heads.found.sort { $0.id < $1.id }
        heads.gaps.sort { $0.lowerBound < $1.lowerBound }
        return heads
    }

    /// Ids between two chunks that are not looked for one by one.
    private static let finestSeek = 64

    private func walk(_ ids: Range<Int>, isAscending: Bool) -> (found: [Head], isComplete: Bool) {
        var found: [Head] = []
        do throws(SQLiteError) {
            let select = try database.prepare(
                """
                SELECT id, created, attempts, \(Lengths.countInSQL), origins FROM chunk
                WHERE id >= ?1 AND id < ?2 ORDER BY id \(isAscending ? "ASC" : "DESC")
                """
            )
            select.bind(ids.lowerBound, at: 1)
            select.bind(ids.upperBound, at: 2)
            while try select.step() {
                let head = Self.head(select)
                let isInOrder = found.last.map { isAscending ? $0.id < head.id : $0.id > head.id } ?? true
                guard isInOrder, ids.contains(head.id) else { return (found, false) }
                found.append(head)
            }
            return (found, true)
        } catch {
            return (found, false)
        }
    }

    private static func head(_ row: Statement) -> Head {
        Head(
            id: row.integer(at: 0),
            created: row.integer(at: 1),
            attempts: row.integer(at: 2),
            origins: row.isNull(at: 4) ? nil : row.withBlob(at: 4) { Origins(encoded: $0) },
            records: row.integer(at: 3)
        )
    }

    /// The records of a chunk; nil if they cannot be read, or are not what was stored.
    func records(of head: Head) -> RecordBatch? {
        var batch = RecordBatch()
        do throws(SQLiteError) {
            let select = try database.prepare(
                "SELECT id, attempts, lengths, payload, created, checksum FROM chunk WHERE id = ?1"
            )
            select.bind(head.id, at: 1)
            guard try select.step(), Chunk.append(select, to: &batch) != nil else { return nil }
            return batch
        } catch {
            return nil
        }
    }
}
