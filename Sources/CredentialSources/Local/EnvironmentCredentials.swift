package import AWS

/// The keys in `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and, if temporary, `AWS_SESSION_TOKEN`.
package struct EnvironmentCredentials: CredentialsProvider {
    private let outcome: Result<Credentials, CredentialsError>

    /// - Parameter environment: the variables; a blank one counts as unset, and a secret without an access key as none.
    package init(environment: [String: String]) {
        outcome = Result { () throws(CredentialsError) in try Self.credentials(in: environment) }
    }

    package func credentials() throws(CredentialsError) -> Credentials {
        try outcome.get()
    }

    private static func credentials(in environment: [String: String]) throws(CredentialsError) -> Credentials {
        guard let accessKeyID = environment.setting("AWS_ACCESS_KEY_ID") else {
            throw .notFound(places: ["AWS_ACCESS_KEY_ID in the environment"])
        }
        let place = "the environment"
        guard let secretAccessKey = environment.setting("AWS_SECRET_ACCESS_KEY") else {
            throw .broken(place: place, reason: "AWS_ACCESS_KEY_ID is set without AWS_SECRET_ACCESS_KEY; set both")
        }
        return try Credentials(
            checkingAccessKeyID: accessKeyID,
            secretAccessKey: secretAccessKey,
            sessionToken: environment.setting("AWS_SESSION_TOKEN") ?? environment.setting("AWS_SECURITY_TOKEN"),
            place: place
        )
    }
}
