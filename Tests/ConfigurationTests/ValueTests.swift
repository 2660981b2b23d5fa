import Configuration
import Testing

@Suite struct ValueTests {
    // MARK: Numbers

    @Test(arguments: [
        ("250", 250), (#""250""#, 250), (#""+250""#, 250), (#""0xfA""#, 250), (#""0XFA""#, 250), ("\"#fa\"", 250),
        (#""0372""#, 250), ("1", 1), ("500", 500),
    ])
    func `integers are taken as numbers and as texts that Java decodes`(written: String, value: Int) {
        let parsed = read(configuration(flow: #""maxBufferSizeRecords": \#(written)"#))
        #expect(parsed.configuration?.flows[0].batchLimits.records == value)
    }

    @Test(arguments: [
        "0", "501", "-1", "1.5", "3e2", #""""#, #"" 5""#, #""5 ""#, #""09""#, #""0x""#, "\"#\"", #""--5""#, #""+-5""#,
        #""five""#, "true", "null", "[5]", "{}", "99999999999999999999",
    ])
    func `what is no integer of the range is refused with the range`(written: String) {
        let parsed = read(configuration(flow: #""maxBufferSizeRecords": \#(written)"#))
        #expect(parsed.configuration == nil)
        #expect(parsed.messages.count == 1)
        let message = parsed.messages.first ?? ""
        #expect(message.hasPrefix("flows[0].maxBufferSizeRecords = "))
        #expect(message.hasSuffix(": expected an integer from 1 to 500"))
    }

    @Test(arguments: [
        ("maxBufferAgeMillis", 100, 900_000, true), ("maxBufferSizeRecords", 1, 500, true),
        ("maxBufferSizeBytes", 1, 4_194_304, true), ("maxLineBytes", 2, 1_024_000, true),
        ("aggregatedRecordSizeBytes", 0, 1_024_000, true), ("retryMaxBackoffMillis", 100, 86_400_000, true),
        ("multiLineTimeoutMillis", 100, 3_600_000, true),
        ("partialLineTimeoutMillis", 100, 86_400_000, true), ("skipHeaderLines", -1_000_000, 1_000_000, true),
        ("retryInitialBackoffMillis", 1, 10_000, true), ("cacheMaxBytes", 16_777_216, 1 << 50, false),
        ("maxRetries", 0, 1_000_000_000, false), ("shutdownTimeoutMillis", 0, 86_400_000, false),
        ("maxRequestsInFlight", 1, 16, false), ("maxOpenFiles", 16, 1_000_000, false),
        ("scanIntervalMillis", 100, 3_600_000, false), ("deletedFilesMaxBytes", 0, 1 << 50, false),
        ("deletedFilesMaxAgeMillis", 0, 31_536_000_000, false), ("ignoreOlderSeconds", 1, 1_000_000_000, true),
        ("maxBytesPerSecond", 1, 1_000_000_000_000, true), ("maxRecordsPerSecond", 1, 1_000_000_000, true),
        ("rotatedFileQuietMillis", 0, 3_600_000, false), ("log.statusReportingPeriodSeconds", 1, 31_536_000, false),
    ])
    func `both ends of a range are in it and their neighbours are not`(key: String, low: Int, high: Int, inFlow: Bool) {
        func faults(_ value: Int) -> Int {
            let member = "\"\(key)\": \(value)"
            return read(inFlow ? configuration(flow: member) : configuration(agent: member)).faults.count
        }
        #expect(faults(low) == 0 && faults(high) == 0)
        #expect(faults(low - 1) == 1 && faults(high + 1) == 1)
    }

    // MARK: Framing

    @Test func `what lines and events are is read`() throws {
        let keys = """
            "oversizedLines": "split", "skipEmptyLines": "yes", "skipHeaderLines": -1, "partialLineTimeoutMillis": 100,
            "encoding": "latin1", "format": "auto", "containerOutput": "json", "multiLineStartPattern": "^x",
            "multiLineTimeoutMillis": 200
            """
        let framing = try #require(read(configuration(flow: keys)).configuration?.flows[0].framing)
        #expect(framing.oversizedLines == .split && framing.skipsEmptyLines && framing.headerLines == 0)
        #expect(framing.partialLineTimeout == .milliseconds(100) && framing.encoding == "latin1")
        #expect(framing.format == .auto && framing.containerOutput == .json)
        #expect(framing.multiLineStartPattern == "^x" && framing.multiLineTimeout == .milliseconds(200))
        let none = #""multiLineStartPattern": "", "format": null, "encoding": null"#
        #expect(read(configuration(flow: none)).configuration?.flows[0].framing.multiLineStartPattern == nil)
    }

    @Test(arguments: [
        (#""containerOutput": "json""#, #"containerOutput: means nothing without format; set format to "auto""#),
        (#""format": "Docker""#, #"format = "Docker": expected "docker" or "cri" or "auto""#),
        (
            #""oversizedLines": "split", "maxLineBytes": 1, "truncatedRecordTerminator": """#,
            "maxLineBytes: a line of 1 byte cannot be split; raise it to 2 or more"
        ), (#""skipEmptyLines": 2"#, "skipEmptyLines = 2: expected true or false"),
    ])
    func `what makes no sense about lines is told`(keys: String, message: String) {
        #expect(read(configuration(flow: keys)).messages == ["flows[0].\(message)"])
    }

    // MARK: Texts

    @Test(arguments: [
        ("localhost", "https://localhost"),
        ("firehose.eu-central-1.amazonaws.com/", "https://firehose.eu-central-1.amazonaws.com"),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080"), ("HTTPS://a_b-c:1/", "https://a_b-c:1"),
        ("[::1]:65535", "https://[::1]:65535"),
    ])
    func `an endpoint is a URL or a host`(written: String, url: String) {
        let parsed = read(configuration(agent: #""firehose.endpoint": "\#(written)""#))
        #expect(parsed.configuration?.endpoint == .service(url: url))
    }

    @Test func `an endpoint may be a directory, and an empty one is none`() {
        let directory = read(configuration(agent: #""firehose.endpoint": "file:///tmp//out/""#))
        #expect(directory.configuration?.endpoint == .directory(path: "/tmp/out"))
        for none in ["\"\"", "null"] {
            let parsed = read(configuration(agent: #""firehose.endpoint": \#(none)"#))
            #expect(parsed.faults.isEmpty && parsed.configuration?.endpoint == nil)
        }
    }

    @Test(arguments: [
        "ftp://host", "https://", "http:///", "host/path", "https://host?x", "host:", "host:0", "host:65536", "host:x",
        "a..b",
        "-a", "a b", "é", "[]", "[::1", "[x]:1", "[::1]x", "file://", "file:///", "file://host/dir", "file:dir",
        "//host", "host:+5",
    ])
    func `what is no endpoint is refused`(written: String) {
        #expect(read(configuration(agent: #""firehose.endpoint": "\#(written)""#)).faults.count == 1)
    }

    @Test(arguments: [
        ("region", "EU"), ("region", ""), ("region", "a.b"), ("stateDirectory", "state"), ("stateDirectory", "/"),
        ("stateDirectory", ""), ("stateDirectory", "/a\\u0000"), ("awsAccessKeyId", "a b"), ("awsAccessKeyId", "a\\n"),
    ])
    func `what is no region, directory or key is refused`(key: String, written: String) {
        #expect(read(configuration(agent: #""\#(key)": "\#(written)""#)).faults.map(\.keyPath) == [key])
    }

    @Test(arguments: [("START_OF_FILE", InitialPosition.startOfFile), ("END_OF_FILE", .endOfFile)])
    func `words are taken as they are`(written: String, position: InitialPosition) {
        let parsed = read(configuration(flow: #""initialPosition": "\#(written)", "compression": "gzip""#))
        #expect(parsed.configuration?.flows[0].initialPosition == position)
        #expect(parsed.configuration?.flows[0].compression == .gzip)
    }

    @Test(arguments: [#""end_of_file""#, #""""#, "5", "null", "true"])
    func `the case of words matters`(written: String) {
        #expect(
            read(configuration(flow: #""initialPosition": \#(written)"#)).messages == [
                #"flows[0].initialPosition = \#(written): expected "END_OF_FILE" or "START_OF_FILE""#
            ]
        )
    }

    // MARK: Patterns

    @Test func `a pattern may be a text or an array, and repeated slashes are one`() {
        let parsed = read(
            #"{"flows": [{"filePattern": ["/var//log/a*.log", "logs/**"], "excludePattern": "*.gz", "deliveryStream": 7}]}"#
        )
        #expect(parsed.configuration?.flows[0].filePatterns == ["/var/log/a*.log", "logs/**"])
        #expect(parsed.configuration?.flows[0].excludePatterns == ["*.gz"])
        #expect(parsed.configuration?.flows[0].stream.text == "7")
    }

    @Test func `every wrong pattern of an array is named`() {
        let parsed = read(#"{"flows": [{"filePattern": ["/a", "a.log", "/b/", {}], "deliveryStream": "s"}]}"#)
        #expect(
            parsed.messages == [
                #"flows[0].filePattern[1] = "a.log": it has no directory; write one in front, such as /var/log/"#,
                #"flows[0].filePattern[2] = "/b/": it names a directory; add what the files are called, such as *.log"#,
                "flows[0].filePattern[3] = an object: expected a path with a directory, such as /var/log/app/*.log, or an array of such",
            ]
        )
    }

    @Test(arguments: ["[]", #""""#, "null", "{}", #""/a\u0000""#])
    func `a flow without a pattern is refused`(written: String) {
        let parsed = read(#"{"flows": [{"filePattern": \#(written), "deliveryStream": "s"}]}"#)
        #expect(parsed.faults.map(\.keyPath) == ["flows[0].filePattern"])
    }

    // MARK: Variables

    @Test(arguments: [
        ("${NAME}", "x"), ("/${NAME}${NAME}/", "/xx/"), ("$$", "$"), ("$${NAME}", "${NAME}"), ("$$$", "$$"),
        ("a$", "a$"),
        ("$NAME", "$NAME"), ("${EMPTY}", ""), ("$$${NAME}", "$x"), ("${DOLLAR}", "${NAME}"),
    ])
    func `variables are replaced once`(written: String, value: String) {
        let environment = ["NAME": "x", "EMPTY": "", "DOLLAR": "${NAME}"]
        let parsed = read(configuration(flow: #""truncatedRecordTerminator": "\#(written)""#), environment: environment)
        #expect(parsed.configuration?.flows[0].truncatedRecordTerminator == Array(value.utf8))
    }

    @Test func `variables serve for every kind of value`() {
        let flow = #"{"filePattern": ["/${A}"], "deliveryStream": "${A}", "compression": "${Z}"}"#
        let text = #"{"maxRetries": "${N}", "flows": [\#(flow)]}"#
        let parsed = read(text, environment: ["N": "3", "A": "app", "Z": "gzip"])
        #expect(parsed.configuration?.maxRetries == 3)
        #expect(parsed.configuration?.flows[0].filePatterns == ["/app"])
        #expect(parsed.configuration?.flows[0].compression == .gzip)
    }

    @Test(arguments: ["${", "${}", "${1}", "${a-b}", "${a b}", "${NAME"])
    func `what is no variable is refused`(written: String) {
        let parsed = read(configuration(flow: #""excludePattern": ["a", "\#(written)"]"#), environment: ["NAME": "x"])
        #expect(parsed.faults.map(\.keyPath) == ["flows[0].excludePattern[1]"])
        #expect(parsed.messages[0].contains("write $$ for a dollar sign"))
    }

    @Test func `an unset variable is named`() {
        #expect(
            read(configuration(agent: #""region": "${REGION}""#)).messages == [
                #"region = "${REGION}": the environment variable REGION is not set; set it, or write $$ for a dollar sign"#
            ]
        )
    }
}
