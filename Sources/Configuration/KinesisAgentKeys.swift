import JSON

/// The keys of the Kinesis Agent that are not read here.
enum KinesisAgentKeys {
    static let agent: [KeyRow] = [
        .notYet("userDefinedCredentialsProvider.classname", "a credentials provider written in Java"),
        .notYet("userDefinedCredentialsProvider.location", "a credentials provider written in Java"),
        .notYet("kinesis.endpoint", "Kinesis data streams"),
        .notYet("kinesis.region", "Kinesis data streams"),
        .notYet(
            "cloudwatch.emitMetrics",
            "metrics in CloudWatch",
            advice: "set it to false",
            unless: { $0.scalarBool == false }
        ),
        .withoutEffect("cloudwatch.endpoint", noMetrics),
        .withoutEffect("cloudwatch.namespace", noMetrics),
        .withoutEffect("cloudwatch.metricsBufferTimeMillis", noMetrics),
        .withoutEffect("cloudwatch.metricsQueueSize", noMetrics),
        .withoutEffect("cloudwatch.tagInstance", noMetrics),
        .withoutEffect("checkpointFile", ownState),
        .withoutEffect("checkpointTimeToLiveDays", "offsets are kept as long as their files are there"),
        .withoutEffect("checkpoints.queryTimeoutSeconds", ownState),
        .withoutEffect("checkpoints.connectionTimeoutSeconds", ownState),
        .withoutEffect("maxSendingThreads", noThreads),
        .withoutEffect("maxSendingThreadsPerCore", noThreads),
        .withoutEffect("sendingThreadsKeepAliveMillis", noThreads),
        .withoutEffect("sendingThreadsMaxQueueSize", noThreads),
        .withoutEffect("maxConnections", noThreads),
        .withoutEffect("connectionTimeoutMillis", ownTimeouts),
        .withoutEffect("socketTimeoutMillis", ownTimeouts),
        .withoutEffect("connectionTTLMillis", ownTimeouts),
        .withoutEffect("useTcpKeepAlive", "connections are kept alive as they need it"),
        .withoutEffect("useHttpGzip", "answers are too small to compress; compression compresses records"),
        .withoutEffect("userAgent", "the agent names itself"),
        .withoutEffect("userAgentOverride", "the agent names itself"),
        .withoutEffect("log.emitMetrics", ownLog),
        .withoutEffect("log.emitInternalMetrics", ownLog),
        .withoutEffect("log.level", ownLog),
        .withoutEffect("log.file", ownLog),
        .withoutEffect("log.maxBackupIndex", ownLog),
        .withoutEffect("log.maxFileSize", ownLog),
    ]

    static let flow: [KeyRow] = [
        .notYet("kinesisStream", "Kinesis data streams", advice: "send to a Firehose stream: deliveryStream"),
        .notYet("partitionKeyOption", "Kinesis data streams"),
        .notYet("dataProcessingOptions", "conversion of records", unless: { $0.isBlank || $0.content == .array([]) }),
        .notYet("fileFooterPattern", "skipping of footers"),
        .withoutEffect("minTimeBetweenFilePollsMillis", noPolling),
        .withoutEffect("maxTimeBetweenFileTrackerRefreshMillis", noPolling),
        .withoutEffect("publishQueueCapacity", noQueue),
        .withoutEffect("waitOnFullPublishQueueMillis", noQueue),
        .withoutEffect("waitOnEmptyPublishQueueMillis", noQueue),
        .withoutEffect("log.emitInternalMetrics", ownLog),
    ]

    private static let noMetrics = "no metrics are sent to CloudWatch"
    private static let ownState = "offsets are kept in stateDirectory"
    private static let noThreads = "requests need no threads of their own; maxRequestsInFlight limits them"
    private static let ownTimeouts = "a connection is given up when nothing moves on it"
    private static let ownLog = "the log goes to standard error"
    private static let noPolling = "the system tells when files change"
    private static let noQueue = "records wait in the cache, which cacheMaxBytes limits"
}
