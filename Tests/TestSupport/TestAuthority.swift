import Foundation

/// An authority that exists for one test, and the certificates that it signs; all are files in PEM.
package final class TestAuthority: Sendable {
    private let directory: TemporaryDirectory

    /// The authority's own certificate.
    package var certificateFile: String { directory.path("ca.pem") }

    /// A certificate and the key that belongs to it.
    package struct Pair: Sendable {
        package let certificateFile: String
        package let keyFile: String
    }

    package static let isPossible: Bool = ["openssl", "python3"].allSatisfy { (try? run([$0, "--help"])) != nil }

    package init() throws {
        directory = try TemporaryDirectory()
        try Self.run(
            ["openssl", "req", "-x509", "-nodes", "-days", "3", "-subj", "/CN=Authority of a test"] + Self.newKey
                + ["-keyout", directory.path("ca.key"), "-out", certificateFile]
        )
    }

    /// A certificate for a host, and for clients; one that is good for less than no time has expired.
    package func issue(for host: String = "localhost", days: Int = 1) throws -> Pair {
        let name = UUID().uuidString
        let pair = Pair(certificateFile: directory.path(name + ".pem"), keyFile: directory.path(name + ".key"))
        let request = directory.path(name + ".csr")
        try directory.append("subjectAltName=DNS:\(host)\n", to: name + ".extensions")
        try Self.run(
            ["openssl", "req", "-new", "-nodes", "-subj", "/CN=\(host)"] + Self.newKey
                + ["-keyout", pair.keyFile, "-out", request]
        )
        try Self.run([
            "openssl", "x509", "-req", "-in", request, "-CA", certificateFile, "-CAkey", directory.path("ca.key"),
            "-days", "\(days)", "-extfile", directory.path(name + ".extensions"), "-out", pair.certificateFile,
        ])
        return pair
    }

    /// The key of a pair as a file that needs a passphrase.
    package func encrypt(_ pair: Pair) throws -> String {
        let file = pair.keyFile + ".encrypted"
        try Self.run(["openssl", "ec", "-in", pair.keyFile, "-aes128", "-passout", "pass:hush", "-out", file])
        return file
    }

    private static let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]

    private static func run(_ command: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw POSIXError(.ENOEXEC) }
    }
}
