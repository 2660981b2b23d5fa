import Bytes
import CCurl

/// What the callbacks of one transfer fill.
@safe
final class Transfer {
    var response = HTTPResponse()
    private let limit: Int
    private var headerBytes = 0

    /// What the answer was larger than; nil while it is not.
    private var exceededLimit: Int?

    /// Bytes of headers, those of interim answers included; libcurl itself would take any number.
    private static let headerLimit = 256 << 10

    init(limit: Int) {
        self.limit = limit
    }

    /// Takes over the memory of `response` while the transfer lasts.
    func begin(reusing response: inout HTTPResponse) {
        swap(&self.response, &response)
        self.response.reset()
        headerBytes = 0
        exceededLimit = nil
    }

    func end(giving response: inout HTTPResponse) {
        swap(&self.response, &response)
    }

    /// What a result other than success means to callers.
    func error(for result: CURLcode, _ easy: EasyHandle) -> HTTPError {
        if let exceededLimit { return .tooLarge(limit: exceededLimit) }
        let reason = easy.describe(result)
        switch result {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: return .unresolved(reason: reason)
        case CURLE_COULDNT_CONNECT: return .unconnected(reason: reason)
        case CURLE_OPERATION_TIMEDOUT: return .timedOut(reason: reason)
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_CRL_BADFILE, CURLE_USE_SSL_FAILED, CURLE_SSL_INVALIDCERTSTATUS:
            return .insecure(reason: reason)
        case CURLE_SSL_CERTPROBLEM, CURLE_SSL_CACERT_BADFILE, CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL,
            CURLE_NOT_BUILT_IN, CURLE_BAD_FUNCTION_ARGUMENT:
            return .unusable(reason: reason)
        default: return .cut(reason: reason)
        }
    }

    /// Keeps a piece of the body.
    ///
    /// - Returns: how many bytes were taken; fewer than given make libcurl give up.
    private func add(_ piece: UnsafeBufferPointer<UInt8>) -> Int {
        guard response.body.count + piece.count <= limit else {
            exceededLimit = limit
            return 0
        }
        unsafe response.body.append(contentsOf: piece)
        return piece.count
    }

    /// Keeps a line of the headers.
    ///
    /// - Returns: as for a piece of the body.
    private func addHeader(_ line: UnsafeBufferPointer<UInt8>) -> Int {
        headerBytes += line.count
        guard headerBytes <= Self.headerLimit else {
            exceededLimit = Self.headerLimit
            return 0
        }
        response.addHeaderLine(unsafe line.span)
        return line.count
    }

    static let takeBody: curl_write_callback = { data, size, count, context in
        guard let data = unsafe data, let context = unsafe context else { return 0 }
        let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        let length = size * count
        return unsafe data.withMemoryRebound(to: UInt8.self, capacity: length) { bytes in
            unsafe transfer.add(UnsafeBufferPointer(start: bytes, count: length))
        }
    }

    static let takeHeader: curl_write_callback = { data, size, count, context in
        guard let data = unsafe data, let context = unsafe context else { return 0 }
        let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        let length = size * count
        return unsafe data.withMemoryRebound(to: UInt8.self, capacity: length) { bytes in
            unsafe transfer.addHeader(UnsafeBufferPointer(start: bytes, count: length))
        }
    }
}
