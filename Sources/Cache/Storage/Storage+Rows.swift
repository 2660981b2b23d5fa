import Platform
import Records
import SQLite

/// What is written of streams and their chunks, row by row, within the caller's transaction.
extension Storage {
    // MARK: Streams

    /// Adds a stream that is not there yet.
    func addStream(_ name: StreamName) throws(SQLiteError) -> StreamState {
        let insert = try database.prepare(
            """
            INSERT INTO stream (name, first_record, next_record, records, bytes) VALUES (?1, 0, 0, 0, 0) RETURNING id
            """
        )
        insert.bind(name.text, at: 1)
        var id = 0
        while try insert.step() { id = insert.integer(at: 0) }
        return StreamState(id: id, firstRecord: 0, nextRecord: 0, stored: Backlog())
    }

    /// Every stream with its totals.
    func streams() throws(SQLiteError) -> [StreamName: StreamState] {
        var streams: [StreamName: StreamState] = [:]
        let select = try database.prepare("SELECT \(StreamState.columns) FROM stream")
        while try select.step() {
            guard let (name, state) = StreamState.named(select) else { continue }
            streams[name] = state
        }
        return streams
    }

    /// Writes a stream's totals.
    func save(_ state: StreamState) throws(SQLiteError) {
        updateStream.bind(state.id, at: 1)
        updateStream.bind(state.firstRecord, at: 2)
        updateStream.bind(state.nextRecord, at: 3)
        updateStream.bind(state.stored.records, at: 4)
        updateStream.bind(state.stored.bytes, at: 5)
        updateStream.bind(state.stored.lines, at: 6)
        let left = state.left
        var column = 7
        for tally in [state.given, left.delivered, left.deadLetters, left.dropped, left.damaged] {
            updateStream.bind(tally.records, at: column)
            updateStream.bind(tally.lines, at: column + 1)
            column += 2
        }
        try updateStream.run()
    }

    /// Deletes the chunks whose records are delivered; their pages are used again by what is written next.
    func deleteSpent(_ state: inout StreamState) throws(SQLiteError) {
        guard state.spentBytes > 0 else { return }
        deleteChunks.bind(state.spentIDs.lowerBound, at: 1)
        deleteChunks.bind(state.spentIDs.upperBound, at: 2)
        try deleteChunks.run()
        state.spentBytes = 0
    }

    // MARK: Chunks

    /// Adds records behind those of a stream, as one chunk, be they new or put back.
    func append(
        _ batch: RecordBatch,
        from origins: Origins? = nil,
        to state: inout StreamState
    ) throws(SQLiteError) {
        guard !batch.isEmpty else { return }
        try deleteSpent(&state)
        state.renumberIfEmpty()
        try insert(batch, id: state.nextID, created: WallClock.milliseconds, attempts: 0, from: origins)
        let added = Backlog(batch)
        state.nextRecord += added.records
        state.stored += added
        try save(state)
    }

    func insert(
        _ batch: RecordBatch,
        id: Int,
        created: Int,
        attempts: Int,
        from origins: Origins? = nil
    ) throws(SQLiteError) {
        let lengths = Lengths.encode(batch)
        insertChunk.bind(id, at: 1)
        insertChunk.bind(created, at: 2)
        insertChunk.bind(attempts, at: 3)
        insertChunk.bind(Chunk.checksum(of: batch.bytes.span, lengths: lengths.span), at: 4)
        insertChunk.bind(origins?.encoded, at: 5)
        try insertChunk.run(lending: lengths.span, at: 6, and: batch.bytes.span, at: 7)
    }

    /// Replaces the records of a chunk.
    func rewrite(_ id: Int, as batch: RecordBatch, attempts: Int) throws(SQLiteError) {
        let lengths = Lengths.encode(batch)
        updateChunk.bind(id, at: 1)
        updateChunk.bind(attempts, at: 2)
        updateChunk.bind(Chunk.checksum(of: batch.bytes.span, lengths: lengths.span), at: 3)
        try updateChunk.run(lending: lengths.span, at: 4, and: batch.bytes.span, at: 5)
    }

    /// Makes two chunks of one, the first with this many records; both are as old and as often refused as it was.
    func split(_ id: Int, behind records: Int) throws(SQLiteError) {
        var whole = RecordBatch()
        var attempts = 0
        var created = 0
        var origins: Origins?
        selectChunks.bind(id, at: 1)
        selectChunks.bind(id + 1, at: 2)
        while try selectChunks.step() {
            attempts = selectChunks.integer(at: 1)
            guard Chunk.append(selectChunks, to: &whole) != nil else { continue }
            created = selectChunks.integer(at: 4)
            origins = selectChunks.isNull(at: 6) ? nil : selectChunks.withBlob(at: 6) { Origins(encoded: $0) }
        }
        guard whole.count > records else { return }
        try rewrite(id, as: whole.records(0..<records), attempts: attempts)
        let rest = whole.records(records..<whole.count)
        try insert(rest, id: id + records, created: created, attempts: attempts, from: origins)
    }

    /// Counts one more refusal of all records of a chunk.
    func charge(_ id: Int) throws(SQLiteError) {
        chargeChunk.bind(id, at: 1)
        try chargeChunk.run()
    }

    /// Deletes one chunk.
    func delete(_ id: Int) throws(SQLiteError) {
        deleteChunk.bind(id, at: 1)
        try deleteChunk.run()
    }

    /// When the oldest record of a stream was stored, in milliseconds since 1970; nil if it has none.
    func oldest(of state: StreamState) throws(SQLiteError) -> Int? {
        selectOldest.bind(state.chunkIDs.lowerBound, at: 1)
        selectOldest.bind(state.chunkIDs.upperBound, at: 2)
        defer { selectOldest.reset() }
        return try selectOldest.step() ? selectOldest.integer(at: 0) : nil
    }

    // MARK: Checkpoints

    /// How far a file has been read; nil if nothing is known of it.
    func position(of file: FileIdentity, inStream id: Int) throws(SQLiteError) -> Origins.Position? {
        selectPosition.bind(id, at: 1)
        selectPosition.bind(file.device, at: 2)
        selectPosition.bind(file.inode, at: 3)
        defer { selectPosition.reset() }
        guard try selectPosition.step() else { return nil }
        let isSkipping = selectPosition.integer(at: 1) != 0
        return Origins.Position(file: file, offset: selectPosition.integer(at: 0), isSkippingLine: isSkipping)
    }

    /// Writes down how far a file has been read, and when that was, in milliseconds since 1970.
    func save(_ checkpoint: Checkpoint, inStream id: Int, updated: Int) throws(SQLiteError) {
        let statement = upsertCheckpoint
        statement.bind(id, at: 1)
        statement.bind(checkpoint.file.device, at: 2)
        statement.bind(checkpoint.file.inode, at: 3)
        statement.bind(checkpoint.offset, at: 4)
        statement.bind(checkpoint.isSkippingLine ? 1 : 0, at: 5)
        statement.bind(checkpoint.head.length, at: 6)
        statement.bind(checkpoint.head.hash, at: 7)
        statement.bind(checkpoint.tail.length, at: 8)
        statement.bind(checkpoint.tail.hash, at: 9)
        statement.bind(checkpoint.path, at: 10)
        statement.bind(updated, at: 11)
        try statement.run()
    }
}
