import Bytes
import Platform
import Records
import SQLite

/// The records that were set aside, and what a person may do with them.
extension RecordCache {
    /// How many records were set aside and are still there, and why the last of them was.
    package func deadLetters() throws(CacheError) -> (count: Int, lastReason: String?) {
        let storage = try opened()
        return try storage.reading { () throws(SQLiteError) in
            let select = try storage.database.prepare(
                "SELECT count(*), (SELECT reason FROM dead_letter ORDER BY id DESC LIMIT 1) FROM dead_letter"
            )
            guard try select.step() else { return (0, nil) }
            let count = select.integer(at: 0)
            return (count, count > 0 ? select.text(at: 1) : nil)
        }
    }

    /// What is known of the letters of a selection, the oldest first.
    package func deadLetters(_ selection: DeadLetterSelection) throws(DeadLetterError) -> [DeadLetter] {
        let names = streamNames
        var letters: [DeadLetter] = []
        try visit(selection, "id, stream, created, attempts, reason, length(payload), origin") { row in
            let origin = row.withBlob(at: 6) { DeadLetterOrigin(encoded: $0) }
            letters.append(
                DeadLetter(
                    id: row.integer(at: 0),
                    stream: names[row.integer(at: 1)],
                    created: row.integer(at: 2),
                    attempts: row.integer(at: 3),
                    reason: row.text(at: 4),
                    bytes: row.integer(at: 5),
                    origin: origin
                )
            )
        }
        return letters
    }

    /// The bytes of one letter.
    package func contents(ofDeadLetter id: Int) throws(DeadLetterError) -> [UInt8] {
        var contents: [UInt8] = []
        try visit(DeadLetterSelection(ids: [id]), "payload") { row in
            contents = row.withBlob(at: 0) { [UInt8](copying: $0) }
        }
        return contents
    }

    /// Deletes the letters of a selection, all or nothing.
    ///
    /// - Returns: how much that was.
    package func dropDeadLetters(_ selection: DeadLetterSelection) throws(DeadLetterError) -> Backlog {
        let letters = try deadLetters(selection)
        let changed = try withStorage { storage throws(CacheError) in
            try storage.transaction { () throws(SQLiteError) in try storage.drop(letters, streams) }
        }
        for (name, state) in changed { update(name, to: state) }
        unsynchronized.raise()
        return Backlog(letters)
    }

    /// Puts the letters of a selection at the end of their streams' queues, as records that were never refused, all or
    /// nothing.
    ///
    /// The limit of the cache does not hold for them: they are in it already.
    ///
    /// - Returns: how much that was.
    package func replayDeadLetters(_ selection: DeadLetterSelection) throws(DeadLetterError) -> Backlog {
        let letters = try deadLetters(selection)
        let strays = letters.filter { $0.stream == nil }.map(\.id)
        guard strays.isEmpty else { throw .withoutStream(ids: strays) }
        let changed = try withStorage { storage throws(CacheError) in
            try ensureRoom(for: letters.reduce(0) { $0 + $1.bytes }, in: storage)
            return try storage.transaction { () throws(SQLiteError) in try storage.requeue(letters, streams) }
        }
        for (name, state) in changed {
            update(name, to: state)
            appended[name]?.raise()
        }
        unsynchronized.raise()
        return Backlog(letters)
    }

    /// Counts and says which letters were deleted in the last transaction to keep within the limit.
    ///
    /// Those of the stream that was settled then are counted.
    func tellOfDiscardedLetters(in storage: Storage, settling settled: StreamName) {
        let discarded = storage.letters.takeDiscarded()
        guard !discarded.isEmpty else { return }
        let names = streamNames
        for (id, letters) in discarded.sorted(by: { $0.key < $1.key }) {
            let name = names[id]
            if let name, name != settled, var state = streams[name] {
                state.left.dropLetters(letters)
                update(name, to: state)
            }
            onDiscard(name, letters.records)
        }
    }

    private var streamNames: [Int: StreamName] {
        Dictionary(uniqueKeysWithValues: streams.map { ($0.value.id, $0.key) })
    }

    /// Visits the rows of a selection; one with ids that are not there throws, when all others have been visited.
    private func visit(
        _ selection: DeadLetterSelection,
        _ columns: String,
        _ body: (Statement) -> Void
    ) throws(DeadLetterError) {
        let stream = selection.stream.map { streams[$0]?.id ?? Self.noStream }
        let missing = try withStorage { storage throws(CacheError) in
            try storage.reading { () throws(SQLiteError) in
                try storage.letters.forEach(of: selection, inStream: stream, columns, body)
            }
        }
        guard missing.isEmpty else { throw .missing(ids: missing) }
    }

    /// An id that no stream has.
    private static let noStream = -1

    private func withStorage<Result>(
        _ body: (Storage) throws(CacheError) -> Result
    ) throws(DeadLetterError) -> Result {
        do throws(CacheError) {
            return try body(try opened())
        } catch {
            throw .cache(error)
        }
    }
}

extension Backlog {
    fileprivate init(_ letters: [DeadLetter]) {
        self.init(records: letters.count, bytes: letters.reduce(0) { $0 + $1.bytes })
    }
}

extension Storage {
    /// Moves letters into the queues of their streams, in chunks of one request at most; gives the streams as they are
    /// then.
    fileprivate func requeue(
        _ letters: [DeadLetter],
        _ streams: [StreamName: StreamState]
    ) throws(SQLiteError) -> [StreamName: StreamState] {
        var changed: [StreamName: StreamState] = [:]
        let byStream = Dictionary(grouping: letters, by: \.stream)
        let select = try database.prepare("SELECT payload FROM dead_letter WHERE id = ?1")
        for (name, letters) in byStream {
            guard let name, var state = streams[name] else { continue }
            var batch = RecordBatch()
            for letter in letters {
                if !batch.hasRoom(for: letter.bytes) {
                    try append(batch, to: &state)
                    batch.removeAll()
                }
                select.bind(letter.id, at: 1)
                let record = try select.step() ? select.withBlob(at: 0) { [UInt8](copying: $0) } : []
                select.reset()
                let lines = try self.letters.delete(letter.id)
                batch.append(record.span, lines: lines)
                state.left.deadLetters -= Tally(records: 1, lines: lines)
            }
            try append(batch, to: &state)
            changed[name] = state
        }
        return changed
    }

    /// Deletes letters; gives the streams as they are then.
    fileprivate func drop(
        _ letters: [DeadLetter],
        _ streams: [StreamName: StreamState]
    ) throws(SQLiteError) -> [StreamName: StreamState] {
        var changed: [StreamName: StreamState] = [:]
        for letter in letters {
            let lines = try self.letters.delete(letter.id)
            guard let name = letter.stream, var state = changed[name] ?? streams[name] else { continue }
            state.left.dropLetters(Tally(records: 1, lines: lines))
            changed[name] = state
        }
        for state in changed.values { try save(state) }
        return changed
    }

    // MARK: Where letters come from

    /// Where the records of a chunk were read, as far as it is known.
    ///
    /// A piece ends where the next one of its file begins that has been stored, else where the file has been read to.
    func origin(ofChunk id: Int, in state: StreamState) throws(SQLiteError) -> DeadLetterOrigin {
        let select = try database.prepare(
            "SELECT origins, id FROM chunk WHERE id >= ?1 AND id < ?2 AND origins IS NOT NULL ORDER BY id"
        )
        select.bind(id, at: 1)
        select.bind(state.chunkIDs.upperBound, at: 2)
        var origin = DeadLetterOrigin()
        guard try select.step(), select.integer(at: 1) == id else {
            select.reset()
            return origin
        }
        let own = select.withBlob(at: 0) { Origins(encoded: $0) }
        origin.others = max(0, own.positions.count - DeadLetterOrigin.mostPieces)
        origin.pieces = own.positions.prefix(DeadLetterOrigin.mostPieces).map {
            DeadLetterOrigin.Piece(file: $0.file, path: "", start: $0.offset, end: nil)
        }
        var open = Set(origin.pieces.indices)
        while !open.isEmpty, try select.step() {
            let later = select.withBlob(at: 0) { Origins(encoded: $0) }
            for index in open {
                let piece = origin.pieces[index]
                guard let next = later.positions.first(where: { $0.file == piece.file }), next.offset != piece.start
                else { continue }
                origin.pieces[index].end = next.offset > piece.start ? next.offset : nil
                open.remove(index)
            }
        }
        select.reset()
        try addCheckpoints(to: &origin.pieces, endless: open, inStream: state.id)
        return origin
    }

    private func addCheckpoints(
        to pieces: inout [DeadLetterOrigin.Piece],
        endless: Set<Int>,
        inStream stream: Int
    ) throws(SQLiteError) {
        let select = try database.prepare(
            "SELECT path, position FROM checkpoint WHERE stream = ?1 AND device = ?2 AND inode = ?3"
        )
        for index in pieces.indices {
            select.bind(stream, at: 1)
            select.bind(pieces[index].file.device, at: 2)
            select.bind(pieces[index].file.inode, at: 3)
            if try select.step() {
                pieces[index].path = select.text(at: 0)
                let position = select.integer(at: 1)
                if endless.contains(index), position > pieces[index].start { pieces[index].end = position }
            }
            select.reset()
        }
    }
}
