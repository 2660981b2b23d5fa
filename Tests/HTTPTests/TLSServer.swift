import Foundation
import TestSupport

/// An HTTPS server with a certificate that it made itself.
final class TLSServer {
    let port: Int
    let certificate: String

    /// The key that belongs to it.
    let key: String

    /// A file that is not a certificate.
    let garbage: String
    private let directory: TemporaryDirectory
    private let process: Process

    static var isPossible: Bool {
        ["openssl", "python3"].allSatisfy { (try? run(["sh", "-c", "command -v \($0)"])) == 0 }
    }

    /// A server for `host`, which takes only clients with its own certificate if it asks for one.
    init(host: String, asksForCertificate: Bool = false) throws {
        directory = try TemporaryDirectory()
        certificate = directory.path + "/certificate.pem"
        garbage = directory.path + "/garbage.pem"
        key = directory.path + "/key.pem"
        try Data("no certificate\n".utf8).write(to: URL(fileURLWithPath: garbage))
        let status = try Self.run([
            "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=\(host)",
            "-addext", "subjectAltName=DNS:\(host)", "-keyout", key, "-out", certificate,
        ])
        guard status == 0 else { throw Unprepared(reason: "openssl ended with \(status)") }
        process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", Self.program, certificate, key] + (asksForCertificate ? ["ask"] : [])
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            kill(process.processIdentifier, SIGKILL)
            throw Unprepared(reason: "python3 said \(line)")
        }
        self.port = port
    }

    deinit {
        // A child may have inherited a mask that blocks the gentler signals.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    private struct Unprepared: Error {
        let reason: String
    }

    @discardableResult
    private static func run(_ arguments: [String]) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Prints its port, then answers every POST with 200.
    private static let program = """
        import http.server, ssl, sys
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()
            def log_message(self, *ignored): pass
        class Server(http.server.ThreadingHTTPServer):
            def handle_error(self, *ignored): pass
        server = Server(("localhost", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1], sys.argv[2])
        if len(sys.argv) > 3:
            context.verify_mode = ssl.CERT_REQUIRED
            context.load_verify_locations(sys.argv[1])
        server.socket = context.wrap_socket(server.socket, server_side=True)
        print(server.server_port, flush=True)
        server.serve_forever()
        """
}
