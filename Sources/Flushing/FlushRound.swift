package import Cache
package import Records

/// One pass over all streams that have records: at most one request each.
///
/// What was accepted is deleted. A record is charged with an attempt only for an answer that the service gave: when it
/// was refused in it, or when the whole request was. Refused records stay first in their stream, until they were refused
/// more often than allowed; then they are dropped. Nothing is lent any more when `run` ends, however it ends.
package struct FlushRound: Sendable {
    private let cache: RecordCache
    private let destination: any Destination
    private let maxRetries: Int
    private let limits: BatchLimits
    private let report: @Sendable (FlushRoundEvent) -> Void

    /// Requests that may be under way at a time.
    private static let requestsInFlight = 8

    /// Prepares one pass.
    ///
    /// - Parameters:
    ///   - cache: what to send from.
    ///   - destination: where the records go.
    ///   - maxRetries: how often a record is sent again after the service has refused it.
    ///   - limits: what one request may hold.
    ///   - report: told what happens, from any thread, in order for each stream; it must not block.
    package init(
        of cache: RecordCache,
        to destination: any Destination,
        maxRetries: Int,
        limits: BatchLimits = BatchLimits(),
        report: @escaping @Sendable (FlushRoundEvent) -> Void
    ) {
        self.cache = cache
        self.destination = destination
        self.maxRetries = maxRetries
        self.limits = limits
        self.report = report
    }

    /// Sends a request for every stream, several at a time, and writes down what became of its records.
    ///
    /// - Parameter streams: those that have a turn; nil is all that have records.
    /// - Returns: how much was accepted, and of which streams there is more.
    /// - Throws: the first error that was no answer of the service. No stream is begun after it; requests under way are
    ///   waited for. Records that were accepted and could not be deleted, since the cache cannot be written, are sent
    ///   again. A cancelled task throws `.cancelled` if that has kept anything from being sent.
    package func run(only streams: [StreamName]? = nil) async throws(FlushRoundError) -> FlushRoundResult {
        var streams = if let streams { streams[...] } else { await cache.waitingStreams[...] }
        var total = FlushRoundResult()
        var failure: FlushRoundError?
        await withTaskGroup(of: Result<FlushRoundResult, FlushRoundError>.self) { visits in
            var underWay = 0
            repeat {
                while failure == nil, !Task.isCancelled, underWay < Self.requestsInFlight,
                    let stream = streams.popFirst()
                {
                    visits.addTask { await visit(stream) }
                    underWay += 1
                }
                switch await visits.next() {
                case .success(let result)?: total += result
                case .failure(let error)?: failure = failure ?? error
                case nil: return
                }
                underWay -= 1
            } while true
        }
        if let failure { throw failure }
        guard streams.isEmpty else { throw .cancelled }
        return total
    }

    /// Sends one request of a stream.
    private func visit(_ stream: StreamName) async -> Result<FlushRoundResult, FlushRoundError> {
        do throws(CacheError) {
            guard let lease = try await cache.lease(stream, atMost: limits, filling: true) else {
                return .success(FlushRoundResult())
            }
            let answer = await Answer.awaited(for: lease, from: destination)
            do throws(CacheError) {
                return try await settle(answer)
            } catch {
                // Writes nothing, so that nothing is left lent though nothing can be written.
                _ = try? await cache.settle(lease, as: .returned(charged: false))
                throw error
            }
        } catch {
            return .failure(.storage(error))
        }
    }

    /// Writes down what became of a request, and then says so.
    private func settle(_ answer: Answer) async throws(CacheError) -> Result<FlushRoundResult, FlushRoundError> {
        let stream = answer.lease.stream
        let count = answer.lease.batch.count
        switch answer.outcome {
        case .accepted:
            try await settle(answer.lease, as: .accepted)
            let bytes = answer.lease.batch.bytes.count
            report(.delivered(stream, records: count, bytes: bytes, took: answer.duration))
            let unfinished = answer.lease.waiting.isEmpty ? [] : [stream]
            return .success(FlushRoundResult(accepted: count, unfinished: unfinished))
        case .partlyRefused(let refusals):
            let dropped = try await settle(answer.lease, as: .partlyRefused(refusals.marks))
            let accepted = count - refusals.count
            let bytes = answer.acceptedBytes(without: refusals)
            report(.delivered(stream, records: accepted, bytes: bytes, took: answer.duration))
            report(.partlyRefused(stream, refused: refusals.count, of: count, code: refusals.code))
            gaveUp(on: dropped, of: stream, refused: refusals.code)
            return .success(FlushRoundResult(accepted: accepted))
        case .allRefused(let refusals):
            try await skip(answer.lease, refusals.asFailure, code: refusals.code)
        case .failed(let failure):
            guard let code = failure.answer?.code else {
                try await settle(answer.lease, as: .returned(charged: false))
                return .failure(Task.isCancelled ? .cancelled : .undelivered(stream, failure))
            }
            try await skip(answer.lease, failure, code: code)
        }
        return .success(FlushRoundResult())
    }

    /// Charges all records of a request that the service has refused.
    private func skip(_ lease: Lease, _ failure: DeliveryFailure, code: String) async throws(CacheError) {
        let dropped = try await settle(lease, as: .returned(charged: true))
        report(.failed(lease.stream, failure))
        gaveUp(on: dropped, of: lease.stream, refused: code)
    }

    /// Ends a lease; gives how many of its records were dropped.
    @discardableResult
    private func settle(_ lease: Lease, as settlement: Settlement) async throws(CacheError) -> Int {
        try await cache.settle(lease, as: settlement, maxRetries: maxRetries, givingUp: .dropped).givenUp
    }

    private func gaveUp(on count: Int, of stream: StreamName, refused code: String) {
        if count > 0 { report(.dropped(stream, count: count, code: code)) }
    }
}

/// What happened to the records of a stream in a round; never with anything of their text.
package enum FlushRoundEvent: Sendable, Equatable {
    /// These records are safe at the destination and gone from the cache; the request took that long.
    case delivered(StreamName, records: Int, bytes: Int, took: Duration)

    /// Some records of a request were refused, the first with this code; they are sent again by a later round.
    case partlyRefused(StreamName, refused: Int, of: Int, code: String)

    /// The service has refused a whole request; its records are sent again by a later round.
    case failed(StreamName, DeliveryFailure)

    /// Records were refused more often than allowed, the last time with this code, and are gone for good.
    case dropped(StreamName, count: Int, code: String)
}

/// What a round has sent.
package struct FlushRoundResult: Sendable, Equatable {
    /// Records that were accepted, of all streams.
    package var accepted: Int

    /// Streams whose request was accepted whole, and that had more records than it could hold.
    package var unfinished: [StreamName]

    package init(accepted: Int = 0, unfinished: [StreamName] = []) {
        self.accepted = accepted
        self.unfinished = unfinished
    }

    static func += (left: inout FlushRoundResult, right: FlushRoundResult) {
        left.accepted += right.accepted
        left.unfinished += right.unfinished
    }
}

/// What ended a round before every stream had its turn.
package enum FlushRoundError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The cache could not be read or written.
    case storage(CacheError)

    /// A request got no answer that could be read from the service; none of its records is charged.
    case undelivered(StreamName, DeliveryFailure)

    /// The task was cancelled; what was under way was given up, and its records stay.
    case cancelled

    package var description: String {
        switch self {
        case .storage(let error): error.description
        case .undelivered(let stream, let failure): "nothing was delivered to \(stream): \(failure.reason)"
        case .cancelled: "the flush was cancelled"
        }
    }
}
