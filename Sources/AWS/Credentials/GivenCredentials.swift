/// Keys that the program itself gives, which never change.
package struct GivenCredentials: CredentialsProvider {
    private let outcome: Result<Credentials, CredentialsError>

    /// - Parameters:
    ///   - accessKeyID: names the key.
    ///   - secretAccessKey: the secret that belongs to it.
    ///   - sessionToken: what comes with temporary keys.
    package init(accessKeyID: String, secretAccessKey: String, sessionToken: String?) {
        outcome = Result { () throws(CredentialsError) in
            try Credentials(
                checkingAccessKeyID: accessKeyID,
                secretAccessKey: secretAccessKey,
                sessionToken: sessionToken,
                place: "the given keys"
            )
        }
    }

    package func credentials() throws(CredentialsError) -> Credentials {
        try outcome.get()
    }
}
