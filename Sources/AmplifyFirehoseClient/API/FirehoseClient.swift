import AWS
package import Firehose
import JSON
import Platform
import Records
import Synchronization

/// Calls the API of Amazon Data Firehose, one operation a call and nothing cached.
///
/// Arguments are checked against the service's limits before anything is sent. Calls at the same time run over connections
/// of their own, which are kept for the next ones. A client that is dropped closes itself.
public final class FirehoseClient: Sendable {
    private let service: FirehoseService
    private let retries: Mutex<RetryStrategy>

    /// Checks the configuration; the network is not touched before the first call.
    ///
    /// - Throws: ``FirehoseClientError/validation(_:)`` if no client can be made of it.
    public convenience init(config: FirehoseClientConfiguration) throws(FirehoseClientError) {
        try self.init(config: config, environment: processEnvironment())
    }

    /// A client with the standard configuration for a region.
    ///
    /// - Throws: ``FirehoseClientError/validation(_:)`` if the region or the environment makes no sense.
    public convenience init(
        region: String,
        credentialsProvider: any AWSCredentialsProvider = DefaultCredentialsProvider()
    ) throws(FirehoseClientError) {
        try self.init(config: FirehoseClientConfiguration(region: region, credentialsProvider: credentialsProvider))
    }

    init(config: FirehoseClientConfiguration, environment: [String: String]) throws(FirehoseClientError) {
        service = try config.makeService(environment: environment)
        retries = Mutex(try config.retryStrategy(environment))
    }

    /// A place to send batches to, with the same credentials over the same connections, and without retries.
    package var destination: FirehoseDestination { FirehoseDestination(service) }

    /// Such as `eu-west-1`, as the configuration and the environment have it.
    package var region: String { service.endpoint.region }

    /// Lets go of the connections, once calls that are under way have ended; later ones throw
    /// ``FirehoseClientError/closed``.
    public func close() {
        service.close()
    }

    // MARK: Operations

    /// Sends one record.
    ///
    /// - Throws: before anything is sent if the record or the name of the stream breaks a limit.
    public func putRecord(input: PutRecordInput) async throws(FirehoseClientError) -> PutRecordOutput {
        try await call(try input.request()) { PutRecordOutput($0) }
    }

    /// Sends up to 500 records of up to 4 MiB.
    ///
    /// Some may be refused although nothing is thrown: see ``PutRecordBatchOutput/failedPutCount``.
    ///
    /// - Throws: before anything is sent if the records or the name of the stream break a limit.
    public func putRecordBatch(
        input: PutRecordBatchInput
    ) async throws(FirehoseClientError) -> PutRecordBatchOutput {
        let count = input.records?.count ?? 0
        return try await call(try input.request()) { PutRecordBatchOutput($0, of: count) }
    }

    /// Tells what a delivery stream is and what state it is in.
    public func describeDeliveryStream(
        input: DescribeDeliveryStreamInput
    ) async throws(FirehoseClientError) -> DescribeDeliveryStreamOutput {
        try await call(try input.request()) { DescribeDeliveryStreamOutput($0) }
    }

    /// Lists the names of the account's delivery streams in this region, at most 10 unless told otherwise.
    public func listDeliveryStreams(
        input: ListDeliveryStreamsInput = ListDeliveryStreamsInput()
    ) async throws(FirehoseClientError) -> ListDeliveryStreamsOutput {
        try await call(try input.request()) { ListDeliveryStreamsOutput($0) }
    }

    // MARK: Calls

    /// Makes a call, and makes it again as often as the retry mode says.
    private func call<Output: Sendable>(
        _ request: FirehoseRequest,
        reading read: @escaping @Sendable (JSONObject) -> Output?
    ) async throws(FirehoseClientError) -> Output {
        var attempt = 1
        var cause: RetryStrategy.Cause?
        while true {
            do throws(CallError) {
                let output = try await service.call(request) { body in JSONObject(answer: body).flatMap(read) }
                retries.withLock { $0.succeeded(afterRetryFor: cause) }
                return output
            } catch {
                guard let delay = delay(after: attempt, error) else {
                    throw FirehoseClientError(error, at: service.endpoint.host)
                }
                cause = error.retry
                guard (try? await Task.sleep(for: delay)) != nil else { throw .cancelled }
            }
            attempt += 1
        }
    }

    private func delay(after attempt: Int, _ error: CallError) -> Duration? {
        guard let cause = error.retry else { return nil }
        var wish: Duration?
        if case .service(let error) = error { wish = error.retryAfter }
        return retries.withLock {
            $0.delay(after: attempt, cause, wish: wish, random: Double.random(in: 0...1))
        }
    }
}
