/// The keys at the top level of the file.
enum AgentKeys {
    static let flows = KeyRow(
        name: "flows",
        support: .supported(allowed: "an array of objects, at least one", byDefault: nil),
        meaning: "What is tailed and where it goes; the keys of a flow are below."
    )
    static let endpoint = Key<Endpoint?>.text(
        "firehose.endpoint",
        "an https:// or http:// URL without a path, a host, or file:///directory",
        absent: "the region's endpoint",
        "Where records go: the service, another address of it, or a local directory for a trial.",
        make: { $0.isEmpty ? .value(nil) : Endpoint.parse($0).then { .value($0) } }
    )
    static let region = Key<String?>.text(
        "region",
        "the code of an AWS region, such as eu-central-1",
        absent: "from the endpoint, AWS_REGION or the profile",
        "The region that requests are signed for.",
        make: region
    )
    static let stateDirectory = Key(
        "stateDirectory",
        allowed: "the absolute path of a directory",
        byDefault: "/var/lib/firetail",
        shownDefault: "\"/var/lib/firetail\"",
        meaning: "Where cached records and the offsets of files are kept; it must survive a reboot."
    ) { value in
        value.scalarText?.asDirectory.map { .value($0) } ?? .refused()
    }
    static let cacheMaxBytes = Key<Int>.integer(
        "cacheMaxBytes",
        (16 << 20)...(1 << 50),
        default: 1 << 30,
        "How large the cache on disk may grow; when it is full, lines wait in their files."
    )
    static let maxRetries = Key<Int?>.optionalInteger(
        "maxRetries",
        0...1_000_000_000,
        absent: "no limit",
        "How often a batch is sent again before it is set aside."
    )
    static let shutdownTimeout = Key<Duration>.milliseconds(
        "shutdownTimeoutMillis",
        0...86_400_000,
        default: 10_000,
        "How long the last flush may take when the agent is stopped; what is left stays in the cache."
    )
    static let accessKeyID = Key<String?>.secret(
        "awsAccessKeyId",
        "A static access key, together with awsSecretAccessKey; absent: the usual sources of credentials."
    )
    static let secretAccessKey = Key<String?>.secret(
        "awsSecretAccessKey",
        "The secret of awsAccessKeyId; ${NAME} keeps it out of the file."
    )
    static let maxRequestsInFlight = Key<Int>.integer(
        "maxRequestsInFlight",
        1...16,
        default: 1,
        "How many requests of one stream may be under way at once; over 1, order is not kept."
    )
    static let maxOpenFiles = Key<Int>.integer(
        "maxOpenFiles",
        16...1_000_000,
        default: 4096,
        "How many tailed files are kept open; others are opened again when they grow."
    )
    static let rotatedFileQuiet = Key<Duration>.milliseconds(
        "rotatedFileQuietMillis",
        0...3_600_000,
        default: 2000,
        "How long a rotated file must be quiet before its unterminated last line is sent and it is let go."
    )
    static let scanInterval = Key<Duration>.milliseconds(
        "scanIntervalMillis",
        100...3_600_000,
        default: 10_000,
        "How often all patterns are looked through and all files looked at, in case no event told of a change."
    )
    static let deletedFilesMaxBytes = Key<Int>.integer(
        "deletedFilesMaxBytes",
        0...(1 << 50),
        default: 1 << 30,
        "How many bytes deleted files may keep from the disk, because they are not read yet, before some are given up."
    )
    static let deletedFilesMaxAge = Key<Duration>.milliseconds(
        "deletedFilesMaxAgeMillis",
        0...31_536_000_000,
        default: 3_600_000,
        "How long a deleted file that cannot be read to its end is held before it is given up."
    )
    static let statusReportingPeriod = Key<Duration>.seconds(
        "log.statusReportingPeriodSeconds",
        1...31_536_000,
        default: 30,
        "How often the progress is logged."
    )

    /// Every key of this level, in the order of the reference.
    static let all: [KeyRow] =
        [
            flows, endpoint.row, region.row, accessKeyID.row, secretAccessKey.row, stateDirectory.row,
            cacheMaxBytes.row, maxRetries.row, maxRequestsInFlight.row, maxOpenFiles.row, rotatedFileQuiet.row,
            scanInterval.row, deletedFilesMaxBytes.row, deletedFilesMaxAge.row, shutdownTimeout.row,
            statusReportingPeriod.row,
        ] + KinesisAgentKeys.agent

    private static func region(_ text: String) -> Conversion<String?> {
        let isCode =
            (1...63).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                ($0.isLetter && $0 >= UInt8(ascii: "a")) || $0.isDigit || $0 == UInt8(ascii: "-")
            }
        return isCode ? .value(text) : .refused()
    }
}
