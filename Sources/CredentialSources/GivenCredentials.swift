package import AWS

/// Keys that are simply there, and never change.
package struct GivenCredentials: CredentialsProvider {
    private let outcome: Result<Credentials, CredentialsError>

    /// - Parameters:
    ///   - accessKeyID: names the key.
    ///   - secretAccessKey: the secret that belongs to it.
    ///   - sessionToken: what comes with temporary keys.
    ///   - place: where they are from, for messages.
    package init(accessKeyID: String, secretAccessKey: String, sessionToken: String?, place: String = "the given keys")
    {
        outcome = Result { () throws(CredentialsError) in
            try Credentials(
                checkingAccessKeyID: accessKeyID,
                secretAccessKey: secretAccessKey,
                sessionToken: sessionToken,
                place: place
            )
        }
    }

    package func credentials() throws(CredentialsError) -> Credentials {
        try outcome.get()
    }
}
