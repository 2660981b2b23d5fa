extension Section {
    /// Reads everything at the top level but the flows.
    mutating func agent(flows: [FlowConfiguration]) -> AgentConfiguration {
        AgentConfiguration(
            flows: flows,
            endpoint: value(AgentKeys.endpoint),
            region: value(AgentKeys.region),
            stateDirectory: value(AgentKeys.stateDirectory),
            cacheMaxBytes: value(AgentKeys.cacheMaxBytes),
            deadLetterMaxBytes: value(AgentKeys.deadLetterMaxBytes),
            maxRetries: value(AgentKeys.maxRetries),
            shutdownTimeout: value(AgentKeys.shutdownTimeout),
            credentials: credentials(),
            role: role(),
            stsEndpoint: value(AgentKeys.stsEndpoint),
            tls: tls(),
            maxRequestsInFlight: value(AgentKeys.maxRequestsInFlight),
            maxOpenFiles: value(AgentKeys.maxOpenFiles),
            rotatedFileQuiet: value(AgentKeys.rotatedFileQuiet),
            scanInterval: value(AgentKeys.scanInterval),
            deletedFilesMaxBytes: value(AgentKeys.deletedFilesMaxBytes),
            deletedFilesMaxAge: value(AgentKeys.deletedFilesMaxAge),
            statusReportingPeriod: value(AgentKeys.statusReportingPeriod)
        )
    }

    /// Both parts of the credentials, or neither.
    private mutating func credentials() -> StaticCredentials? {
        let keyID = AgentKeys.accessKeyID
        let secret = AgentKeys.secretAccessKey
        switch (value(keyID), value(secret)) {
        case (let keyID?, let secret?):
            return StaticCredentials(accessKeyID: keyID, secretAccessKey: secret)
        case (nil, nil):
            return nil
        case (_?, nil):
            noteLone(keyID, without: secret)
        case (nil, _?):
            noteLone(secret, without: keyID)
        }
        return nil
    }

    /// The role, if there is one to which the external ID can belong.
    private mutating func role() -> AssumedRole? {
        let externalID = value(AgentKeys.roleExternalID)
        if let arn = value(AgentKeys.roleARN) { return AssumedRole(arn: arn, externalID: externalID) }
        if externalID != nil, areSound(AgentKeys.roleARN.name) {
            note(
                AgentKeys.roleExternalID.name,
                problem: "needs \(AgentKeys.roleARN.name) as well",
                advice: "set both, or neither to sign with the credentials themselves"
            )
        }
        return nil
    }

    /// The files; a certificate and its key, or neither.
    private mutating func tls() -> TLSFiles {
        let files = TLSFiles(
            caFile: value(AgentKeys.caFile),
            certificateFile: value(AgentKeys.certificateFile),
            keyFile: value(AgentKeys.keyFile)
        )
        let (certificate, key) = (AgentKeys.certificateFile.name, AgentKeys.keyFile.name)
        if (files.certificateFile == nil) != (files.keyFile == nil), areSound(certificate, key) {
            let (given, missing) = files.keyFile == nil ? (certificate, key) : (key, certificate)
            note(given, problem: "needs \(missing) as well", advice: "set both, or neither to show no certificate")
        }
        return files
    }

    private mutating func noteLone(_ key: Key<String?>, without other: Key<String?>) {
        guard areSound(key.name, other.name) else { return }
        note(
            key.name,
            problem: "needs \(other.name) as well",
            advice: "set both, or neither to use the credentials of the environment, the profile or the instance"
        )
    }
}
