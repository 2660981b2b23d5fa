package import Cache
package import Records

/// Delivers what the cache holds: every stream on its own, so that one in trouble never delays another.
package final class FlushEngine: Sendable {
    private let lanes: [StreamName: Lane]

    /// Prepares to serve every stream that the cache knows.
    ///
    /// - Parameters:
    ///   - cache: what to drain; nobody else may wait for its `appended` signals.
    ///   - destination: where the records go.
    ///   - policies: how to treat each stream.
    ///   - otherPolicy: how to treat the rest, which has records left from an earlier configuration.
    ///   - report: told what happens, from any thread, in order for each stream; it must not block.
    package init(
        draining cache: RecordCache,
        to destination: any Destination,
        policies: [StreamName: FlushPolicy],
        otherPolicy: FlushPolicy = FlushPolicy(),
        report: @escaping @Sendable (FlushEvent) -> Void
    ) {
        let lanes = cache.appended.map { stream, appended in
            Lane(
                of: stream,
                in: cache,
                stirredBy: appended,
                to: destination,
                policy: policies[stream] ?? otherPolicy,
                report: report
            )
        }
        self.lanes = Dictionary(uniqueKeysWithValues: lanes.map { ($0.stream, $0) })
    }

    /// Serves all streams until cancelled, or until `finish` was called and nothing more can be sent; runs once.
    ///
    /// Cancelling gives up the requests in flight; their records stay in the cache.
    package func run() async {
        await withDiscardingTaskGroup { group in
            for lane in lanes.values {
                group.addTask(executorPreference: lane.cache.executor) { await lane.run() }
            }
        }
    }

    /// Has all that is cached sent at once, without waiting for a full batch or the end of a backoff.
    ///
    /// Only a service that asked to be left alone is, until its time is over.
    package func flush() async {
        for lane in lanes.values { await lane.flush() }
    }

    /// The same for one stream.
    package func flush(_ stream: StreamName) async {
        await lanes[stream]?.flush()
    }

    /// Lets `run` return when all that is cached was sent; a stream that fails is left as it is.
    package func finish() async {
        for lane in lanes.values { await lane.finish() }
    }

    /// Lets `run` return when what is in flight is answered; nothing more is sent.
    package func pause() async {
        for lane in lanes.values { await lane.pause() }
    }
}
