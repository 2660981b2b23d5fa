import Containers
import JSON
import Testing

@Suite struct ContainerLineTests {
    private func parse(_ format: ContainerFormat, _ line: String) -> (line: ContainerLine, message: String)? {
        var message = Array("before".utf8)
        let bytes = Array(line.utf8)
        let parsed = format.parse(bytes.span, appendingMessageTo: &message)
        let text = String(decoding: message.dropFirst(6), as: UTF8.self)
        #expect(parsed != nil || text.isEmpty)
        return parsed.map { ($0, text) }
    }

    private static let docker = #"{"log":"a\n","stream":"stdout","time":"T"}"#

    @Test(arguments: [
        (docker, "a", false), (docker + "\n", "a", false), (docker + "\r\n", "a", false),
        (#"{"log":"a","stream":"stdout","time":"T"}"#, "a", true), (#"{ "time" : "T" , "log" : "\n" }"#, "", false),
        (
            #"{"log":"\u00e9\ud83d\ude00\"\\\/\t\r\n","attrs":{"a":["}",{}],"b":null},"stream":"stdout"}"#,
            "é😀\"\\/\t\r", false
        ),
        (#"{"log":"\ud83d x\udc00\n"}"#, "\u{FFFD} x\u{FFFD}", false),
        (#"{"log":"ends in \\\n"}"#, #"ends in \"#, false),
        (#"{"log":""}"#, "", true),
    ])
    func `a line of Docker is a message`(line: String, message: String, isPartial: Bool) throws {
        let parsed = try #require(parse(.docker, line))
        #expect(parsed.message == message && parsed.line.isPartial == isPartial && parsed.line.stream == .stdout)
    }

    @Test(arguments: [
        "", "{", "{}", #"{"log":"half"#, #"{"log":5}"#, #"{"log":"a\n"}x"#, #"{"log":"a\n","stream":"other"}"#, "\0\0",
        #"{"log":"\x"}"#, #"{"log":"\u12"}"#, #"{"log":"a\n",}"#, #"{"log" "a"}"#, #"["log"]"#, #"{"stream":"stdout"}"#,
        #"{"log":"a" "stream":"stdout"}"#, #"{"log":"a\n","x":{"#,
    ])
    func `what is no line of Docker is told apart`(line: String) {
        #expect(parse(.docker, line) == nil)
    }

    private static let time = "2016-10-06T00:17:09.669794202Z"

    @Test(arguments: [
        ("\(time) stdout F a b", "a b", ContainerStream.stdout, false), ("\(time) stderr P a\n", "a", .stderr, true),
        ("\(time) stdout F ", "", .stdout, false), ("\(time) stdout F\n", "", .stdout, false),
        ("\(time) stdout P:x:y  a\r\n", " a\r", .stdout, true),
        ("2016-10-06T00:17:09+02:00 stderr F {}", "{}", .stderr, false),
    ])
    func `a line of CRI is a message`(line: String, message: String, stream: ContainerStream, isPartial: Bool) throws {
        let parsed = try #require(parse(.cri, line))
        #expect(parsed.message == message && parsed.line.isPartial == isPartial && parsed.line.stream == stream)
        #expect(parsed.line.time == 0..<(line.split(separator: " ").first?.utf8.count ?? 0))
    }

    @Test(arguments: [
        "", " ", "a", "\(time)", "\(time) stdout", "\(time) stdin F a", "\(time) stdout X a", "\(time) stdout FP a",
        "\(time) stdout  a", "INFO stdout F a", "2016-10-06 00:17:09 stdout F",
    ])
    func `what is no line of CRI is told apart`(line: String) {
        #expect(parse(.cri, line) == nil)
    }

    @Test func `the first line of a file tells its format`() {
        let formats = [Self.docker, "\(Self.time) stdout F a", "a line"].map { line in
            ContainerFormat.ofFile(withFirstLine: Array(line.utf8).span)
        }
        #expect(formats == [.docker, .cri, nil])
    }

    // MARK: Places

    private static let id = String(repeating: "0123456789abcdef", count: 4)

    @Test(arguments: [
        ("/var/log/pods/kube-system_coredns-1_a-b-c/coredns/0.log", "kube-system", "coredns-1", "coredns"),
        ("/var/log/pods/ns_pod_uid/main/12.log.20240101-000000", "ns", "pod", "main"),
        ("/var/log/containers/web-0_shop_nginx-proxy-\(id).log", "shop", "web-0", "nginx-proxy"),
    ])
    func `paths of Kubernetes tell the place`(path: String, namespace: String, pod: String, container: String) {
        let place = ContainerPlace(path: path)
        #expect(place.namespace == namespace && place.pod == pod && place.container == container)
    }

    @Test(arguments: ["/a.log", "", "/var/log/pods/a_b/c/0.log", "/var/log/containers/a_b_c.log", "/x/a_b_c/d/e.log"])
    func `other paths tell nothing`(path: String) {
        #expect(ContainerPlace(path: path) == ContainerPlace(path: ""))
    }

    // MARK: Records

    private func record(
        _ message: [UInt8],
        of stream: ContainerStream? = .stderr,
        flags: ContainerRecord.Flags = .init(),
        limit: Int = 10_000
    ) -> (text: String, left: Int) {
        var place = ContainerPlace(path: "")
        place.pod = "p\"d"
        var bytes: [UInt8] = []
        let time = Array("T".utf8)
        let writer = ContainerRecord(of: place)
        let left = writer.append(message.span, of: stream, at: time.span, flags, limit: limit, to: &bytes)
        return (String(validating: bytes, as: UTF8.self) ?? "not UTF-8", left)
    }

    @Test func `a record is an object on a line`() {
        let whole = record(Array("a\"\\\n\t\r\u{1}é😀".utf8))
        #expect(
            whole.text
                == "{\"message\":\"a\\\"\\\\\\n\\t\\r\\u0001é😀\",\"stream\":\"stderr\",\"time\":\"T\",\"pod\":\"p\\\"d\"}\n"
        )
        let broken = record(Array("x".utf8), of: nil, flags: .init(isPartial: true, isTruncated: true))
        #expect(broken.text.hasSuffix(",\"broken\":true,\"partial\":true,\"truncated\":true}\n"))
        #expect(record([0x61, 0xFF, 0xE2, 0x82, 0x62]).text.hasPrefix("{\"message\":\"a\u{FFFD}\u{FFFD}b\""))
    }

    @Test(arguments: 0...140) func `a record keeps within its limit and is JSON`(limit: Int) throws {
        let message = Array("aé\n😀\u{1}".utf8) + [0xFF, 0xE2] + Array("\"end of the message".utf8)
        let (text, left) = record(message, limit: limit)
        #expect(text.utf8.count <= max(limit, 80))
        #expect((left == 0) == !text.contains("truncated"))
        #expect(throws: Never.self) { try JSONDocument(parsing: Array(text.utf8)) }
    }
}
