/// What signs requests, and where it came from.
package struct Credentials: Sendable, Equatable {
    /// Names the key; no secret.
    package var accessKeyID: String

    package var secretAccessKey: String

    /// Comes with temporary credentials; a secret too.
    package var sessionToken: String?

    /// Where they were found, for a person.
    package var source: String

    package init(accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil, source: String) {
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
        self.sessionToken = sessionToken
        self.source = source
    }
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
    /// A stray line break would otherwise become part of a header.
    init(
        checkingAccessKeyID accessKeyID: String,
        secretAccessKey: String,
        sessionToken: String?,
        place: String
    ) throws(CredentialsError) {
        let parts = [
            ("access key id", accessKeyID), ("secret access key", secretAccessKey),
            ("session token", sessionToken ?? ""),
        ]
        for (name, value) in parts where !value.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) {
            throw .broken(
                place: place,
                reason: "the \(name) contains a blank, a line break or another character that no key has; copy it again"
            )
        }
        self.init(
            accessKeyID: accessKeyID,
            secretAccessKey: secretAccessKey,
            sessionToken: sessionToken,
            source: place
        )
    }
}
