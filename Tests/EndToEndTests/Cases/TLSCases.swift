import Foundation
import TestSupport
import Testing

/// What can be wrong with the certificates of the service, of its authority, and of the agent.
enum TLSFault: String, CaseIterable, CustomTestStringConvertible {
    case none = "nothing"
    case bundle = "a bundle with another authority and comments"
    case wrongAuthority = "another authority"
    case garbage = "no certificate in the file"
    case emptyFile = "an empty file"
    case missingFile = "no file"
    case expired = "a certificate that has expired"
    case wrongHost = "a certificate for another host"
    case wrongKey = "a key for another certificate"
    case encryptedKey = "a key with a passphrase"
    case missingKey = "no key"

    var testDescription: String { rawValue }

    /// What the agent says; the file that it names is the CA's or the key's.
    var complaint: String? {
        switch self {
        case .none, .bundle: nil
        case .wrongAuthority: "no trusted TLS connection: SSL certificate problem: "
        case .garbage: "error setting certificate file: "
        case .emptyFile: "is empty; the setting or AWS_CA_BUNDLE must name a PEM file"
        case .missingFile: "cannot be read: No such file or directory; the setting or AWS_CA_BUNDLE must"
        case .expired: "no trusted TLS connection: SSL certificate problem: certificate has expired"
        case .wrongHost: "no alternative certificate subject name matches target host name 'localhost'"
        case .wrongKey: "and its key, which must belong to it and have no passphrase, "
        case .encryptedKey: "and its key, which must belong to it and have no passphrase, "
        case .missingKey: "cannot be read: No such file or directory; the settings must name two PEM files"
        }
    }

    /// Whether an agent with it does not even start.
    var isFatal: Bool { [.emptyFile, .missingFile, .missingKey].contains(self) }

    var isAboutKey: Bool { [.wrongKey, .encryptedKey, .missingKey].contains(self) }
}

/// LS-086: a private authority, and all that can be wrong with it.
@Suite(.enabled(if: TestAuthority.isPossible, "needs openssl and python3"), .timeLimit(.minutes(2)))
struct TLSCases {
    private let scene: AgentScene
    private let authority: TestAuthority
    private let other: TestAuthority
    private let ours: TestAuthority.Pair
    private let caFile: String
    private let keyFile: String

    init() throws {
        scene = try AgentScene()
        authority = try TestAuthority()
        other = try TestAuthority()
        ours = try authority.issue()
        caFile = scene.directory.path("ca.pem")
        keyFile = scene.directory.path("key.pem")
    }

    @Test(arguments: TLSFault.allCases)
    func `a fault of TLS names the file and the reason, and costs no line`(fault: TLSFault) async throws {
        try put(authority.certificateFile, at: caFile)
        try put(ours.keyFile, at: keyFile)
        try make(fault)
        var front: TLSFront? = try await front(with: fault)
        let port = try #require(front?.port)
        scene.agentKeys["firehose.endpoint"] = "https://localhost:\(port)"
        scene.agentKeys["tls.caFile"] = caFile
        scene.agentKeys["tls.certFile"] = ours.certificateFile
        scene.agentKeys["tls.keyFile"] = keyFile
        try scene.append(1...10)
        var agent = try scene.start()
        if let complaint = fault.complaint {
            try await agent.waitForLog(complaint)
            if fault.isFatal { #expect(try await agent.exit() == .code(1)) }
            #expect(agent.log.contains("“\(fault.isAboutKey ? keyFile : caFile)”"), "\(agent.log)")
            #expect(scene.standIn.requests.isEmpty)
            try put(authority.certificateFile, at: caFile)
            try put(ours.keyFile, at: keyFile)
            if fault == .expired || fault == .wrongHost {
                front = nil
                front = try await self.front(at: port)
            }
            if fault.isFatal { agent = try scene.start() }
        }
        try await scene.waitForRecords(10, from: agent)
        #expect(try await agent.stop() == .code(0))
        #expect(scene.deliveredLines == AgentScene.lines(1...10))
        withExtendedLifetime(front) {}
    }

    /// Breaks the files, unless the fault is the server's.
    private func make(_ fault: TLSFault) throws {
        switch fault {
        case .none, .expired, .wrongHost: break
        case .bundle:
            let bundle = try [other, authority].map { try String(contentsOfFile: $0.certificateFile, encoding: .utf8) }
            try Data("# Ours\n\(bundle.joined(separator: "\nThe second = the right one\n"))\n# End\n".utf8)
                .write(to: URL(filePath: caFile))
        case .wrongAuthority: try put(other.certificateFile, at: caFile)
        case .garbage: try Data("no certificate\n".utf8).write(to: URL(filePath: caFile))
        case .emptyFile: try Data().write(to: URL(filePath: caFile))
        case .missingFile: try FileManager.default.removeItem(atPath: caFile)
        case .wrongKey: try put(try other.issue().keyFile, at: keyFile)
        case .encryptedKey: try put(try authority.encrypt(ours), at: keyFile)
        case .missingKey: try FileManager.default.removeItem(atPath: keyFile)
        }
    }

    /// The service behind TLS, which wants to see certificates of clients.
    private func front(with fault: TLSFault = .none, at port: Int = 0) async throws -> TLSFront {
        let host = fault == .wrongHost ? "elsewhere.example" : "localhost"
        let pair = try authority.issue(for: host, days: fault == .expired ? -1 : 1)
        return try await TLSFront(
            before: scene.standIn.port,
            showing: pair,
            clientAuthority: authority,
            port: port
        )
    }

    private func put(_ file: String, at path: String) throws {
        try Data(contentsOf: URL(filePath: file)).write(to: URL(filePath: path), options: .atomic)
    }
}
