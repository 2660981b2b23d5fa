import Foundation
import TestSupport
import Testing

/// What the program says to a configuration that it cannot work with: both commands say the same, and exit with 78.
@Suite(.timeLimit(.minutes(2))) struct ConfigurationFaultTests {
    /// Runs a command on a configuration.
    ///
    /// - Returns: what it complained of, without its name and the configuration's path.
    private func complaints(_ command: String, about content: String) async throws -> [String] {
        let scene = try AgentScene()
        try scene.configure(with: Data(content.utf8))
        let agent = try Program(agent: [command, "-c", scene.configurationPath])
        #expect(try await agent.exit() == .code(78))
        #expect(agent.output.isEmpty)
        let lines = agent.log.split(separator: "\n")
        let prefix = "firetail: \(scene.configurationPath):"
        #expect(lines.allSatisfy { $0.hasPrefix(prefix) })
        return lines.map { String($0.dropFirst(prefix.count)) }
    }

    private static let flow = #"{"filePattern": "/a", "deliveryStream": "s"}"#

    @Test(
        arguments: ["run", "check"],
        [
            ("", "1:1: expected a value"),
            ("{", "1:2: "),
            ("flows: yes", "1:1: "),
            ("[]", #"1:1: expected an object, { "flows": [ … ] }, found an array"#),
            ("{}", "1:1: flows: missing; expected an array of objects, at least one"),
            (#"{"flows": []}"#, "1:11: flows: expected an array of objects, at least one"),
            (
                #"{"region": "x", "flows": [\#(flow)], "colour": 1}"#,
                "1:74: colour: unknown key; remove it, or begin it with _ to make it a comment"
            ),
            (
                #"{"region": "x", "flows": [\#(flow)], "cacheMaxBytes": "all"}"#,
                #"1:91: cacheMaxBytes = "all": expected an integer from 16777216 to 1125899906842624"#
            ),
            (
                #"{"region": "x", "flows": [\#(flow)], "maxOpenFiles": 15}"#,
                "1:90: maxOpenFiles = 15: expected an integer from 16 to 1000000"
            ),
            (
                #"{"region": "x", "flows": [{"filePattern": "/a", "deliveryStream": "no name"}]}"#,
                #"1:67: flows[0].deliveryStream = "no name": expected the name, not the ARN, of a Firehose stream"#
            ),
            (
                #"{"region": "x", "flows": [\#(flow), \#(flow)]}"#,
                "1:73: flows[1]: has the deliveryStream and filePattern of the flow at line 1, column 27"
            ),
            (
                #"{"region": "x", "flows": [{"filePattern": "/a/[b", "deliveryStream": "s"}]}"#,
                #"1:43: flows[0].filePattern = "/a/[b": character 4: "[" has no "]""#
            ),
            (
                #"{"region": "x", "flows": [{"filePattern": "/a", "excludePattern": "{b", "deliveryStream": "s"}]}"#,
                #"1:67: flows[0].excludePattern = "{b": character 1: "{" has no "}""#
            ),
        ]
    )
    func `a fault is told with its place, its key, its value and what is allowed`(
        command: String,
        fault: (content: String, complaint: String)
    ) async throws {
        let complaints = try await complaints(command, about: fault.content)
        #expect(complaints.count == 1)
        #expect(complaints.first?.hasPrefix(fault.complaint) == true, "\(complaints)")
    }

    @Test func `all faults are told at once, in the order of the file`() async throws {
        let content = """
            {
                "regionn": "us-east-1",
                "cacheMaxBytes": "lots",
                "maxOpenFiles": 3,
                "awsSecretAccessKey": "hush-hush",
                "flows": [
                    {"filePattern": "/x/[.log", "deliveryStream": "no good", "maxBufferAgeMillis": 1},
                    {"filePattern": "/x/{.log", "deliveryStream": "same"},
                    {"filePattern": "/x/{.log", "deliveryStream": "same", "region": "x"}
                ]
            }
            """
        let complaints = try await complaints("check", about: content)
        let places = complaints.map { $0.split(separator: ": ").prefix(2).joined(separator: " ") }
        #expect(
            places == [
                "2:5 regionn", "3:22 cacheMaxBytes = \"lots\"", "4:21 maxOpenFiles = 3", "5:5 awsSecretAccessKey",
                "7:25 flows[0].filePattern = \"/x/[.log\"", "7:55 flows[0].deliveryStream = \"no good\"",
                "7:88 flows[0].maxBufferAgeMillis = 1", "8:25 flows[1].filePattern = \"/x/{.log\"",
                "9:9 flows[2]", "9:25 flows[2].filePattern = \"/x/{.log\"", "9:63 flows[2].region",
            ]
        )
        #expect(complaints[0].hasSuffix(#"unknown key; did you mean "region"?"#))
        #expect(!complaints.joined().contains("hush"))
    }

    @Test(
        arguments: [
            ("kinesisStream", #""s""#), ("dataProcessingOptions", #"[{"optionName": "LOGTOJSON"}]"#),
            ("partitionKeyOption", #""RANDOM""#),
        ]
    )
    func `what the Kinesis Agent can and this cannot is refused by name, not ignored`(
        key: String,
        value: String
    ) async throws {
        let content = #"{"region": "x", "flows": [{"filePattern": "/a", "deliveryStream": "s", "\#(key)": \#(value)}]}"#
        let complaints = try await complaints("run", about: content)
        #expect(complaints.count == 1)
        #expect(complaints[0].hasPrefix("1:72: flows[0].\(key): not supported yet ("))
    }

    @Test func `a region that is nowhere to be found is told with where it can be set`() async throws {
        let complaints = try await complaints("run", about: #"{"flows": [\#(Self.flow)]}"#)
        let places = "set region in the configuration, or AWS_REGION, or region in the profile of ~/.aws/config"
        #expect(complaints == [" no AWS region: \(places)"])
    }

    @Test func `lenient, it warns of unknown keys and runs`() async throws {
        let scene = try AgentScene(agent: ["colour": 1])
        let strict = try scene.start()
        #expect(try await strict.exit() == .code(78))
        let lenient = try scene.start("--lenient")
        try await lenient.waitForLog("started")
        #expect(lenient.log.contains("colour: unknown key; it is ignored"))
        #expect(try await lenient.stop() == .code(0))
    }
}
