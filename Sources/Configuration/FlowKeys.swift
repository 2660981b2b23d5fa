import Records

/// The keys of a flow.
enum FlowKeys {
    static let filePattern = Key<[String]>.texts(
        "filePattern",
        "a path with a directory, such as /var/log/app/*.log",
        absent: nil,
        "Which files are tailed: a path in which *, ?, [a-z], {a,b} and ** are wildcards.",
        check: filePattern
    )
    static let excludePattern = Key<[String]>.texts(
        "excludePattern",
        "a pattern like those of filePattern",
        absent: "none",
        "Which of these files are not tailed.",
        check: { $0.isEmpty || $0.utf8.contains(0) ? .refused() : .value($0.collapsingSlashes) }
    )
    static let deliveryStream = Key<StreamName?>.text(
        "deliveryStream",
        "the name, not the ARN, of a Firehose stream: 1 to 64 letters, digits, '_', '.' and '-'",
        absent: nil,
        "The Firehose stream that the records go to.",
        make: { text in StreamName(text).map { .value($0) } ?? .refused() }
    )
    static let initialPosition = Key<InitialPosition>.choice(
        "initialPosition",
        default: .endOfFile,
        "Where reading begins in a file that exists when it is first seen."
    )
    static let ignoreOlder = Key<Int?>.optionalInteger(
        "ignoreOlderSeconds",
        1...1_000_000_000,
        absent: "no file is too old",
        "How old the last change of a file is, when it is first seen, for only what comes later to be read."
    )
    static let maxBufferAge = Key<Duration>.milliseconds(
        "maxBufferAgeMillis",
        100...900_000,
        default: 60_000,
        "How long a record waits for its request to fill."
    )
    static let maxBufferSizeRecords = Key<Int>.integer(
        "maxBufferSizeRecords",
        1...FirehoseLimits.batchRecords,
        default: FirehoseLimits.batchRecords,
        "How many records a request holds."
    )
    static let maxBufferSizeBytes = Key<Int>.integer(
        "maxBufferSizeBytes",
        1...FirehoseLimits.batchBytes,
        default: FirehoseLimits.batchBytes,
        "How many bytes a request holds; a larger record goes alone."
    )
    static let maxLineBytes = Key<Int>.integer(
        "maxLineBytes",
        1...FirehoseLimits.recordBytes,
        default: FirehoseLimits.recordBytes,
        "How many bytes of a line are kept, as they are in the file."
    )
    static let oversizedLines = Key<OversizedLines>.choice(
        "oversizedLines",
        default: .truncate,
        "What becomes of longer lines, which are counted: the rest is cut off, they are split, or not sent."
    )
    static let skipEmptyLines = Key<Bool>.boolean(
        "skipEmptyLines",
        "Whether lines are dropped that have nothing, or only a carriage return, before their newline."
    )
    static let skipHeaderLines = Key<Int>.integer(
        "skipHeaderLines",
        -1_000_000...1_000_000,
        default: 0,
        "How many lines at the beginning of each file are dropped."
    )
    static let partialLineTimeout = Key<Duration?>.optionalMilliseconds(
        "partialLineTimeoutMillis",
        100...86_400_000,
        absent: "no limit",
        "How long a last line without a newline waits for it before it is sent."
    )
    static let encoding = Key<String?>.text(
        "encoding",
        "the name of an encoding, such as utf-8, utf-16 or latin1",
        absent: "as a mark in the file says, else utf-8",
        "In which encoding the files are; records are UTF-8."
    ) { .value($0) }
    static let truncatedRecordTerminator = Key(
        "truncatedRecordTerminator",
        allowed: "a text shorter than maxLineBytes",
        byDefault: [UInt8(ascii: "\n")],
        shownDefault: #""\n""#,
        meaning: "What a line that was cut ends with; it counts towards maxLineBytes."
    ) { value in
        value.scalarText.map { .value(Array($0.utf8)) } ?? .refused()
    }
    static let aggregatedRecordSize = Key<Int?>.integerOrZero(
        "aggregatedRecordSizeBytes",
        0...FirehoseLimits.recordBytes,
        "How many bytes of lines are joined into one record; 0: each line is a record."
    )
    static let compression = Key<RecordCompression>.choice(
        "compression",
        default: .none,
        "Whether each record is compressed; it pays where lines are joined into records."
    )
    static let format = Key<FileFormat?>.optionalChoice(
        "format",
        absent: "lines as they are",
        "Whose logs the files are, if they are containers': then records are what the containers wrote."
    )
    static let containerOutput = Key<ContainerOutput>.choice(
        "containerOutput",
        default: .message,
        "What a record of a container's log is: the message, or a JSON object with stream, time and place."
    )
    static let multiLineStartPattern = Key<String?>.text(
        "multiLineStartPattern",
        "a regular expression",
        absent: "none",
        "What the first line of an event begins with; other lines belong to the event before them."
    ) { .value($0.isEmpty ? nil : $0) }
    static let multiLineTimeout = Key<Duration>.milliseconds(
        "multiLineTimeoutMillis",
        100...3_600_000,
        default: 5_000,
        "How long an event of several lines waits for its next one, and a message for its next part."
    )
    static let retryInitialBackoff = Key<Duration>.milliseconds(
        "retryInitialBackoffMillis",
        1...86_400_000,
        default: 100,
        "How long the first retry waits; each further one waits longer."
    )
    static let retryMaxBackoff = Key<Duration>.milliseconds(
        "retryMaxBackoffMillis",
        1...86_400_000,
        default: 10_000,
        "How long a retry waits at most; not less than retryInitialBackoffMillis."
    )
    static let maxBytesPerSecond = Key<Int?>.optionalInteger(
        "maxBytesPerSecond",
        1...1_000_000_000_000,
        absent: "no limit but the stream's own",
        "How many bytes of records the stream is sent a second; the others wait."
    )
    static let maxRecordsPerSecond = Key<Int?>.optionalInteger(
        "maxRecordsPerSecond",
        1...1_000_000_000,
        absent: "no limit but the stream's own",
        "How many records the stream is sent a second; the others wait."
    )

    /// Every key of this level, in the order of the reference.
    static let all: [KeyRow] =
        [
            filePattern.row, excludePattern.row, deliveryStream.row, initialPosition.row, ignoreOlder.row,
            maxBufferAge.row, maxBufferSizeRecords.row, maxBufferSizeBytes.row, maxLineBytes.row,
            truncatedRecordTerminator.row, oversizedLines.row, skipEmptyLines.row, skipHeaderLines.row,
            partialLineTimeout.row, encoding.row, format.row, containerOutput.row, multiLineStartPattern.row,
            multiLineTimeout.row, aggregatedRecordSize.row, compression.row, retryInitialBackoff.row,
            retryMaxBackoff.row, maxBytesPerSecond.row, maxRecordsPerSecond.row,
        ] + KinesisAgentKeys.flow

    private static func filePattern(_ text: String) -> Conversion<String> {
        guard !text.utf8.contains(0) else { return .refused() }
        guard text.utf8.contains(UInt8(ascii: "/")) else {
            return .refused("it has no directory; write one in front, such as /var/log/")
        }
        guard !text.hasSuffix("/") else {
            return .refused("it names a directory; add what the files are called, such as *.log")
        }
        return .value(text.collapsingSlashes)
    }
}
