package import AWS
import Platform

/// Keeps the temporary credentials of one source, and has new ones before they expire.
///
/// The source is asked by one task at a time, however many want credentials. Those that are due are renewed while they go
/// on being used; only when they have expired, everybody waits. If the source then fails, the old ones go on being used
/// until the service refuses them, since it knows best, and renewing them is tried again and again.
package actor CredentialsCache: CredentialsProvider {
    /// What gives credentials, and says for how long they are good.
    package typealias Source = @concurrent @Sendable () async throws(CredentialsError) -> Credentials

    /// How long before they expire they are renewed; those with a life of less than an hour in its last quarter.
    package static let margin = Duration.seconds(900)

    /// The source is not asked again sooner, after it failed or otherwise.
    package static let pause = Duration.seconds(5)

    /// How often a refusal of the service may be the reason to ask.
    ///
    /// For credentials that seemed to have expired when they came, it is the pause.
    package static let forcedInterval = Duration.seconds(60)

    /// How many seconds credentials are used that seem to have expired when they come.
    ///
    /// Either the clock of this machine is ahead, or their source cannot renew them and they go on being accepted, as those
    /// of EC2 are. The service knows, and its refusal ends that time. It differs, so that not all hosts ask again at once.
    package static let graceSeconds = 600...900

    private let source: Source
    private let now: @Sendable () -> Duration
    private let undatedLife: Duration?
    private var known: Known?
    private var isRefused = false
    private var forcedAt: Duration?
    private var failure: (error: CredentialsError, time: Duration)?
    private var isAsking = false
    private var waiters: [Int: CheckedContinuation<Result<Credentials, CredentialsError>, Never>] = [:]
    private var waiterCount = 0

    /// - Parameters:
    ///   - now: the time since 1970, UTC.
    ///   - undatedLife: how long credentials are kept without an expiry; nil has their source asked each time.
    ///   - source: what is kept here.
    package init(
        now: @escaping @Sendable () -> Duration = { WallClock.now() },
        keepingUndatedFor undatedLife: Duration? = nil,
        of source: @escaping Source
    ) {
        self.now = now
        self.undatedLife = undatedLife
        self.source = source
    }

    private struct Known {
        private(set) var credentials: Credentials
        let seemedExpired: Bool
        let renewalTime: Duration
        let endTime: Duration

        init?(_ credentials: Credentials, at time: Duration, undatedLife: Duration?) {
            guard let expiration = credentials.expiration ?? undatedLife.map({ time + $0 }) else { return nil }
            self.credentials = credentials
            seemedExpired = expiration < time + pause
            endTime = seemedExpired ? time + .seconds(Int.random(in: graceSeconds)) : expiration
            if seemedExpired { self.credentials.expiration = endTime }
            renewalTime = max(endTime - min(margin, (endTime - time) / 4), time + pause)
        }
    }

    package func credentials() async throws(CredentialsError) -> Credentials {
        guard let known else { return try await ask() }
        let time = now()
        let isPausing = failure.map { Self.pause.reaches(from: $0.time, to: time) } ?? false
        if !isRefused, time < known.endTime {
            if time >= known.renewalTime, !isPausing { beginAsking() }
            return known.credentials
        }
        do throws(CredentialsError) {
            if let failure, isPausing { throw failure.error }
            return try await ask()
        } catch {
            guard !isRefused, let old = self.known else { throw error }
            return old.credentials
        }
    }

    package func invalidate() async {
        guard let known, !isRefused else { return }
        let time = now()
        let interval = known.seemedExpired ? Self.pause : Self.forcedInterval
        if let forcedAt, interval.reaches(from: forcedAt, to: time) { return }
        forcedAt = time
        isRefused = true
    }

    // MARK: Asking

    /// Waits for what the source says; a cancelled task does not.
    private func ask() async throws(CredentialsError) -> Credentials {
        beginAsking()
        waiterCount += 1
        let number = waiterCount
        let result: Result<Credentials, CredentialsError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled {
                    continuation.resume(returning: .failure(Self.interrupted))
                } else {
                    waiters[number] = continuation
                }
            }
        } onCancel: {
            Task { await self.abandon(number) }
        }
        return try result.get()
    }

    private func abandon(_ waiter: Int) {
        waiters.removeValue(forKey: waiter)?.resume(returning: .failure(Self.interrupted))
    }

    private static let interrupted = CredentialsError.broken(
        place: "their source",
        reason: "the task that waited for them was cancelled"
    )

    private func beginAsking() {
        guard !isAsking else { return }
        isAsking = true
        Task { [weak self, source] in
            let result: Result<Credentials, CredentialsError>
            do throws(CredentialsError) {
                result = .success(try await source())
            } catch {
                result = .failure(error)
            }
            await self?.finish(with: result)
        }
    }

    private func finish(with result: Result<Credentials, CredentialsError>) {
        isAsking = false
        var result = result
        switch result {
        case .success(let credentials):
            known = Known(credentials, at: now(), undatedLife: undatedLife)
            result = .success(known?.credentials ?? credentials)
            isRefused = false
            failure = nil
        case .failure(let error):
            failure = (error, now())
        }
        let waiting = waiters.values
        waiters = [:]
        for waiter in waiting { waiter.resume(returning: result) }
    }
}

extension Duration {
    /// Whether less time than this lies between two times; not so if the clock was set back in between.
    fileprivate func reaches(from start: Duration, to end: Duration) -> Bool {
        start <= end && end < start + self
    }
}
