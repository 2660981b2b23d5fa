/// Why a request got no answer, with libcurl's words for it.
package enum HTTPError: Error, Equatable {
    /// The options or the request cannot work anywhere; somebody must change them.
    case unusable(reason: String)
    /// The host's name has no address.
    case unresolved(reason: String)
    /// Nobody takes connections there.
    case unconnected(reason: String)
    /// No trusted TLS connection came about.
    case insecure(reason: String)
    /// The connection could not be made in time, or no byte moved for a while.
    case timedOut(reason: String)
    /// The connection broke after the request was begun; the server may have acted on it.
    case cut(reason: String)
    /// The answer was larger than this many bytes.
    case tooLarge(limit: Int)
    /// The request was interrupted from this side.
    case cancelled
}

extension HTTPError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unusable(let reason): reason
        case .unresolved(let reason): "the host is unknown: \(reason)"
        case .unconnected(let reason): "no connection: \(reason)"
        case .insecure(let reason): "no trusted TLS connection: \(reason)"
        case .timedOut(let reason): "timed out: \(reason)"
        case .cut(let reason): "the connection broke: \(reason)"
        case .tooLarge(let limit): "the answer was larger than \(limit) bytes"
        case .cancelled: "interrupted"
        }
    }
}
