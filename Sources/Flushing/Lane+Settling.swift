import Cache
import Records

extension Lane {
    /// Writes down what became of a batch, and lets the schedule know.
    func settle(_ answer: Answer) async {
        let count = answer.lease.batch.count
        switch answer.outcome {
        case .accepted:
            guard await settle(answer.lease, as: .accepted) != nil else { return }
            let bytes = answer.lease.batch.bytes.count
            schedule.accepted(records: count, bytes: bytes)
            reportDelivery(answer, records: count, bytes: bytes)
        case .partlyRefused(let refusals):
            await settle(answer, partlyRefused: refusals)
        case .allRefused(let refusals):
            report(.partlyRefused(stream, refused: count, of: count, code: refusals.code))
            await settle(answer.lease, failed: refusals.asFailure, isCharged: true)
        case .failed(let failure):
            await settle(answer.lease, failed: failure, isCharged: failure.kind == .throttled)
        }
    }

    private func settle(_ answer: Answer, partlyRefused refusals: Answer.Refusals) async {
        let count = answer.lease.batch.count
        guard let deadLetters = await settle(answer.lease, as: .partlyRefused(refusals.marks)) else { return }
        let bytes = answer.acceptedBytes(without: refusals)
        schedule.partlyRefused(
            refused: refusals.count,
            throttled: refusals.throttled,
            of: count,
            acceptedBytes: bytes,
            at: .now
        )
        reportDelivery(answer, records: count - refusals.count, bytes: bytes)
        report(.partlyRefused(stream, refused: refusals.count, of: count, code: refusals.code))
        gaveUp(on: deadLetters)
    }

    /// A batch of which nothing was accepted goes back; a charge is written down only if somebody counts.
    private func settle(_ lease: Lease, failed failure: DeliveryFailure, isCharged: Bool) async {
        if Task.isCancelled, failure.kind == .unreachable {
            // Given up by us: not worth a word.
            await settle(lease, as: .returned(charged: false))
            return
        }
        let random = Double.random(in: 0..<1, using: &random)
        switch schedule.failed(failure, records: lease.batch.count, at: .now, random: random) {
        case .setAside:
            guard await settle(lease, as: .setAside(reason: failure.reason)) != nil else { return }
            schedule.setAside(at: .now)
            report(.setAside(stream, count: 1, reason: failure.reason))
            ended(.delivery)
        case .retry(let wait):
            troubles.insert(.delivery)
            report(.failed(stream, failure, retryIn: wait))
            let settlement = Settlement.returned(charged: isCharged && policy.maxRetries != nil)
            gaveUp(on: await settle(lease, as: settlement) ?? 0)
        }
    }

    /// Ends a lease; as long as the cache cannot write that down, tries again.
    ///
    /// Nothing else of the stream goes on meanwhile, not even its end: to forget the lease would send records twice.
    ///
    /// - Returns: how many records became dead letters; nil if the task was cancelled before it could be written.
    @discardableResult
    private func settle(_ lease: Lease, as settlement: Settlement) async -> Int? {
        while true {
            do throws(CacheError) {
                let settled = try await cache.settle(lease, as: settlement, maxRetries: policy.maxRetries)
                ended(.storage)
                waiting = settled.waiting
                return settled.givenUp
            } catch {
                storageFailed(error)
                guard !Task.isCancelled else { return nil }
                await rest(policy.storageRetry)
            }
        }
    }

    private func reportDelivery(_ answer: Answer, records: Int, bytes: Int) {
        report(.delivered(stream, records: records, bytes: bytes, took: answer.duration))
        ended(.delivery)
    }

    private func gaveUp(on deadLetters: Int) {
        guard deadLetters > 0 else { return }
        schedule.gaveUp(on: deadLetters)
        report(.setAside(stream, count: deadLetters, reason: "refused more often than maxRetries allows"))
    }

    func storageFailed(_ error: CacheError) {
        if troubles.insert(.storage).inserted { report(.storage(stream, error)) }
    }

    func ended(_ trouble: Trouble) {
        if troubles.remove(trouble) != nil, troubles.isEmpty { report(.recovered(stream)) }
    }
}
