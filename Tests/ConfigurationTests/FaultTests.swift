import Configuration
import JSON
import Testing

@Suite struct FaultTests {
    @Test func `a fault reads as file, place, key, value and what is allowed`() {
        let text =
            "{\n  \"flows\": [\n    {\"filePattern\": \"/a\", \"deliveryStream\": \"s\",\n     \"maxBufferAgeMillis\": 50}]}"
        #expect(
            read(text).faults.map(\.description) == [
                "agent.json:4:28: flows[0].maxBufferAgeMillis = 50: expected an integer from 100 to 900000"
            ]
        )
    }

    @Test func `all faults of a file come at once, in its order`() {
        let text = """
            {"maxRetries": "x", "flows": [
              {"filePattern": "/a"}, 5,
              {"deliveryStream": "a b", "filePattern": "/b", "compression": "zip", "maxLineBytes": 0}],
             "region": "EU", "cloudwatch.emitMetrics": true, "maxOpenFiles": 1}
            """
        #expect(
            read(text).faults.map(\.keyPath) == [
                "maxRetries", "flows[0].deliveryStream", "flows[1]", "flows[2].deliveryStream", "flows[2].compression",
                "flows[2].maxLineBytes", "region", "cloudwatch.emitMetrics", "maxOpenFiles",
            ]
        )
    }

    @Test(arguments: [
        ("[]", "expected an object, { \"flows\": [ … ] }, found an array"),
        ("{}", "flows: missing; expected an array of objects, at least one"),
        (#"{"flows": []}"#, "flows: expected an array of objects, at least one"),
        (#"{"flows": {}}"#, "flows: expected an array of objects, at least one"),
        ("", "expected a value, found the end of the text"),
        ("{\"flows\": [1,]}", "there is a comma before ']'; remove it"),
    ])
    func `a file without flows is refused`(text: String, message: String) {
        #expect(read(text).messages == [message])
        #expect(read(text).configuration == nil)
    }

    @Test(arguments: [
        ("maxBufferAgeMilis", "unknown key; did you mean \"maxBufferAgeMillis\"?"),
        ("MAXBUFFERAGEMILLIS", "unknown key; did you mean \"maxBufferAgeMillis\"?"),
        ("filePatterns", "unknown key; did you mean \"filePattern\"?"),
        ("compresison", "unknown key; did you mean \"compression\"?"),
        ("regoin", "unknown key; did you mean \"region\", which belongs at the top level?"),
        ("region", "belongs at the top level; move it there"),
        ("checkpointFile", "belongs at the top level; move it there"),
        ("colour", "unknown key; remove it, or begin it with _ to make it a comment"),
    ])
    func `a key that is not known in a flow is told with where it belongs`(key: String, message: String) {
        let text = configuration(flow: "\"\(key)\": 1")
        #expect(read(text).messages == ["flows[0].\(key): \(message)"])
        #expect(read(text).configuration == nil)
        let lenient = read(text, lenient: true)
        #expect(lenient.warnings.map(\.keyPath) == ["flows[0].\(key)"])
        #expect(lenient.configuration == read(configuration()).configuration)
    }

    @Test func `flow keys at the top level and nested keys are told where they belong`() {
        let text = configuration(
            agent: #""maxBufferAgeMillis": 1, "firehose": {"endpoint": "x"}, "_note": {}, "_note": 1"#
        )
        #expect(
            read(text).messages == [
                "maxBufferAgeMillis: belongs in a flow; move it there",
                #"firehose: unknown key; write such keys flat: "firehose.endpoint""#,
            ]
        )
    }

    @Test func `a key that is there twice is a fault even when lenient`() {
        let parsed = read(configuration(agent: #""region": "a", "region": "b""#), lenient: true)
        #expect(parsed.faults.map(\.keyPath) == ["region"])
        #expect(parsed.messages[0].hasPrefix("region: is there twice, first at line 1, column "))
    }

    @Test func `what follows the root object is refused, or ignored when lenient`() {
        let text = configuration() + "}"
        #expect(read(text).messages == ["expected nothing behind the end of the root value, found '}'"])
        #expect(read(text, lenient: true).configuration != nil)
        #expect(read(text, lenient: true).warnings.count == 1)
    }

    @Test(arguments: [
        ("kinesis.region", "\"x\"", false), ("kinesis.endpoint", "\"x\"", false),
        ("cloudwatch.emitMetrics", "true", false), ("cloudwatch.emitMetrics", "\"yes\"", false),
        ("userDefinedCredentialsProvider.classname", "\"x\"", false), ("kinesisStream", "\"x\"", true),
        ("dataProcessingOptions", "[{}]", true), ("dataProcessingOptions", "{}", true),
        ("fileFooterPattern", "\"x\"", true),
        ("partitionKeyOption", "\"RANDOM\"", true),
    ])
    func `features of the Kinesis Agent that are missing are refused by name`(key: String, value: String, inFlow: Bool)
    {
        let member = "\"\(key)\": \(value)"
        let parsed = read(inFlow ? configuration(flow: member) : configuration(agent: member), lenient: true)
        #expect(parsed.faults.map(\.keyPath) == [(inFlow ? "flows[0]." : "") + key])
        #expect(parsed.messages.first?.contains("not supported yet") == true)
    }

    @Test(arguments: [
        (#""kinesis.endpoint": "", "cloudwatch.endpoint": "", "assumeRoleARN": null"#, #""multiLineStartPattern": """#),
        (#""cloudwatch.emitMetrics": false"#, #""skipHeaderLines": 0, "dataProcessingOptions": []"#),
        (#""cloudwatch.emitMetrics": "No""#, #""skipHeaderLines": "-1""#), (#""cloudwatch.emitMetrics": 0"#, ""),
    ])
    func `values that ask for nothing are accepted silently`(agent: String, flow: String) {
        let parsed = read(configuration(agent: agent, flow: flow))
        #expect(parsed.faults.isEmpty && parsed.warnings.isEmpty)
    }

    @Test func `a stream of the other kind is named instead of a missing one`() {
        let parsed = read(#"{"flows": [{"filePattern": "/a", "kinesisStream": "s"}]}"#)
        #expect(parsed.faults.map(\.keyPath) == ["flows[0].kinesisStream"])
        let none = read(#"{"flows": [{"filePattern": "/a", "kinesisStream": ""}]}"#)
        #expect(none.faults.map(\.keyPath) == ["flows[0].deliveryStream"])
    }

    @Test func `keys without effect cause a warning with the reason`() {
        let parsed = read(configuration(agent: #""log.level": "INFO""#, flow: #""publishQueueCapacity": 5"#))
        #expect(parsed.configuration != nil)
        #expect(
            parsed.warnings.map(\.message) == [
                "flows[0].publishQueueCapacity: has no effect: records wait in the cache, which cacheMaxBytes limits",
                "log.level: has no effect: the log goes to standard error",
            ]
        )
    }

    // MARK: Values that must agree

    @Test func `two flows with the same stream and patterns are refused`() {
        func flows(_ second: String) -> [String?] {
            read(#"{"flows": [{"filePattern": ["/a", "/b"], "deliveryStream": "s"}, \#(second)]}"#).faults.map(
                \.keyPath
            )
        }
        #expect(flows(#"{"filePattern": ["/b", "//a"], "deliveryStream": "s", "compression": "gzip"}"#) == ["flows[1]"])
        #expect(flows(#"{"filePattern": ["/b", "/a"], "deliveryStream": "t"}"#) == [])
        #expect(flows(#"{"filePattern": "/b", "deliveryStream": "s"}"#) == [])
    }

    @Test(arguments: [
        (#""maxLineBytes": 3, "truncatedRecordTerminator": "é\n""#, ["flows[0].maxLineBytes"]),
        (#""maxLineBytes": 4, "truncatedRecordTerminator": "é\n""#, []),
        (#""maxLineBytes": 1"#, ["flows[0].maxLineBytes"]),
        (#""maxLineBytes": 1, "truncatedRecordTerminator": """#, []),
        (#""retryMaxBackoffMillis": 99"#, ["flows[0].retryMaxBackoffMillis"]),
        (#""retryInitialBackoffMillis": 10001"#, ["flows[0].retryInitialBackoffMillis"]),
        (#""retryInitialBackoffMillis": 5, "retryMaxBackoffMillis": 5"#, []),
        (#""retryInitialBackoffMillis": 5, "retryMaxBackoffMillis": 0"#, ["flows[0].retryMaxBackoffMillis"]),
    ])
    func `values that contradict each other are one fault`(flow: String, keyPaths: [String]) {
        #expect(read(configuration(flow: flow)).faults.map(\.keyPath) == keyPaths)
    }

    // MARK: Secrets

    @Test(arguments: [
        (#""awsAccessKeyId": "AKIA""#, ["awsAccessKeyId"]), (#""awsSecretAccessKey": "x""#, ["awsSecretAccessKey"]),
        (#""awsAccessKeyId": "AKIA", "awsSecretAccessKey": """#, ["awsAccessKeyId"]),
        (#""awsAccessKeyId": "AKIA", "awsSecretAccessKey": " ""#, ["awsSecretAccessKey"]),
        (#""awsAccessKeyId": "", "awsSecretAccessKey": null"#, []),
    ])
    func `credentials are given whole or not at all`(agent: String, keyPaths: [String]) {
        let parsed = read(configuration(agent: agent))
        #expect(parsed.faults.map(\.keyPath) == keyPaths)
        #expect(parsed.configuration?.credentials == nil)
    }

    @Test func `credentials are read, and nothing that prints them shows them`() throws {
        let text = configuration(agent: #""awsAccessKeyId": "AKIAHUNTER2", "awsSecretAccessKey": "${KEY}""#)
        let agent = try #require(read(text, environment: ["KEY": "hunter2"]).configuration)
        #expect(agent.credentials == StaticCredentials(accessKeyID: "AKIAHUNTER2", secretAccessKey: "hunter2"))
        var dumped = ""
        dump(agent, to: &dumped)
        for shown in ["\(agent)", String(reflecting: agent), dumped] {
            #expect(!shown.lowercased().contains("hunter2"))
            #expect(shown.contains("credentials"))
        }
    }

    @Test(arguments: [
        #""awsSecretAccessKey": "hunter2 ""#, #""awsSecretAccesKey": "hunter2""#,
        #""firehose.endpoint": "https://u:hunter2@host""#,
        #""awsSecretAccessKey": "${SECRET}""#, #""region": "${SECRET}""#, #""maxRetries": "${SECRET}""#,
        #""x": ["hunter2"]"#,
        #""awsSecretAccessKey": ["hunter2"]"#,
    ])
    func `no message shows a secret or what a variable holds`(agent: String) {
        let parsed = read(configuration(agent: agent), environment: ["SECRET": "hunter2 "])
        #expect(!parsed.faults.isEmpty)
        #expect(parsed.faults.allSatisfy { !$0.description.contains("hunter2") })
    }

    @Test func `long and invisible texts are shortened and escaped`() {
        let text = configuration(agent: #""region": "\u001b\u202e\"\n\#(String(repeating: "é", count: 100))""#)
        let value = #""\u{1B}\u{202E}\"\n"# + String(repeating: "é", count: 56) + "…\""
        #expect(read(text).faults.map(\.value) == [value])
    }

    @Test func `a pattern that makes no sense is a fault among the others, shown as it is written`() {
        let text = """
            {"flows": [
              {"filePattern": "/${PLACE}/[", "deliveryStream": "a", "maxBufferAgeMillis": 1},
              {"filePattern": ["/a", "/["], "excludePattern": "(", "multiLineStartPattern": "*", "deliveryStream": "b"}]}
            """
        let patterns = PatternRules(
            problemOfInclude: { $0.hasSuffix("[") ? "it ends in a bracket" : nil },
            problemOfExclude: { $0 == "(" ? "it is a parenthesis" : nil },
            problemOfLineStart: { $0 == "*" ? "it repeats nothing" : nil }
        )
        let parsed = AgentConfiguration.parse(
            Array(text.utf8),
            file: "agent.json",
            environment: ["PLACE": "hidden"],
            patterns: patterns
        )
        #expect(
            parsed.faults.map(\.description) == [
                #"agent.json:2:19: flows[0].filePattern = "/${PLACE}/[": it ends in a bracket"#,
                "agent.json:2:79: flows[0].maxBufferAgeMillis = 1: expected an integer from 100 to 900000",
                #"agent.json:3:26: flows[1].filePattern[1] = "/[": it ends in a bracket"#,
                #"agent.json:3:51: flows[1].excludePattern = "(": it is a parenthesis"#,
                #"agent.json:3:81: flows[1].multiLineStartPattern = "*": it repeats nothing"#,
            ]
        )
    }
}
