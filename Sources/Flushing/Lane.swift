import Cache
import Platform
import Records

/// Drives the delivery of one stream, apart from all others.
///
/// One loop does everything but the requests themselves, which run beside it and leave their answers here.
actor Lane {
    let stream: StreamName
    let cache: RecordCache
    let policy: FlushPolicy
    let report: @Sendable (FlushEvent) -> Void
    var schedule: FlushSchedule
    var random = SystemRandomNumberGenerator()

    /// What keeps the stream from being delivered; when the last one is over, that is reported.
    var troubles: Set<Trouble> = []

    private let destination: any Destination

    /// Raised when the loop has something to look at: records, an answer or a wish.
    private let stirred: Signal

    private var answers: [Answer] = []

    /// What the cache last said waits in it; nil when more may have come since.
    var waiting: Backlog?

    /// How far the cache was told that reading may be ahead, in bytes; nil is as far as it likes.
    private var lead: Int?

    /// Memory for the batches to come.
    private var spares: [RecordBatch] = []

    enum Trouble { case delivery, storage }

    /// The cache's, so that asking the cache takes no change of threads, of which there would be several a request.
    nonisolated var unownedExecutor: UnownedSerialExecutor { cache.executor.reference }

    init(
        of stream: StreamName,
        in cache: RecordCache,
        stirredBy signal: Signal,
        to destination: any Destination,
        policy: FlushPolicy,
        report: @escaping @Sendable (FlushEvent) -> Void
    ) {
        self.stream = stream
        self.cache = cache
        self.destination = destination
        self.policy = policy
        self.report = report
        stirred = signal
        schedule = FlushSchedule(policy)
    }

    /// Sends everything that waits, without waiting for more.
    func flush() {
        schedule.flushAsked()
        stirred.raise()
    }

    /// Lets `run` return once everything was sent, or something failed.
    func finish() {
        schedule.finishAsked(at: .now)
        stirred.raise()
    }

    /// Lets `run` return once what is in flight is answered.
    func pause() {
        schedule.pauseAsked()
        stirred.raise()
    }

    /// Serves the stream until it is cancelled or finished; then nothing is in flight and nothing is lent.
    func run() async {
        await withDiscardingTaskGroup { requests in
            while !Task.isCancelled {
                await settleAnswers()
                schedule.found(await backlog(), at: .now)
                await limitLead()
                switch schedule.next(at: .now) {
                case .send(let limits):
                    guard let lease = await lease(atMost: limits) else { continue }
                    requests.addTask { await self.request(lease) }
                case .sleep(let until):
                    await sleep(until: until)
                case .sleepUntilRecorded:
                    spares.removeAll()
                    await sleep(until: nil)
                case .sleepUntilAnswered:
                    await sleep(until: nil)
                case .stop:
                    return
                }
            }
        }
        await settleAnswers()
    }

    private func request(_ lease: Lease) async {
        answers.append(await .awaited(for: lease, from: destination))
        stirred.raise()
    }

    private func settleAnswers() async {
        while !answers.isEmpty {
            let answer = answers.removeFirst()
            await settle(answer)
            recycle(answer)
        }
    }

    private func recycle(_ answer: consuming Answer) {
        guard spares.count < policy.requestsInFlight else { return }
        spares.append(answer.lease.batch)
    }

    /// Waits; memory that is of no use for long is given up.
    private func sleep(until deadline: ContinuousClock.Instant?) async {
        if let deadline, deadline - .now > .seconds(1) { spares.removeAll() }
        await stirred.wait(until: deadline)
        waiting = nil
    }

    /// What waits in the cache; asked for only when something else may have changed it.
    private func backlog() async -> Backlog {
        if let waiting { return waiting }
        let found = await cache.backlog(of: stream)
        waiting = found
        return found
    }

    /// Tells the cache how far reading may be ahead.
    private func limitLead() async {
        let allowed = schedule.lead(at: .now)
        guard allowed != lead else { return }
        lead = allowed
        await cache.limitLead(of: stream, to: allowed)
    }

    /// Waits that long whatever is recorded meanwhile, or until the task is cancelled.
    func rest(_ duration: Duration) async {
        let deadline = ContinuousClock.now + duration
        while ContinuousClock.now < deadline, !Task.isCancelled { await stirred.wait(until: deadline) }
    }

    private func lease(atMost limits: BatchLimits) async -> Lease? {
        do throws(CacheError) {
            let spare = spares.popLast() ?? RecordBatch()
            let lease = try await cache.lease(stream, atMost: limits, reusing: spare)
            ended(.storage)
            if let lease {
                schedule.sent(records: lease.batch.count, bytes: lease.batch.bytes.count, at: .now)
                waiting = lease.waiting
                return lease
            }
        } catch {
            storageFailed(error)
        }
        waiting = nil
        schedule.storageFailed(at: .now)
        return nil
    }
}
