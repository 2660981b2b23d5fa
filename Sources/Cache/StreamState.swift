import Records

/// What the cache knows by heart about one stream, so that it never has to count rows.
struct StreamState {
    let id: Int

    /// The number that the next record gets.
    var nextRecord: Int

    /// What is stored, lent records included.
    var stored: Backlog

    /// What is lent.
    var lent = Backlog()

    /// The chunks that are lent.
    var lentChunks: Set<Int> = []

    /// Records that are stored and not lent.
    var waiting: Backlog {
        Backlog(records: stored.records - lent.records, bytes: stored.bytes - lent.bytes)
    }

    /// The ids that a stream's chunks may have.
    var chunkIDs: Range<Int> { id << 40..<(id + 1) << 40 }
}
