import Bytes
package import Records

/// Records of any streams, in the order in which they came, to be stored together.
///
/// It keeps its memory when it is emptied, so one group serves for many rounds.
package struct RecordGroup: Sendable {
    /// The stream of each record.
    package private(set) var streams: [StreamName] = []

    /// The records of all streams.
    package private(set) var batch = RecordBatch()

    package init() {}

    /// How many records there are.
    package var count: Int { streams.count }

    package var isEmpty: Bool { streams.isEmpty }

    /// Adds one record.
    package mutating func append(_ record: Span<UInt8>, to stream: StreamName) {
        streams.append(stream)
        batch.append(record)
    }

    /// Forgets every record but keeps the memory.
    package mutating func removeAll() {
        streams.removeAll(keepingCapacity: true)
        batch.removeAll()
    }

    /// Which of the records fit into this many bytes, first come, first served; nil if all do.
    func fitting(into room: Int) -> [Bool]? {
        var room = max(0, room)
        guard batch.bytes.count > room else { return nil }
        return batch.lengths.map { length in
            guard length <= room else { return false }
            room -= length
            return true
        }
    }

    /// The records that are marked, or all, in batches of one stream and no more than one request.
    func batches(of marks: [Bool]?) -> [(stream: StreamName, batch: RecordBatch)] {
        guard let first = streams.first else { return [] }
        if marks == nil, batch.isOneRequest, streams.allSatisfy({ $0 == first }) { return [(first, batch)] }
        var batches: [(stream: StreamName, batch: RecordBatch)] = []
        var open: [StreamName: Int] = [:]
        var start = 0
        for (index, length) in batch.lengths.enumerated() {
            let end = start + length
            if marks?[index] ?? true {
                let stream = streams[index]
                var at = open[stream] ?? batches.count
                if at == batches.count || !batches[at].batch.hasRoom(for: length) {
                    at = batches.count
                    open[stream] = at
                    batches.append((stream, RecordBatch()))
                }
                batches[at].batch.append(batch.bytes.span.extracting(start..<end))
            }
            start = end
        }
        return batches
    }
}

extension RecordBatch {
    fileprivate var isOneRequest: Bool {
        count <= FirehoseLimits.batchRecords && bytes.count <= FirehoseLimits.batchBytes
    }

    /// Whether one request can hold a further record of this length.
    func hasRoom(for length: Int) -> Bool {
        count < FirehoseLimits.batchRecords && bytes.count + length <= FirehoseLimits.batchBytes
    }
}
