package import Records

/// What one agent does, with every default filled in and every variable replaced.
package struct AgentConfiguration: Sendable, Equatable {
    /// At least one; no two have the same stream and patterns.
    package var flows: [FlowConfiguration]

    /// Where records go; nil: to the service's own endpoint of the region.
    package var endpoint: Endpoint?

    /// Such as `eu-central-1`; nil: from the environment, the profile, the endpoint or the instance.
    package var region: String?

    /// The absolute path of the directory that holds the cache and the checkpoints.
    package var stateDirectory: String

    /// How large the cache may grow, in bytes.
    package var cacheMaxBytes: Int

    /// How many bytes dead letters may take before the oldest are deleted.
    package var deadLetterMaxBytes: Int

    /// How often a record that was refused, or throttled, is sent again before it is set aside; nil: for ever.
    package var maxRetries: Int?

    /// How long the last flush may take once the agent was told to stop.
    package var shutdownTimeout: Duration

    /// Nil: the default chain of credential sources.
    package var credentials: StaticCredentials?

    /// The role that is assumed with them; nil: they sign requests themselves.
    package var role: AssumedRole?

    /// Where roles are assumed; nil: at the service's own endpoint of the region.
    package var stsEndpoint: String?

    package var tls: TLSFiles

    /// How many requests of one stream may be under way at the same time.
    package var maxRequestsInFlight: Int

    package var maxOpenFiles: Int

    /// How long a file that was rotated away must be quiet before its unterminated last line is sent and it is let go.
    package var rotatedFileQuiet: Duration

    /// How often everything is looked at, in case no event told.
    package var scanInterval: Duration

    /// How many bytes deleted files may keep from the disk before they are given up, oldest first.
    package var deletedFilesMaxBytes: Int

    /// How long a deleted file is held that cannot be read to its end.
    package var deletedFilesMaxAge: Duration

    /// How often the progress is logged.
    package var statusReportingPeriod: Duration
}

/// A role that is assumed for all flows.
package struct AssumedRole: Sendable, Equatable {
    package var arn: String

    /// What the role's owner wants to hear.
    package var externalID: String?
}

/// Files that TLS connections need, all by their absolute paths and in PEM form.
package struct TLSFiles: Sendable, Equatable {
    /// The authorities to trust; nil: those of `AWS_CA_BUNDLE`, else the system's.
    package var caFile: String?

    /// The agent's own certificate; there is one if there is a key.
    package var certificateFile: String?

    package var keyFile: String?
}

/// What one flow tails, and how its lines become records of a stream.
package struct FlowConfiguration: Sendable, Equatable {
    package var stream: StreamName

    /// At least one; each has a directory, and repeated slashes are collapsed.
    package var filePatterns: [String]

    /// What is not tailed although a pattern matches it.
    package var excludePatterns: [String]

    package var initialPosition: InitialPosition

    /// How long a file must not have changed, at first sight, to be read only from there on; nil: no file is too old.
    package var ignoreOlder: Duration?

    /// How long a record waits for its request, and a line for its aggregated record, to fill.
    package var maxBufferAge: Duration

    /// When a request is full.
    package var batchLimits: BatchLimits

    /// How many bytes of a line are kept, the terminator of a cut one included, its newline not.
    package var maxLineBytes: Int

    /// Put at the end of a line that was cut; shorter than `maxLineBytes`.
    package var truncatedRecordTerminator: [UInt8]

    package var framing: FramingConfiguration

    /// How many bytes of lines are joined into one record; nil: each line is a record.
    package var aggregatedRecordBytes: Int?

    package var compression: RecordCompression

    /// How long the first retry waits.
    package var retryInitialBackoff: Duration

    /// How long a retry waits at most; not less than the first.
    package var retryMaxBackoff: Duration

    /// How many bytes of records the stream is sent a second; nil: as many as it takes.
    package var maxBytesPerSecond: Int?

    /// How many records the stream is sent a second; nil: as many as it takes.
    package var maxRecordsPerSecond: Int?
}

/// Where reading begins in a file that exists when it is first seen and has no checkpoint.
package enum InitialPosition: String, Sendable, CaseIterable {
    case endOfFile = "END_OF_FILE"
    case startOfFile = "START_OF_FILE"
}

/// How the bytes of a flow's files become lines and events.
package struct FramingConfiguration: Sendable, Equatable {
    package var oversizedLines: OversizedLines

    /// Whether lines without content are dropped.
    package var skipsEmptyLines: Bool

    /// How many lines at the beginning of each file are dropped.
    package var headerLines: Int

    /// How long a last line waits for its newline; nil: as long as its file lives.
    package var partialLineTimeout: Duration?

    /// Nil: UTF-8, or as the mark at a file's beginning says.
    package var encoding: String?

    /// Whose logs the files are; nil: each line is what a program wrote.
    package var format: FileFormat?

    package var containerOutput: ContainerOutput

    /// What the first line of an event begins with; nil: each line is an event.
    package var multiLineStartPattern: String?

    /// How long an event of several lines waits for its next one.
    package var multiLineTimeout: Duration
}

/// What becomes of lines that are too long.
package enum OversizedLines: String, Sendable, CaseIterable {
    case truncate
    case split
    case skip
}

/// How files have what programs wrote.
package enum FileFormat: String, Sendable, CaseIterable {
    case docker
    case cri
    /// The first line of each file tells.
    case auto
}

/// What a record of a container's log is.
package enum ContainerOutput: String, Sendable, CaseIterable {
    case message
    case json
}

/// What is done to each record before it is cached.
package enum RecordCompression: String, Sendable, CaseIterable {
    case none
    case gzip
}
