import Foundation

/// Speaks TLS with clients, and passes what they ask on to a server on this machine that does not.
package final class TLSFront: Sendable {
    package let port: Int
    private let program: Program

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - backend: the server's port.
    ///   - pair: what is shown to clients.
    ///   - clientAuthority: whose certificates clients must show; nil for none.
    ///   - port: where to listen; 0 is any port that is free.
    /// - Throws: when the program cannot be started or does not listen in time.
    package init(
        before backend: Int,
        showing pair: TestAuthority.Pair,
        clientAuthority: TestAuthority? = nil,
        port: Int = 0
    ) async throws {
        let files = [pair.certificateFile, pair.keyFile] + (clientAuthority.map { [$0.certificateFile] } ?? [])
        program = try Program(
            ["python3", "-c", Self.script, "\(port)", "\(backend)"] + files,
            environment: ProcessInfo.processInfo.environment
        )
        let program = self.program
        try await program.wait(for: "it listens") { program.output.hasSuffix("\n") }
        guard let port = Int(program.output.dropLast()) else { throw POSIXError(.EINVAL) }
        self.port = port
    }

    /// Where it listens, for those who call this machine by its name.
    package var url: String { "https://localhost:\(port)" }

    private static let script = """
        import http.client, http.server, ssl, sys
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            def do_POST(self):
                server = http.client.HTTPConnection("127.0.0.1", int(sys.argv[2]))
                server.putrequest("POST", self.path, skip_host=True, skip_accept_encoding=True)
                for header in self.headers.items(): server.putheader(*header)
                server.endheaders(self.rfile.read(int(self.headers["Content-Length"])))
                answer = server.getresponse()
                content = answer.read()
                self.send_response_only(answer.status)
                for header in answer.getheaders(): self.send_header(*header)
                self.end_headers()
                self.wfile.write(content)
            def log_message(self, *ignored): pass
        class Server(http.server.ThreadingHTTPServer):
            def handle_error(self, *ignored): pass
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[3], sys.argv[4])
        if len(sys.argv) > 5:
            context.verify_mode = ssl.CERT_REQUIRED
            context.load_verify_locations(sys.argv[5])
        server = Server(("localhost", int(sys.argv[1])), Handler)
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        print(server.server_port, flush=True)
        server.serve_forever()
        """
}
