import AmplifyFirehoseClient

/// A client with the defaults: a cache of 5 MiB, five retries, a flush each 30 seconds.
func makeClient(_ credentialsProvider: any AWSCredentialsProvider) throws -> AmplifyFirehoseClient {
    let firehose = try AmplifyFirehoseClient(
        region: "us-east-1",
        credentialsProvider: credentialsProvider
    )
    return firehose
}

/// A client with everything spelt out.
func makeCustomClient(_ credentialsProvider: any AWSCredentialsProvider) throws -> AmplifyFirehoseClient {
    let firehose = try AmplifyFirehoseClient(
        region: "us-east-1",
        credentialsProvider: credentialsProvider,
        options: .init(
            cacheMaxBytes: 10 * 1_024 * 1_024,
            maxRetries: 5,
            flushStrategy: .interval(30),
            configureClient: { config in
                config.maxAttempts = 2
            }
        )
    )
    return firehose
}

/// A client that sends only when it is asked to.
func makeManualClient(_ credentialsProvider: any AWSCredentialsProvider) throws -> AmplifyFirehoseClient {
    try AmplifyFirehoseClient(
        region: "us-east-1",
        credentialsProvider: credentialsProvider,
        options: .init(flushStrategy: .none)
    )
}
