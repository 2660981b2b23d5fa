package import AWS
package import HTTP
import Platform
package import Records

/// Amazon Data Firehose, as a place to send batches to.
package final class FirehoseDestination: Destination {
    let service: FirehoseService

    /// Sends over a service that others may use too.
    package init(_ service: FirehoseService) {
        self.service = service
    }

    /// Sends over a service of its own, whose initializer explains the parameters.
    package convenience init(
        endpoint: Endpoint,
        credentials: any CredentialsProvider,
        options: HTTPOptions = HTTPOptions(),
        userAgent: String,
        onClockOffset: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws(HTTPError) {
        self.init(
            try FirehoseService(
                endpoint: endpoint,
                credentials: credentials,
                options: options,
                userAgent: userAgent,
                onClockOffset: onClockOffset
            )
        )
    }

    package func deliver(_ batch: RecordBatch, to stream: StreamName) async -> Delivery {
        guard !batch.isEmpty else { return .accepted }
        let count = batch.count
        do {
            return try await service.call(.batch(batch, to: stream)) { BatchAnswer($0)?.delivery(of: count) }
        } catch {
            return .failed(error.failure(at: "delivery stream \(stream) at \(place)"))
        }
    }

    /// The host, and the region where its name does not tell: a stream that is missing is mostly in another one.
    private var place: String {
        let endpoint = service.endpoint
        return endpoint.host.contains(endpoint.region) ? endpoint.host : "\(endpoint.host) (region \(endpoint.region))"
    }
}
