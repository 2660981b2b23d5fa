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
        absent: "from the endpoint, AWS_REGION, the profile or EC2",
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
    static let deadLetterMaxBytes = Key<Int>.integer(
        "deadLetterMaxBytes",
        0...(1 << 50),
        default: 64 << 20,
        "How many bytes records that were set aside may take; over it the oldest of them are deleted."
    )
    static let maxRetries = Key<Int?>.optionalInteger(
        "maxRetries",
        0...1_000_000_000,
        absent: "no limit",
        "How often a refused or throttled record is sent again before it is set aside."
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
    static let roleARN = Key<String?>.text(
        "assumeRoleARN",
        "the ARN of a role, such as arn:aws:iam::123456789012:role/shipper",
        absent: "none",
        "The role whose credentials sign requests; the others only assume it.",
        make: roleARN
    )
    static let roleExternalID = Key<String?>.text(
        "assumeRoleExternalId",
        "2 to 1224 letters, digits and _+=,.@:/-",
        absent: "none",
        "The external ID that the role of assumeRoleARN asks for.",
        make: externalID
    )
    static let stsEndpoint = Key<String?>.text(
        "sts.endpoint",
        "an https:// or http:// URL without a path, or a host",
        absent: "the region's endpoint",
        "Where roles are assumed.",
        make: stsEndpoint
    )
    static let caFile = Key<String?>.file(
        "tls.caFile",
        absent: "AWS_CA_BUNDLE, else the system's",
        "A PEM file of the authorities to trust instead of the system's."
    )
    static let certificateFile = Key<String?>.file(
        "tls.certFile",
        absent: "none",
        "A PEM file of the certificate to show to those who ask, together with tls.keyFile."
    )
    static let keyFile = Key<String?>.file(
        "tls.keyFile",
        absent: "none",
        "A PEM file of the key of tls.certFile, without a passphrase."
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
            flows, endpoint.row, region.row, accessKeyID.row, secretAccessKey.row, roleARN.row,
            roleExternalID.row, stsEndpoint.row, caFile.row, certificateFile.row, keyFile.row, stateDirectory.row,
            cacheMaxBytes.row, deadLetterMaxBytes.row, maxRetries.row, maxRequestsInFlight.row, maxOpenFiles.row,
            rotatedFileQuiet.row, scanInterval.row, deletedFilesMaxBytes.row, deletedFilesMaxAge.row,
            shutdownTimeout.row,
            statusReportingPeriod.row,
        ] + KinesisAgentKeys.agent

    private static func roleARN(_ text: String) -> Conversion<String?> {
        if text.isEmpty { return .value(nil) }
        let parts = text.split(separator: ":", maxSplits: 5, omittingEmptySubsequences: false)
        let isARN = parts.count == 6 && parts[0] == "arn" && parts[2] == "iam" && parts[5].hasPrefix("role/")
        return isARN && text.utf8.count <= 2048 && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            ? .value(text) : .refused()
    }

    private static func externalID(_ text: String) -> Conversion<String?> {
        if text.isEmpty { return .value(nil) }
        let isID =
            (2...1224).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "_+=,.@:/-".utf8.contains($0) }
        return isID ? .value(text) : .refused()
    }

    private static func stsEndpoint(_ text: String) -> Conversion<String?> {
        if text.isEmpty { return .value(nil) }
        return Endpoint.parse(text).then { endpoint in
            guard case .service(let url) = endpoint else { return .refused() }
            return .value(url)
        }
    }

    private static func region(_ text: String) -> Conversion<String?> {
        let isCode =
            (1...63).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                ($0.isLetter && $0 >= UInt8(ascii: "a")) || $0.isDigit || $0 == UInt8(ascii: "-")
            }
        return isCode ? .value(text) : .refused()
    }
}
