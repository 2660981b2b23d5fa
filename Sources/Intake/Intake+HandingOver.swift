import Framing
import Records
import Tailing

/// How records and checkpoints leave.
extension Intake {
    /// Finishes records whose lines have lingered long enough.
    func finishRecords(_ now: ContinuousClock.Instant) {
        for index in lanes.indices {
            guard let deadline = lanes[index].deadline, now >= deadline else { continue }
            // A chunk of plain records goes when nothing more is there to be read.
            if lanes[index].lingers || !queue.hasReady { lanes[index].finish() }
        }
    }

    /// Takes the finished records of all flows into the harvest.
    func collect() {
        let now = ContinuousClock.now
        for index in lanes.indices {
            let stream = lanes[index].flow.stream
            let batches = lanes[index].collect(at: now) { safePositions[$0] = $1 }
            harvest.records += batches.map { (stream, $0) }
            recordLanes += batches.map { _ in index }
        }
    }

    /// Hands over what is finished, and waits until it is stored.
    func handOver() async throws {
        // The new beginning of a log is stored together with where its old content is read on.
        recoverAbandoned()
        collect()
        harvestBytes = 0
        for (id, position) in safePositions {
            guard let tail = files[id]?.tail else { continue }
            harvest.checkpoints.append(
                tail.checkpoint(at: position.offset, isSkippingLine: position.isSkippingLine)
            )
        }
        let stored = safePositions
        safePositions.removeAll(keepingCapacity: true)
        guard !harvest.isEmpty else { return }
        queue.apply(try await store.append(harvest))
        for (id, position) in stored { files[id]?.storedOffset = position.offset }
        // Whoever else held a batch would make its memory be copied instead of used again.
        while let (_, batch) = harvest.records.popLast(), let lane = recordLanes.popLast() {
            lanes[lane].reuse(batch)
        }
        harvest = Harvest()
    }
}
