import Bytes
package import Records
import SQLite

extension RecordCache {
    /// How much of a stream waits, without what is lent.
    package func backlog(of stream: StreamName) -> Backlog {
        streams[stream]?.waiting ?? Backlog()
    }

    /// Records and bytes of all streams, lent ones included.
    package var stored: Backlog {
        streams.values.reduce(into: Backlog()) { total, state in
            total.records += state.stored.records
            total.bytes += state.stored.bytes
        }
    }

    /// Lends a stream's oldest records that are not lent yet: as many as fit, and at least one.
    ///
    /// Records that were stored together stay together unless they are too many for one request: to fill every request
    /// to the last record would have most chunks written twice.
    /// The memory of `batch` is used again. Gives nil if there is no record.
    package func lease(
        _ stream: StreamName,
        atMost limits: BatchLimits,
        reusing batch: consuming RecordBatch = RecordBatch()
    ) throws(CacheError) -> Lease? {
        guard let state = streams[stream], !state.waiting.isEmpty else { return nil }
        batch.removeAll()
        batch.reserve(
            bytes: min(limits.bytes, state.waiting.bytes),
            records: min(limits.records, state.waiting.records)
        )
        var lease = Lease(stream: stream, batch: batch)
        lease.isOldest = state.lentChunks.isEmpty
        if let large = try fill(&lease, from: state, atMost: limits), lease.batch.isEmpty {
            // Not even the first chunk fits: cut it in two, and take what does.
            try split(large)
            _ = try fill(&lease, from: state, atMost: limits)
        }
        guard !lease.chunks.isEmpty else { return nil }
        lend(lease)
        lease.waiting = backlog(of: stream)
        return lease
    }

    /// Takes whole chunks into the lease, behind what it has, as long as they fit.
    ///
    /// - Returns: the chunk that fits only in part, and how many of its records do.
    private func fill(
        _ lease: inout Lease,
        from state: StreamState,
        atMost limits: BatchLimits
    ) throws(CacheError) -> (id: Int, records: Int)? {
        let select = statements.selectChunks
        defer { select.reset() }
        typealias Filled = Result<(id: Int, records: Int)?, CacheError>
        return try CacheError.of(path) { () throws(SQLiteError) -> Filled in
            select.bind((lease.chunks.last?.id ?? state.chunkIDs.lowerBound - 1) + 1, at: 1)
            select.bind(state.chunkIDs.upperBound, at: 2)
            while lease.batch.count < limits.records, try select.step() {
                let id = select.integer(at: 0)
                if state.lentChunks.contains(id) { continue }
                let lengths = select.withBlob(at: 2) { Lengths.decode($0) }
                let fitting = Self.fitting(lengths, behind: lease.batch, atMost: limits)
                guard fitting == lengths.count else {
                    return .success(fitting == 0 ? nil : (id, fitting))
                }
                let isSound = select.withBlob(at: 3) { payload in
                    lease.batch.append(laidOut: payload, lengths: lengths)
                }
                guard isSound else { return .failure(.damaged(path: path, reason: "chunk \(id) is inconsistent")) }
                let bytes = lengths.reduce(0, +)
                let attempts = select.integer(at: 1)
                lease.attempts = max(lease.attempts, attempts)
                lease.chunks.append(LeasedChunk(id: id, records: lengths.count, bytes: bytes, attempts: attempts))
            }
            return .success(nil)
        }.get()
    }

    /// How many of the records fit into a request behind those of `batch`; a first one always does.
    private static func fitting(_ lengths: [Int], behind batch: RecordBatch, atMost limits: BatchLimits) -> Int {
        var bytes = batch.bytes.count
        var count = 0
        for length in lengths where batch.count + count < limits.records {
            bytes += length
            if bytes > limits.bytes, batch.count + count > 0 { break }
            count += 1
        }
        return count
    }

    /// Makes two chunks of one, the first with this many records.
    private func split(_ chunk: (id: Int, records: Int)) throws(CacheError) {
        var whole = RecordBatch()
        var attempts = 0
        let select = statements.selectChunks
        try transaction { () throws(SQLiteError) in
            select.bind(chunk.id, at: 1)
            select.bind(chunk.id + 1, at: 2)
            while try select.step() {
                attempts = select.integer(at: 1)
                let lengths = select.withBlob(at: 2) { Lengths.decode($0) }
                _ = select.withBlob(at: 3) { whole.append(laidOut: $0, lengths: lengths) }
            }
            guard whole.count > chunk.records else { return }
            try rewrite(chunk.id, as: whole.records(0..<chunk.records), attempts: attempts)
            try insert(whole.records(chunk.records..<whole.count), id: chunk.id + chunk.records, attempts: attempts)
        }
    }

    func rewrite(_ id: Int, as batch: RecordBatch, attempts: Int) throws(SQLiteError) {
        let lengths = Lengths.encode(batch.lengths)
        statements.updateChunk.bind(id, at: 1)
        statements.updateChunk.bind(attempts, at: 2)
        try statements.updateChunk.run(lending: lengths.span, at: 3, and: batch.bytes.span, at: 4)
    }

    private func lend(_ lease: Lease) {
        streams[lease.stream]?.lent.records += lease.batch.count
        streams[lease.stream]?.lent.bytes += lease.batch.bytes.count
        streams[lease.stream]?.lentChunks.formUnion(lease.chunks.map(\.id))
    }
}
