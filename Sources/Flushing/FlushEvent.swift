package import Cache
package import Records

/// What happened to the records of a stream, for the log and the figures; never with anything of their text.
package enum FlushEvent: Sendable, Equatable {
    /// These records are safe at the destination and gone from the cache; the request took that long.
    case delivered(StreamName, records: Int, bytes: Int, took: Duration)

    /// Some or all records of a request were refused, the first with this code; they will be sent again.
    case partlyRefused(StreamName, refused: Int, of: Int, code: String)

    /// A whole request failed; the stream goes on after the wait.
    case failed(StreamName, DeliveryFailure, retryIn: Duration)

    /// Records became dead letters.
    case setAside(StreamName, count: Int, reason: String)

    /// The cache could not be read or written, said once until it can again; nothing is lost or sent twice.
    case storage(StreamName, CacheError)

    /// A stream that had failed goes again.
    case recovered(StreamName)
}
