package import AWS
package import HTTP
import Platform
import Synchronization

/// Calls Amazon Data Firehose: signs, sends, and once more at once when new credentials or the right time may help.
///
/// Calls at the same time run over connections of their own. What is dropped without `close()` closes by itself.
package final class FirehoseService: Sendable {
    package let endpoint: Endpoint
    private let provider: any CredentialsProvider
    private let unixSeconds: @Sendable () -> Int
    private let onClockOffset: @Sendable (Int) -> Void
    private let pool: ConnectionPool
    private let clockOffset = Mutex(ClockOffset())

    /// Checks the options; the network is not touched before the first call.
    ///
    /// The provider is asked for credentials before each request. `userAgent` is how this program calls itself, such as
    /// `firetail/1.0`; `unixSeconds` is our time of day; `onClockOffset` is told, from any thread, by how many seconds the
    /// service turned out to be ahead of that, and 0 when the clocks agree again.
    package init(
        endpoint: Endpoint,
        credentials provider: any CredentialsProvider,
        options: HTTPOptions = HTTPOptions(),
        userAgent: String,
        unixSeconds: @escaping @Sendable () -> Int = { Int(WallClock.now().components.seconds) },
        onClockOffset: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws(HTTPError) {
        self.endpoint = endpoint
        self.provider = provider
        self.unixSeconds = unixSeconds
        self.onClockOffset = onClockOffset
        pool = try ConnectionPool(to: endpoint, options, userAgent: userAgent)
    }

    /// Lets go of the connections: of idle ones now, of those at work when their request has ended.
    ///
    /// Later calls throw `.closed`.
    package func close() {
        pool.close()
    }

    /// Makes a request and reads its answer.
    ///
    /// `read` gets the body of an answer with status 200, on the connection's thread, and gives nil if that is no answer
    /// to this request. A cancelled task ends its request at once.
    package func call<Answer: Sendable>(
        _ request: FirehoseRequest,
        reading read: @escaping @Sendable (Span<UInt8>) -> Answer?
    ) async throws(CallError) -> Answer {
        let connection = try pool.take()
        defer { pool.giveBack(connection) }
        let interrupt = HTTPInterrupt(connection.wakeUp)
        let result: Result<Answer, CallError> = await withTaskCancellationHandler {
            do throws(CallError) {
                return .success(try await send(request, over: connection, interrupt, read))
            } catch {
                return .failure(error)
            }
        } onCancel: {
            interrupt.raise()
        }
        return try result.get()
    }

    /// Sends a request until it succeeds or nothing can be mended at once.
    private func send<Answer: Sendable>(
        _ request: FirehoseRequest,
        over connection: FirehoseConnection,
        _ interrupt: HTTPInterrupt,
        _ read: @escaping @Sendable (Span<UInt8>) -> Answer?
    ) async throws(CallError) -> Answer {
        var unsent: FirehoseRequest? = request
        var cures = Cures()
        while true {
            let credentials = try await credentials(unless: interrupt)
            let used = clockOffset.withLock { $0 }
            let time = unixSeconds() + used.seconds
            let reply = try await connection.send(
                unsent,
                with: credentials,
                at: time,
                interrupt: interrupt,
                reading: read
            )
            unsent = nil
            switch reply.content {
            case .answer(let answer):
                return answer
            case .unreadable:
                throw .unreadable(requestID: reply.requestID)
            case .error(let error):
                let learned = error.code == nil ? used : learnClock(from: reply.date, age: reply.age)
                guard await cure(error, &cures, used: used, learned: learned) else { throw .service(error) }
            }
        }
    }

    private func credentials(unless interrupt: HTTPInterrupt) async throws(CallError) -> Credentials {
        do {
            return try await provider.credentials()
        } catch {
            throw interrupt.isRaised ? .cancelled : .credentials(error)
        }
    }

    /// What has been tried for one call; each only once.
    private struct Cures {
        var hasRefreshed = false
        var hasCorrectedClock = false
    }

    /// - Returns: whether something was changed that may make the same request succeed.
    private func cure(
        _ error: ServiceError,
        _ cures: inout Cures,
        used: ClockOffset,
        learned: ClockOffset
    ) async -> Bool {
        switch Remedy(for: error) {
        case .correctClock(let isCertain)
        where !cures.hasCorrectedClock && learned.mayHelp(insteadOf: used, isCertain: isCertain):
            cures.hasCorrectedClock = true
            return true
        case .refreshCredentials where !cures.hasRefreshed,
            .correctClock(isCertain: false) where !cures.hasRefreshed:
            cures.hasRefreshed = true
            await provider.invalidate()
            return true
        default:
            return false
        }
    }

    /// Takes the time from an error of the service; a page of something on the way to it is not asked for the time.
    private func learnClock(from date: String?, age: String?) -> ClockOffset {
        let (learned, isNews) = clockOffset.withLock { offset in
            let former = offset
            offset.learn(date: date, age: age, at: unixSeconds())
            return (offset, offset.mayHelp(insteadOf: former, isCertain: true))
        }
        if isNews { onClockOffset(learned.seconds) }
        return learned
    }
}
