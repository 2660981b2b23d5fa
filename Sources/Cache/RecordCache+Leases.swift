import Bytes
package import Records
import SQLite

extension RecordCache {
    /// How much of a stream waits, without what is lent.
    package func backlog(of stream: StreamName) -> Backlog {
        streams[stream]?.waiting ?? Backlog()
    }

    /// How every stream stands.
    package var standings: [StreamName: StreamStanding] {
        let paused = backpressure.streams
        return Dictionary(
            uniqueKeysWithValues: streams.map { name, state in
                let standing = StreamStanding(
                    records: state.balance,
                    lines: state.lineBalance,
                    cachedBytes: state.stored.bytes,
                    oldestCreated: (try? oldestCreated(of: name)).flatMap(\.self),
                    isFull: isFull(state),
                    isPaused: paused.contains(name)
                )
                return (name, standing)
            }
        )
    }

    /// The streams that have records which are not lent, in the order of their names.
    package var waitingStreams: [StreamName] {
        streams.filter { !$0.value.waiting.isEmpty }.keys.sorted()
    }

    /// When the oldest record of all streams was stored, lent ones included, in milliseconds since 1970.
    ///
    /// Nil if there is no record, or the cache is closed.
    package var oldestCreated: Int? {
        get throws(CacheError) {
            var oldest: Int?
            for name in streams.keys {
                guard let created = try oldestCreated(of: name) else { continue }
                oldest = min(oldest ?? created, created)
            }
            return oldest
        }
    }

    /// The same of one stream.
    package func oldestCreated(of stream: StreamName) throws(CacheError) -> Int? {
        guard let storage, let state = streams[stream], !state.stored.isEmpty else { return nil }
        return try storage.reading { () throws(SQLiteError) in try storage.oldest(of: state) }
    }

    /// Lends a stream's oldest records that are not lent yet: as many as fit, and at least one.
    ///
    /// Records that were stored together stay together unless they are too many for one request: to fill every request
    /// to the last record would have most chunks written twice. With `filling` that is done: the request then has as
    /// many of the oldest records as the limits allow.
    /// The memory of `batch` is used again. Gives nil if there is no record.
    package func lease(
        _ stream: StreamName,
        atMost limits: BatchLimits,
        filling: Bool = false,
        reusing batch: consuming RecordBatch = RecordBatch()
    ) throws(CacheError) -> Lease? {
        let storage = try opened()
        guard let state = streams[stream], !state.waiting.isEmpty else { return nil }
        batch.removeAll()
        batch.reserve(
            bytes: min(limits.bytes, state.waiting.bytes),
            records: min(limits.records, state.waiting.records)
        )
        var lease = Lease(stream: stream, batch: batch)
        lease.isOldest = state.lentChunks.isEmpty
        lease.clearings = clearings
        let large = try storage.fill(&lease, from: state, atMost: limits)
        if let large, filling || lease.batch.isEmpty, try storage.split(large, for: lease) {
            _ = try storage.fill(&lease, from: state, atMost: limits)
        }
        guard !lease.chunks.isEmpty else {
            throw .damaged(path: storage.path, reason: "\(state.waiting.records) records of \(stream) are missing")
        }
        lend(lease)
        lease.waiting = backlog(of: stream)
        return lease
    }
}

/// A chunk that fits into a request only in part.
private struct LargeChunk {
    var id: Int

    /// How many of its records fit, at least one.
    var fitting: Int
}

extension Storage {
    /// Takes whole chunks into the lease, behind what it has, as long as they fit.
    ///
    /// - Returns: the chunk that fits only in part, if there is one.
    fileprivate func fill(
        _ lease: inout Lease,
        from state: StreamState,
        atMost limits: BatchLimits
    ) throws(CacheError) -> LargeChunk? {
        defer { selectChunks.reset() }
        return try reading { () throws(SQLiteError) -> Result<LargeChunk?, CacheError> in
            selectChunks.bind((lease.chunks.last?.id ?? state.chunkIDs.lowerBound - 1) + 1, at: 1)
            selectChunks.bind(state.chunkIDs.upperBound, at: 2)
            while lease.batch.count < limits.records, try selectChunks.step() {
                let id = selectChunks.integer(at: 0)
                if state.lentChunks.contains(id) { continue }
                let (lengths, _) = selectChunks.withBlob(at: 2) { Lengths.decode($0) }
                let fitting = lengths.fitting(behind: lease.batch, atMost: limits)
                guard fitting == lengths.count else {
                    return .success(fitting == 0 ? nil : LargeChunk(id: id, fitting: fitting))
                }
                guard let bytes = Chunk.append(selectChunks, to: &lease.batch) else {
                    return .failure(.damaged(path: path, reason: "chunk \(id) is not what was stored"))
                }
                let attempts = selectChunks.integer(at: 1)
                lease.attempts = max(lease.attempts, attempts)
                let records = lease.batch.count - lengths.count..<lease.batch.count
                let lines = lease.batch.lines(in: records)
                lease.chunks.append(
                    LeasedChunk(id: id, records: lengths.count, lines: lines, bytes: bytes, attempts: attempts)
                )
            }
            return .success(nil)
        }.get()
    }

    /// Cuts a chunk in two where the request is full.
    ///
    /// - Returns: false if there is no room on the disk for that, and the lease has other records to go with.
    fileprivate func split(_ chunk: LargeChunk, for lease: Lease) throws(CacheError) -> Bool {
        do throws(CacheError) {
            try transaction { () throws(SQLiteError) in try split(chunk.id, behind: chunk.fitting) }
            return true
        } catch {
            guard error == .diskFull(path: path), !lease.batch.isEmpty else { throw error }
            return false
        }
    }
}

extension [Int] {
    /// How many records of these lengths fit into a request behind those of `batch`; a first one always does.
    fileprivate func fitting(behind batch: RecordBatch, atMost limits: BatchLimits) -> Int {
        var bytes = batch.bytes.count
        var count = 0
        for length in self where batch.count + count < limits.records {
            bytes += length
            if bytes > limits.bytes, batch.count + count > 0 { break }
            count += 1
        }
        return count
    }
}
