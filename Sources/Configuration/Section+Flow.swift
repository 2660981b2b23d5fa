import JSON
import Records

extension Section {
    /// Reads a flow.
    ///
    /// - Returns: nil if it has no stream or no pattern, which is then a fault.
    mutating func flow() -> FlowConfiguration? {
        require(FlowKeys.filePattern.row)
        if areSound("kinesisStream") { require(FlowKeys.deliveryStream.row) }
        // All is read before anything is given up, so that all faults are found.
        let stream = value(FlowKeys.deliveryStream)
        let patterns = soundPatterns(FlowKeys.filePattern, source.patterns.problemOfInclude)
        let excludes = soundPatterns(FlowKeys.excludePattern, source.patterns.problemOfExclude)
        let initialPosition = value(FlowKeys.initialPosition)
        let ignoreOlder = value(FlowKeys.ignoreOlder).map { Duration.seconds($0) }
        let age = value(FlowKeys.maxBufferAge)
        let limits = BatchLimits(
            records: value(FlowKeys.maxBufferSizeRecords),
            bytes: value(FlowKeys.maxBufferSizeBytes)
        )
        let line = lineLimits()
        let framing = framing(maxLineBytes: line.bytes)
        let aggregate = value(FlowKeys.aggregatedRecordSize)
        let compression = value(FlowKeys.compression)
        let backoff = backoff()
        let maxBytesPerSecond = value(FlowKeys.maxBytesPerSecond)
        let maxRecordsPerSecond = value(FlowKeys.maxRecordsPerSecond)
        guard let stream, !patterns.isEmpty else { return nil }
        return FlowConfiguration(
            stream: stream,
            filePatterns: patterns,
            excludePatterns: excludes,
            initialPosition: initialPosition,
            ignoreOlder: ignoreOlder,
            maxBufferAge: age,
            batchLimits: limits,
            maxLineBytes: line.bytes,
            truncatedRecordTerminator: line.terminator,
            framing: framing,
            aggregatedRecordBytes: aggregate,
            compression: compression,
            retryInitialBackoff: backoff.initial,
            retryMaxBackoff: backoff.max,
            maxBytesPerSecond: maxBytesPerSecond,
            maxRecordsPerSecond: maxRecordsPerSecond
        )
    }

    /// How bytes become lines and events.
    private mutating func framing(maxLineBytes: Int) -> FramingConfiguration {
        let framing = FramingConfiguration(
            oversizedLines: value(FlowKeys.oversizedLines),
            skipsEmptyLines: value(FlowKeys.skipEmptyLines),
            headerLines: max(0, value(FlowKeys.skipHeaderLines)),
            partialLineTimeout: value(FlowKeys.partialLineTimeout),
            encoding: soundText(FlowKeys.encoding, source.patterns.problemOfEncoding),
            format: value(FlowKeys.format),
            containerOutput: value(FlowKeys.containerOutput),
            multiLineStartPattern: soundText(FlowKeys.multiLineStartPattern, source.patterns.problemOfLineStart),
            multiLineTimeout: value(FlowKeys.multiLineTimeout)
        )
        if framing.oversizedLines == .split, maxLineBytes < 2, areSound(FlowKeys.maxLineBytes.name) {
            note(
                FlowKeys.maxLineBytes.name,
                problem: "a line of 1 byte cannot be split",
                advice: "raise it to 2 or more"
            )
        }
        if framing.containerOutput == .json, framing.format == nil, areSound(FlowKeys.format.name) {
            note(
                FlowKeys.containerOutput.name,
                problem: "means nothing without \(FlowKeys.format.name)",
                advice: "set \(FlowKeys.format.name) to \"auto\""
            )
        }
        return framing
    }

    /// The patterns of a key, of which those that make no sense are faults.
    private mutating func soundPatterns(_ key: Key<[String]>, _ problem: (String) -> String?) -> [String] {
        let patterns = value(key)
        guard areSound(key.name), let written = object[key.name]?.value else { return patterns }
        for (index, pattern) in patterns.enumerated() {
            guard let problem = problem(pattern) else { continue }
            let element = written[index]
            note(
                key.name,
                element: element == nil ? nil : index,
                at: (element ?? written).position,
                value: (element ?? written).written,
                problem: problem
            )
        }
        return patterns
    }

    /// The text of a key, which is a fault if it makes no sense.
    private mutating func soundText(_ key: Key<String?>, _ problem: (String) -> String?) -> String? {
        let text = value(key)
        guard let text, areSound(key.name), let problem = problem(text) else { return text }
        note(key.name, at: object[key.name]?.value.position, value: object[key.name]?.value.written, problem: problem)
        return nil
    }

    /// How long a line may be and how a cut one ends, of which the end must leave room for the line.
    private mutating func lineLimits() -> (bytes: Int, terminator: [UInt8]) {
        let bytes = FlowKeys.maxLineBytes
        let terminator = FlowKeys.truncatedRecordTerminator
        let limits = (bytes: value(bytes), terminator: value(terminator))
        if areSound(bytes.name, terminator.name), limits.bytes <= limits.terminator.count {
            let isLimitGiven = isGiven(bytes.name)
            note(
                isLimitGiven ? bytes.name : terminator.name,
                problem:
                    "\(bytes.name) is \(limits.bytes), \(terminator.name) is \(limits.terminator.count) bytes long",
                advice: isLimitGiven ? "raise \(bytes.name)" : "shorten \(terminator.name)"
            )
        }
        return limits
    }

    private mutating func backoff() -> (initial: Duration, max: Duration) {
        let initial = FlowKeys.retryInitialBackoff
        let max = FlowKeys.retryMaxBackoff
        let waits = (initial: value(initial), max: value(max))
        if areSound(initial.name, max.name), waits.max < waits.initial {
            note(
                isGiven(max.name) ? max.name : initial.name,
                problem: "\(initial.name) is \(waits.initial.milliseconds), \(max.name) only \(waits.max.milliseconds)",
                advice: "raise \(max.name) to \(waits.initial.milliseconds) or more"
            )
        }
        return waits
    }
}

extension Duration {
    /// The whole milliseconds in it.
    fileprivate var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
