package import AWS

/// The keys that stand in the agent's own configuration.
package struct ConfiguredCredentials: CredentialsProvider {
    private let outcome: Result<Credentials, CredentialsError>

    /// - Parameters:
    ///   - accessKeyID: the value of `awsAccessKeyId`; blank counts as unset.
    ///   - secretAccessKey: the value of `awsSecretAccessKey`; blank counts as unset.
    package init(accessKeyID: String?, secretAccessKey: String?) {
        let accessKeyID = accessKeyID?.trimmedSetting
        let secretAccessKey = secretAccessKey?.trimmedSetting
        outcome = Result { () throws(CredentialsError) in
            try Self.credentials(accessKeyID: accessKeyID, secretAccessKey: secretAccessKey)
        }
    }

    package func credentials() throws(CredentialsError) -> Credentials {
        try outcome.get()
    }

    private static func credentials(
        accessKeyID: String?,
        secretAccessKey: String?
    ) throws(CredentialsError) -> Credentials {
        let place = "awsAccessKeyId and awsSecretAccessKey of the configuration"
        switch (accessKeyID, secretAccessKey) {
        case (nil, nil):
            throw .notFound(places: [place])
        case (_?, nil):
            throw .broken(place: place, reason: "awsSecretAccessKey is missing; set both or neither")
        case (nil, _?):
            throw .broken(place: place, reason: "awsAccessKeyId is missing; set both or neither")
        case (let accessKeyID?, let secretAccessKey?):
            return try Credentials(
                checkingAccessKeyID: accessKeyID,
                secretAccessKey: secretAccessKey,
                sessionToken: nil,
                place: place
            )
        }
    }
}
