/// What signs requests, and where it came from.
package struct Credentials: Sendable, Equatable {
    /// Names the key; no secret.
    package var accessKeyID: String

    package var secretAccessKey: String

    /// Comes with temporary credentials; a secret too.
    package var sessionToken: String?

    /// When they cease to be valid, as time since 1970, UTC; nil if that is not known or never.
    package var expiration: Duration?

    /// Where they were found, for a person.
    package var source: String

    package init(
        accessKeyID: String,
        secretAccessKey: String,
        sessionToken: String? = nil,
        expiration: Duration? = nil,
        source: String
    ) {
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
        self.sessionToken = sessionToken
        self.expiration = expiration
        self.source = source
    }
}

extension Credentials {
    /// What nobody is to read, should the other side repeat it.
    package var secrets: [String] { [secretAccessKey, sessionToken ?? ""] }
}

/// No way of turning credentials into text shows the secrets: not printing, not interpolation, not `dump`.
extension Credentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String {
        "\(accessKeyID)\(sessionToken == nil ? "" : " (temporary)") from \(source)"
    }

    package var debugDescription: String { description }

    package var customMirror: Mirror {
        Mirror(self, children: ["accessKeyID": accessKeyID, "source": source])
    }
}

extension Credentials {
    /// Takes keys as somebody wrote them down, if they can be keys at all.
    ///
    /// A stray line break would otherwise become part of a header. An empty token counts as none.
    package init(
        checkingAccessKeyID accessKeyID: String,
        secretAccessKey: String,
        sessionToken: String?,
        expiration: Duration? = nil,
        place: String
    ) throws(CredentialsError) {
        let parts = [
            ("access key id", accessKeyID), ("secret access key", secretAccessKey),
            ("session token", sessionToken ?? ""),
        ]
        for (name, value) in parts.dropLast() where value.isEmpty {
            throw .broken(place: place, reason: "the \(name) is empty; set it")
        }
        for (name, value) in parts where !value.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) {
            throw .broken(
                place: place,
                reason: "the \(name) contains a blank, a line break or another character that no key has; copy it again"
            )
        }
        self.init(
            accessKeyID: accessKeyID,
            secretAccessKey: secretAccessKey,
            sessionToken: sessionToken.flatMap { $0.isEmpty ? nil : $0 },
            expiration: expiration,
            source: place
        )
    }
}
