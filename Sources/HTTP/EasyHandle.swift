import CCurl
import Glibc

/// libcurl's handle for one transfer after another, with the options that all of them share.
@safe
final class EasyHandle {
    let handle: UnsafeMutableRawPointer

    /// Where libcurl writes what went wrong; `CURL_ERROR_SIZE` bytes.
    private let message: UnsafeMutablePointer<CChar>

    private var caFile: String?
    private var clientCertificate: ClientCertificate?

    init() throws(HTTPError) {
        guard let handle = unsafe curl_easy_init() else {
            throw .unusable(reason: "libcurl could not be started; is there memory left?")
        }
        unsafe self.handle = handle
        unsafe message = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        unsafe check(ccurl_set_pointer(handle, CURLOPT_ERRORBUFFER, message))
    }

    deinit {
        unsafe curl_easy_cleanup(handle)
        unsafe message.deallocate()
    }

    /// Sets everything that stays the same from request to request.
    func apply(_ options: HTTPOptions) throws(HTTPError) {
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        set(CURLOPT_TCP_NODELAY, 1)
        set(CURLOPT_TCP_KEEPALIVE, 1)
        set(CURLOPT_UPLOAD_BUFFERSIZE, Self.uploadBufferBytes)
        unsafe check(ccurl_set_preparer(handle, CURLOPT_SOCKOPTFUNCTION, Self.boundQueue))
        // The system's resolver knows how long an address is good.
        set(CURLOPT_DNS_CACHE_TIMEOUT, 0)
        set(CURLOPT_CONNECTTIMEOUT_MS, max(1, options.connectTimeout.milliseconds))
        set(CURLOPT_LOW_SPEED_LIMIT, 1)
        set(CURLOPT_LOW_SPEED_TIME, max(1, options.stallTimeout.milliseconds / 1000))
        set(CURLOPT_SSL_VERIFYPEER, 1)
        set(CURLOPT_SSL_VERIFYHOST, 2)
        try set(CURLOPT_PROTOCOLS_STR, "http,https")
        if let timeout = options.requestTimeout { set(CURLOPT_TIMEOUT_MS, max(1, timeout.milliseconds)) }
        try take(options.proxy)
        // AES-128 is cheaper than the AES-256 that OpenSSL prefers. A libcurl on another TLS library keeps its own order.
        _ = unsafe ccurl_set_string(handle, CURLOPT_TLS13_CIPHERS, Self.cipherSuites)
        if let caFile = options.caFile { try trustOnly(caFile) }
        if let certificate = options.clientCertificate { try show(certificate) }
    }

    /// Makes the requests to come ones of this method.
    func set(_ method: HTTPMethod) throws(HTTPError) {
        // A PUT with a body in memory is a POST by another name.
        set(method == .get ? CURLOPT_HTTPGET : CURLOPT_POST, 1)
        let result = unsafe ccurl_set_string(handle, CURLOPT_CUSTOMREQUEST, method == .put ? "PUT" : nil)
        guard result == CURLE_OK else { throw .unusable(reason: "no memory for a request") }
    }

    /// Bytes that libcurl hands to TLS or the socket at once; 16 KiB to 512 KiB made no difference beyond the noise.
    private static let uploadBufferBytes = 64 << 10

    /// Has the kernel take no more than it can send soon.
    ///
    /// It would take megabytes at once, and while a slow line carries them nothing would seem to move.
    private static let boundQueue: curl_sockopt_callback = { _, socket, _ in
        var bytes: CInt = 128 << 10
        let size = socklen_t(MemoryLayout<CInt>.size)
        // A kernel without it is one that is less exact about slow lines.
        _ = unsafe setsockopt(socket, CInt(IPPROTO_TCP), TCP_NOTSENT_LOWAT, &bytes, size)
        return CURL_SOCKOPT_OK
    }

    private static let cipherSuites =
        "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256"

    private func take(_ proxy: HTTPProxy) throws(HTTPError) {
        switch proxy {
        case .environment: return
        case .direct: try set(CURLOPT_PROXY, "")
        case .server(let server):
            try set(CURLOPT_PROXY, server.url)
            // The environment's `no_proxy` would otherwise hold for this one, too.
            try set(CURLOPT_NOPROXY, "")
            guard let userAndPassword = server.userAndPassword else { return }
            guard unsafe ccurl_set_string(handle, CURLOPT_PROXYUSERPWD, userAndPassword) == CURLE_OK else {
                throw .unusable(reason: "libcurl does not take the user and the password of the proxy \(server.url)")
            }
        }
    }

    /// Trusts the authorities in this file and no others.
    private func trustOnly(_ caFile: String) throws(HTTPError) {
        let advice = "the setting or AWS_CA_BUNDLE must name a PEM file of certificates, or not be set"
        try requireFile(caFile, "CA bundle", advice: advice)
        self.caFile = caFile
        // What an operator has mended holds for the next connection, not only after libcurl's day. Older ones keep nothing.
        _ = unsafe ccurl_set_long(handle, CURLOPT_CA_CACHE_TIMEOUT, 0)
        try set(CURLOPT_CAINFO, caFile)
        try set(CURLOPT_PROXY_CAINFO, caFile)
        unsafe check(ccurl_set_string(handle, CURLOPT_CAPATH, nil))
        unsafe check(ccurl_set_string(handle, CURLOPT_PROXY_CAPATH, nil))
    }

    /// Shows the certificate to servers that ask for one, and proves with the key that it is ours.
    private func show(_ certificate: ClientCertificate) throws(HTTPError) {
        let advice = "the settings must name two PEM files, a certificate and its key, or neither"
        try requireFile(certificate.certificateFile, "client certificate", advice: advice)
        try requireFile(certificate.keyFile, "client key", advice: advice)
        try set(CURLOPT_SSLCERT, certificate.certificateFile)
        try set(CURLOPT_SSLKEY, certificate.keyFile)
        // Without one, OpenSSL would ask the terminal for the passphrase of a key that has one.
        try set(CURLOPT_KEYPASSWD, "")
        clientCertificate = certificate
    }

    /// Makes sure that a file is there and has something, since libcurl's words about that come late and say little.
    private func requireFile(_ path: String, _ role: String, advice: String) throws(HTTPError) {
        var status = stat()
        guard unsafe stat(path, &status) == 0, unsafe access(path, R_OK) == 0 else {
            let reason = unsafe String(cString: strerror(errno))
            throw .unusable(reason: "the \(role) “\(path)” cannot be read: \(reason); \(advice)")
        }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else {
            let state = status.st_size == 0 ? "empty" : "not a file"
            throw .unusable(reason: "the \(role) “\(path)” is \(state); \(advice)")
        }
    }

    /// Lets the callbacks fill `transfer`, which must outlive the handle's use.
    func receive(into transfer: Transfer) {
        let context = unsafe Unmanaged.passUnretained(transfer).toOpaque()
        unsafe check(ccurl_set_pointer(handle, CURLOPT_WRITEDATA, context))
        unsafe check(ccurl_set_pointer(handle, CURLOPT_HEADERDATA, context))
        unsafe check(ccurl_set_receiver(handle, CURLOPT_WRITEFUNCTION, Transfer.takeBody))
        unsafe check(ccurl_set_receiver(handle, CURLOPT_HEADERFUNCTION, Transfer.takeHeader))
    }

    /// Points the handle at a body that stays where it is until `endLending`.
    func lend(_ body: UnsafeBufferPointer<UInt8>) {
        unsafe message.pointee = 0
        unsafe check(ccurl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)))
        // An empty body needs a pointer too; without one libcurl would ask a callback for it.
        let bytes = unsafe body.baseAddress.map { unsafe UnsafeRawPointer($0) } ?? UnsafeRawPointer(message)
        unsafe check(ccurl_set_pointer(handle, CURLOPT_POSTFIELDS, UnsafeMutableRawPointer(mutating: bytes)))
    }

    func endLending() {
        unsafe check(ccurl_set_pointer(handle, CURLOPT_POSTFIELDS, nil))
    }

    /// The status of the last answer.
    var responseStatus: Int {
        var status = 0
        _ = unsafe ccurl_get_long(handle, CURLINFO_RESPONSE_CODE, &status)
        return status
    }

    /// What libcurl says about the last transfer, which ended with `result`.
    func describe(_ result: CURLcode) -> String {
        let specific = unsafe String(cString: message)
        // It may quote a proxy of the environment as it stands there, with a password before the @.
        let isUseful = !specific.isEmpty && !specific.utf8.contains(UInt8(ascii: "@"))
        return (isUseful ? specific : unsafe String(cString: curl_easy_strerror(result))) + files(in: result)
    }

    /// Which files had a part in a failure, since libcurl's own words rarely name them.
    private func files(in result: CURLcode) -> String {
        switch result {
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE:
            return caFile.map { " (trusted are the authorities in “\($0)”)" }
                ?? " (trusted are the system's authorities)"
        case CURLE_SSL_CERTPROBLEM:
            guard let files = clientCertificate else { return "" }
            return
                " (the client certificate is “\(files.certificateFile)” and its key, which must belong to it and have no "
                + "passphrase, “\(files.keyFile)”)"
        default: return ""
        }
    }

    func set(_ option: CURLoption, _ list: borrowing HeaderList) {
        unsafe check(ccurl_set_list(handle, option, list.first))
    }

    func set(_ option: CURLoption, _ value: String) throws(HTTPError) {
        guard unsafe ccurl_set_string(handle, option, value) == CURLE_OK else {
            throw .unusable(reason: "libcurl does not take “\(value)”")
        }
    }

    private func set(_ option: CURLoption, _ value: Int) {
        unsafe check(ccurl_set_long(handle, option, value))
    }

    /// An option that every supported libcurl knows and whose value is ours cannot fail.
    private func check(_ result: CURLcode) {
        precondition(result == CURLE_OK, "libcurl lacks an option that it has had for years")
    }
}

extension Duration {
    /// As libcurl takes them; thirty years are as good as for ever.
    fileprivate var milliseconds: Int {
        Int(min(components.seconds, 1_000_000_000) * 1000 + components.attoseconds / 1_000_000_000_000_000)
    }
}
