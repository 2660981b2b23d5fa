package import AWS
package import HTTP
import Platform
package import Records
import Synchronization

/// Amazon Data Firehose, as a place to send batches to.
package final class FirehoseDestination: Destination {
    private let endpoint: Endpoint
    private let provider: any CredentialsProvider
    private let unixSeconds: @Sendable () -> Int
    private let pool: ConnectionPool
    private let clockOffset = Mutex(ClockOffset())

    /// Checks the options; the network is not touched before the first batch.
    ///
    /// The provider is asked for credentials before each request. `userAgent` is how this program calls itself, such as
    /// `firetail/1.0`; `unixSeconds` is our time of day.
    package init(
        endpoint: Endpoint,
        credentials provider: any CredentialsProvider,
        options: HTTPOptions = HTTPOptions(),
        userAgent: String,
        unixSeconds: @escaping @Sendable () -> Int = { Int(WallClock.now().components.seconds) }
    ) throws(HTTPError) {
        self.endpoint = endpoint
        self.provider = provider
        self.unixSeconds = unixSeconds
        pool = try ConnectionPool(to: endpoint, options, userAgent: userAgent)
    }

    package func deliver(_ batch: RecordBatch, to stream: StreamName) async -> Delivery {
        guard !batch.isEmpty else { return .accepted }
        do {
            let connection = try pool.take()
            defer { pool.giveBack(connection) }
            let interrupt = await connection.load(batch, to: stream)
            return await withTaskCancellationHandler {
                await send(over: connection, interrupt, count: batch.count, to: stream)
            } onCancel: {
                interrupt.raise()
            }
        } catch {
            return .failed(failure(error, stream))
        }
    }

    /// Sends what the connection holds, and once more at once when new credentials or the right time may help.
    private func send(
        over connection: FirehoseConnection,
        _ interrupt: HTTPInterrupt,
        count: Int,
        to stream: StreamName
    ) async -> Delivery {
        var hasRefreshed = false
        var hasCorrectedClock = false
        while true {
            let used = clockOffset.withLock { $0 }
            let answer: FirehoseConnection.Answer
            do {
                let credentials = try await provider.credentials()
                let time = unixSeconds() + used.seconds
                answer = try await connection.send(with: credentials, at: time, interrupt: interrupt)
            } catch {
                return .failed(failure(error, stream))
            }
            switch answer.content {
            case .batch(let batch):
                return batch.delivery(of: count) ?? .failed(unreadable(stream))
            case .unreadable:
                return .failed(unreadable(stream))
            case .error(let error):
                let offset = learnClock(from: answer)
                switch Remedy(for: error) {
                case .correctClock(let isCertain)
                where !hasCorrectedClock && offset.mayHelp(insteadOf: used, isCertain: isCertain):
                    hasCorrectedClock = true
                case .refreshCredentials where !hasRefreshed, .correctClock(isCertain: false) where !hasRefreshed:
                    hasRefreshed = true
                    await provider.invalidate()
                default:
                    return .failed(error.failure(at: place(stream), retryAfter: answer.retryAfter))
                }
            }
        }
    }

    private func learnClock(from answer: FirehoseConnection.Answer) -> ClockOffset {
        clockOffset.withLock { offset in
            offset.learn(date: answer.date, age: answer.age, at: unixSeconds())
            return offset
        }
    }

    private func unreadable(_ stream: StreamName) -> DeliveryFailure {
        DeliveryFailure(.unreachable, reason: "\(place(stream)): HTTP 200, but not with an answer to this request")
    }

    private func failure(_ error: any Error, _ stream: StreamName) -> DeliveryFailure {
        let reason = "\(place(stream)): \(error)"
        switch error {
        case is CredentialsError: return DeliveryFailure(.credentials, reason: reason)
        case HTTPError.unusable: return DeliveryFailure(.configuration, reason: reason)
        default: return DeliveryFailure(.unreachable, reason: reason)
        }
    }

    private func place(_ stream: StreamName) -> String { "delivery stream \(stream) at \(endpoint.host)" }
}
