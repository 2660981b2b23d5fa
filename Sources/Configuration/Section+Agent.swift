extension Section {
    /// Reads everything at the top level but the flows.
    mutating func agent(flows: [FlowConfiguration]) -> AgentConfiguration {
        AgentConfiguration(
            flows: flows,
            endpoint: value(AgentKeys.endpoint),
            region: value(AgentKeys.region),
            stateDirectory: value(AgentKeys.stateDirectory),
            cacheMaxBytes: value(AgentKeys.cacheMaxBytes),
            maxRetries: value(AgentKeys.maxRetries),
            shutdownTimeout: value(AgentKeys.shutdownTimeout),
            credentials: credentials(),
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

    private mutating func noteLone(_ key: Key<String?>, without other: Key<String?>) {
        guard areSound(key.name, other.name) else { return }
        note(
            key.name,
            problem: "needs \(other.name) as well",
            advice: "set both, or neither to use the credentials of the environment, the profile or the instance"
        )
    }
}
