import Configuration
import Foundation
import Records
import Testing

@Suite struct DefaultsTests {
    @Test func `a flow with a pattern and a stream is enough`() throws {
        let parsed = read(configuration())
        #expect(parsed.faults.isEmpty && parsed.warnings.isEmpty)
        let agent = try #require(parsed.configuration)
        #expect(agent.endpoint == nil)
        #expect(agent.region == nil)
        #expect(agent.stateDirectory == "/var/lib/firetail")
        #expect(agent.cacheMaxBytes == 1_073_741_824)
        #expect(agent.deadLetterMaxBytes == 64 << 20)
        #expect(agent.maxRetries == nil)
        #expect(agent.shutdownTimeout == .seconds(10))
        #expect(agent.credentials == nil)
        #expect(agent.maxRequestsInFlight == 1)
        #expect(agent.maxOpenFiles == 4096)
        #expect(agent.rotatedFileQuiet == .seconds(2))
        #expect(agent.scanInterval == .seconds(10))
        #expect(agent.deletedFilesMaxBytes == 1 << 30)
        #expect(agent.deletedFilesMaxAge == .seconds(3_600))
        #expect(agent.statusReportingPeriod == .seconds(30))
        let flow = try #require(agent.flows.first)
        #expect(agent.flows.count == 1)
        #expect(flow.stream == StreamName("logs"))
        #expect(flow.filePatterns == ["/var/log/a.log"])
        #expect(flow.excludePatterns.isEmpty)
        #expect(flow.initialPosition == .endOfFile)
        #expect(flow.ignoreOlder == nil)
        #expect(flow.maxBufferAge == .seconds(60))
        #expect(flow.batchLimits == BatchLimits(records: 500, bytes: 4_194_304))
        #expect(flow.maxLineBytes == 1_024_000)
        #expect(flow.truncatedRecordTerminator == Array("\n".utf8))
        #expect(flow.framing.oversizedLines == .truncate && !flow.framing.skipsEmptyLines)
        #expect(flow.framing.headerLines == 0)
        #expect(flow.framing.partialLineTimeout == nil && flow.framing.encoding == nil)
        #expect(flow.framing.format == nil && flow.framing.containerOutput == .message)
        #expect(flow.framing.multiLineStartPattern == nil)
        #expect(flow.framing.multiLineTimeout == .seconds(5))
        #expect(flow.aggregatedRecordBytes == nil)
        #expect(flow.compression == .none)
        #expect(flow.retryInitialBackoff == .milliseconds(100))
        #expect(flow.retryMaxBackoff == .seconds(10))
        #expect(flow.maxBytesPerSecond == nil && flow.maxRecordsPerSecond == nil)
    }

    @Test func `the sample has no fault, names every key, and states the defaults`() throws {
        let bytes = try [UInt8](Data(contentsOf: Self.packageRoot.appending(path: "agent.json.sample")))
        let parsed = AgentConfiguration.parse(bytes, file: "agent.json.sample", environment: [:])
        #expect(parsed.faults.isEmpty && parsed.warnings.isEmpty, "\(parsed.faults + parsed.warnings)")
        let sample = try #require(parsed.configuration)
        let web = #"{"filePattern": "/var/log/nginx/access.log", "deliveryStream": "web-access"}"#
        var expected = try #require(read(#"{"flows": [\#(web)]}"#).configuration)
        #expect(sample.flows.first == expected.flows.first)
        expected.flows = sample.flows
        // There is no default, and a sample that can be checked as it is has to name one.
        expected.region = "eu-central-1"
        #expect(sample == expected)
        let text = String(decoding: bytes, as: UTF8.self)
        for name in supportedNames {
            #expect(text.contains("\"\(name)\": "), "\(name) is not in the sample")
        }
    }

    @Test func `the reference has every key once, with what it takes, and fits a terminal`() {
        let lines = AgentConfiguration.reference().split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 120 })
        #expect(supportedNames.count == 48)
        #expect(Set(supportedNames).count == 48)
        let age = lines.firstIndex(of: "  maxBufferAgeMillis")
        #expect(age.map { lines[$0 + 2] } == "      an integer from 100 to 900000; default: 60000")
        let pattern = lines.firstIndex(of: "  filePattern")
        #expect(pattern.map { lines[$0 + 2].hasSuffix("; required") } == true)
        #expect(lines.contains { $0.hasPrefix("  kinesis.region ") })
        #expect(lines.filter { $0.hasPrefix("  log.emitInternalMetrics ") }.count == 1)
    }

    /// The names of the keys that the reference describes, which stand alone on their lines.
    private var supportedNames: [String] {
        AgentConfiguration.reference().split(separator: "\n")
            .filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") && !$0.dropFirst(2).contains(" ") }
            .map { String($0.dropFirst(2)) }
    }

    private static let packageRoot = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
}
