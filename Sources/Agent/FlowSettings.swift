package import Configuration
import Containers
import Discovery
import Encodings
import Flushing
import Framing
import Intake
import Packing
import Records
import Regex

extension FlowConfiguration {
    /// Whether lines wait for others to share their record.
    var joinsLines: Bool { (aggregatedRecordBytes ?? 0) > 0 }

    /// How long a record may wait for its request.
    ///
    /// Where lines wait for their record, too, each of the two waits gets half of the time.
    var flushAge: Duration { joinsLines ? maxBufferAge / 2 : maxBufferAge }

    /// By what the flow is known again after a restart.
    var patternText: String { (filePatterns + excludePatterns.map { "!" + $0 }).joined(separator: "\n") }
}

extension IntakeFlow {
    /// What a flow of the configuration reads, and what it makes of the lines.
    ///
    /// - Throws: the error of a pattern or a name that makes no sense, of which the reader of the configuration knows.
    init(_ flow: FlowConfiguration) throws {
        let packing = PackingSettings(
            aggregatedRecordSizeBytes: flow.aggregatedRecordBytes ?? 0,
            compression: flow.compression == .gzip ? .gzip : .none,
            cutTerminator: flow.truncatedRecordTerminator,
            limits: flow.batchLimits
        )
        self.init(
            stream: flow.stream,
            patternText: flow.patternText,
            pattern: try FilePattern(includes: flow.filePatterns, excludes: flow.excludePatterns),
            readsFromStart: flow.initialPosition == .startOfFile,
            ignoreOlder: flow.ignoreOlder,
            lines: LineLimits(
                maxLineBytes: flow.maxLineBytes,
                recordBytes: packing.safeRecordBytes,
                cutTerminator: flow.truncatedRecordTerminator,
                oversized: .init(flow.framing.oversizedLines),
                dropsEmptyLines: flow.framing.skipsEmptyLines
            ),
            encoding: try flow.framing.encoding.map { try FileEncoding(named: $0) } ?? .marked,
            headerLines: flow.framing.headerLines,
            events: EventRules(
                startPattern: try flow.framing.multiLineStartPattern.map { try RegularExpression($0) },
                timeout: flow.framing.multiLineTimeout,
                maxEventBytes: packing.safeRecordBytes
            ),
            containers: flow.framing.format.map {
                ContainerLogs(format: .init($0), makesObjects: flow.framing.containerOutput == .json)
            },
            partialLineTimeout: flow.framing.partialLineTimeout,
            packing: packing,
            linger: flow.flushAge
        )
    }
}

extension ContainerFormat? {
    /// The format of every file, if it does not depend on the file.
    fileprivate init(_ written: FileFormat) {
        switch written {
        case .docker: self = .docker
        case .cri: self = .cri
        case .auto: self = nil
        }
    }
}

extension LineLimits.Oversized {
    fileprivate init(_ written: OversizedLines) {
        switch written {
        case .truncate: self = .truncate
        case .split: self = .split
        case .skip: self = .skip
        }
    }
}

extension PatternRules {
    /// What the agent's discovery and its framing understand.
    package static let ofAgent = PatternRules(
        problemOfInclude: { problem(includes: [$0], excludes: []) },
        problemOfExclude: { problem(includes: [], excludes: [$0]) },
        problemOfLineStart: problem(lineStart:),
        problemOfEncoding: problem(encoding:)
    )

    @Sendable private static func problem(encoding name: String) -> String? {
        do throws(EncodingError) {
            _ = try FileEncoding(named: name)
            return nil
        } catch {
            return error.description
        }
    }

    @Sendable private static func problem(lineStart pattern: String) -> String? {
        do throws(RegexError) {
            _ = try RegularExpression(pattern)
            return nil
        } catch {
            return error.reason
        }
    }

    private static func problem(includes: [String], excludes: [String]) -> String? {
        do throws(GlobError) {
            _ = try FilePattern(includes: includes, excludes: excludes)
            return nil
        } catch {
            return error.reason
        }
    }
}

extension FlushPolicy {
    /// How each stream is drained; where several flows lead to it, the tightest of their settings.
    static func policies(of configuration: AgentConfiguration) -> [StreamName: FlushPolicy] {
        var policies: [StreamName: FlushPolicy] = [:]
        for flow in configuration.flows {
            var policy = FlushPolicy()
            policy.limits = flow.batchLimits
            policy.maxAge = flow.flushAge
            policy.retryInitialBackoff = flow.retryInitialBackoff
            policy.retryMaxBackoff = flow.retryMaxBackoff
            policy.maxBytesPerSecond = flow.maxBytesPerSecond
            policy.maxRecordsPerSecond = flow.maxRecordsPerSecond
            policy.maxRetries = configuration.maxRetries
            policy.requestsInFlight = configuration.maxRequestsInFlight
            policies[flow.stream] = policies[flow.stream].map { $0.tightened(by: policy) } ?? policy
        }
        return policies
    }

    private func tightened(by other: FlushPolicy) -> FlushPolicy {
        var both = self
        both.limits.records = min(limits.records, other.limits.records)
        both.limits.bytes = min(limits.bytes, other.limits.bytes)
        both.maxAge = min(maxAge, other.maxAge)
        both.retryInitialBackoff = max(retryInitialBackoff, other.retryInitialBackoff)
        both.retryMaxBackoff = max(retryMaxBackoff, other.retryMaxBackoff)
        both.maxBytesPerSecond = [maxBytesPerSecond, other.maxBytesPerSecond].compactMap(\.self).min()
        both.maxRecordsPerSecond = [maxRecordsPerSecond, other.maxRecordsPerSecond].compactMap(\.self).min()
        return both
    }
}
