import AWS
import Platform

/// The credentials that a program prints, as `credential_process` of a profile names it.
package struct ProcessCredentials: CachedSource {
    let cache: CredentialsCache

    /// Takes the command as it is, and runs it without a shell if it needs none; `place` is where it is from, for messages.
    package init(command: String, place: String, _ context: CredentialsContext) {
        let runner = CommandRunner()
        // What does not expire is not asked for again, since a program may ask its user for something.
        cache = context.cache(keepingUndatedFor: .seconds(1_000_000_000)) { () throws(CredentialsError) in
            try await runner.run(command, place: place)
        }
    }
}

/// Runs programs on a thread of its own, which waits for them.
private actor CommandRunner {
    private let executor = QueueExecutor(label: "firetail.command")

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.reference }

    /// How long a program may take: some begin with a login over the network.
    private static let timeout = Duration.seconds(60)

    /// Bytes of what it prints, which nobody else is to see.
    private static let outputLimit = 64 << 10

    func run(_ command: String, place: String) throws(CredentialsError) -> Credentials {
        let place = "the output of credential_process of \(place)"
        let bytes: [UInt8]
        do {
            bytes = try output(ofCommand: Self.arguments(of: command), limit: Self.outputLimit, timeout: Self.timeout)
        } catch {
            throw .broken(place: place, reason: "\(error)")
        }
        guard let document = CredentialsDocument(bytes) else {
            throw .broken(place: place, reason: "it is not a JSON object (not shown, since it may be a secret)")
        }
        guard document.integer("Version") == 1 else {
            throw .broken(place: place, reason: "Version is not 1")
        }
        return try document.credentials(token: "SessionToken", place: place)
    }

    /// Plain words are a program and its arguments, also where there is no shell; anything else is for the shell, as with
    /// other SDKs.
    private static func arguments(of command: String) -> [String] {
        let isPlain = command.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: " -_/.%@:+=,".utf8.contains(byte)
            }
        }
        let words = command.split(separator: " ").map(String.init)
        guard isPlain, let program = words.first, !program.contains("=") else { return ["/bin/sh", "-c", command] }
        return words
    }
}
