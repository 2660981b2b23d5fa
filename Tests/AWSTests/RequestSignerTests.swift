import Crypto
import Foundation
import Testing

@testable import AWS

@Suite struct RequestSignerTests {
    // MARK: Dates

    @Test(arguments: [
        (0, "19700101T000000Z"), (-1, "19691231T235959Z"), (86_399, "19700101T235959Z"), (86_400, "19700102T000000Z"),
        (951_782_399, "20000228T235959Z"), (951_782_400, "20000229T000000Z"), (951_868_800, "20000301T000000Z"),
        (1_440_938_160, "20150830T123600Z"), (1_709_164_800, "20240229T000000Z"), (4_107_542_399, "21000228T235959Z"),
        (4_107_542_400, "21000301T000000Z"), (253_402_300_799, "99991231T235959Z"),
        (-62_135_596_800, "00010101T000000Z"),
    ])
    func `writes a moment in UTC`(unixSeconds: Int, text: String) {
        let date = SigningDate(unixSeconds: unixSeconds)
        #expect(date.text == text)
        #expect(date.day == text.prefix(8))
    }

    /// Every day of 1600 to 2400: a whole era and all its kinds of years, before and after 1970.
    @Test func `days follow each other as in the calendar`() {
        var (year, month, day) = (1600, 1, 1)
        for number in -135_140..<157_054 {
            let expected = year * 10_000 + month * 100 + day
            guard SigningDate(unixSeconds: number * 86_400).day == String(expected) else {
                Issue.record("day \(number) should be \(expected)")
                return
            }
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            day += 1
            if day > lengths[month - 1] { (month, day) = (month + 1, 1) }
            if month > 12 { (year, month) = (year + 1, 1) }
        }
        #expect((year, month, day) == (2400, 1, 1))
    }

    @Test(arguments: [Int.min, Int.max]) func `no moment is out of range`(unixSeconds: Int) {
        #expect(SigningDate(unixSeconds: unixSeconds).text.hasSuffix("Z"))
    }

    // MARK: Canonical form

    @Test(arguments: [
        ("a=b", "a=b"), ("a", "a="), ("", ""), ("&&", ""), ("b=1&a=2", "a=2&b=1"), ("a=2&a=1", "a=1&a=2"),
        ("a=b=c", "a=b%3Dc"), ("a=%3a%2F", "a=%3A%2F"), ("a=:/", "a=%3A%2F"), ("a=b+c", "a=b%2Bc"),
        ("a=%zz%4", "a=%25zz%254"), ("a=%E1%88%B4", "a=%E1%88%B4"), ("a-=1&a=2", "a=2&a-=1"), ("=v", "=v"),
    ])
    func `a query is encoded once and sorted`(query: String, canonical: String) {
        let request = SignableRequest(query: query, headers: [], payloadHash: "hash")
        let lines = CanonicalRequest(request, normalizingPath: true).text.split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        #expect(lines[2] == canonical)
    }

    @Test(arguments: [
        ("", "/"), ("/", "/"), ("/a/../..", "/"), ("/a/./b//c/", "/a/b/c/"), ("/a%20b", "/a%2520b"), ("/..a", "/..a"),
    ])
    func `a path is resolved and encoded once more`(path: String, canonical: String) {
        let request = SignableRequest(path: path, headers: [], payloadHash: "hash")
        #expect(CanonicalRequest(request, normalizingPath: true).text.split(separator: "\n")[1] == canonical)
    }

    @Test func `headers are sorted by name, even where one name begins another`() {
        let headers = [("X-A-B", " 1 "), ("x-a", "2\t 3"), ("X-a", "4"), ("X-Empty", "")]
        let request = SignableRequest(headers: headers.map { .init($0, $1) }, payloadHash: "hash")
        let canonical = CanonicalRequest(request, normalizingPath: true)
        #expect(canonical.signedHeaders == "x-a;x-a-b;x-empty")
        #expect(canonical.text == "POST\n/\n\nx-a:2 3,4\nx-a-b:1\nx-empty:\n\nx-a;x-a-b;x-empty\nhash")
    }

    // MARK: The key in memory

    @Test func `the key in memory is never that of another day or other credentials`() {
        let request = SignableRequest(headers: [.init("Host", "h")], payloadHash: "hash")
        let first = Credentials(accessKeyID: "a", secretAccessKey: "s", source: "")
        let others = [
            Credentials(accessKeyID: "b", secretAccessKey: "s", source: ""),
            Credentials(accessKeyID: "a", secretAccessKey: "t", source: ""),
            Credentials(accessKeyID: "a", secretAccessKey: "s", sessionToken: "u", source: ""),
        ]
        var kept = RequestSigner(region: "eu-west-1")
        for (credentials, time) in [(first, 0), (first, 86_400), (first, 0)] + others.map({ ($0, 0) }) + [(first, 1)] {
            var fresh = RequestSigner(region: "eu-west-1")
            let expected = fresh.sign(request, with: credentials, at: time)
            #expect(kept.sign(request, with: credentials, at: time) == expected)
            #expect(kept.sign(request, with: credentials, at: time) == expected)
        }
    }

    // MARK: Against another implementation

    private static let hasBotocore = (try? python("import botocore.auth")) != nil

    /// Runs a script, and answers what it printed.
    ///
    /// Through the shell, since Foundation's `Process` leaks a little, which the address sanitizer takes for our fault.
    private static func python(_ script: String, _ arguments: String...) throws -> Data {
        struct Failed: Error {}
        let words = ["python3", "-c", script] + arguments
        let quoted = words.map { "'" + $0.replacing("'", with: #"'\''"#) + "'" }.joined(separator: " ")
        guard let stream = popen("\(quoted) 2>/dev/null", "r") else { throw Failed() }
        var output = Data()
        while case let byte = getc(stream), byte != EOF {
            output.append(UInt8(byte))
        }
        guard pclose(stream) == 0 else { throw Failed() }
        return output
    }

    private static let signingScript = """
        import json, sys
        from botocore.auth import SigV4Auth
        from botocore.awsrequest import AWSRequest
        from botocore.credentials import Credentials
        url, body, token = sys.argv[1:]
        request = AWSRequest('POST', url, data=body.encode(), headers={
            'Content-Type': 'application/x-amz-json-1.1', 'X-Amz-Target': 'Firehose_20150804.PutRecordBatch'})
        SigV4Auth(Credentials('AKIDEXAMPLE', 'wJalr/+secret', token or None), 'firehose', 'eu-west-1').add_auth(request)
        print(json.dumps(dict(request.headers)))
        """

    @Test(
        .enabled(if: hasBotocore, "python3 with botocore is not on this machine"),
        arguments: [
            ("https://firehose.eu-west-1.amazonaws.com/", "firehose.eu-west-1.amazonaws.com", ""),
            ("https://firehose.eu-west-1.amazonaws.com/", "firehose.eu-west-1.amazonaws.com", "token/+=="),
            ("http://localhost:8080/", "localhost:8080", ""),
            (
                "https://vpce-1.firehose.eu-west-1.vpce.amazonaws.com:8443/",
                "vpce-1.firehose.eu-west-1.vpce.amazonaws.com:8443", "t"
            ),
        ]
    )
    func `botocore signs a request in the same way`(url: String, host: String, token: String) throws {
        let body = #"{"DeliveryStreamName":"s","Records":[{"Data":"YQo="}]}"#
        let output = try Self.python(Self.signingScript, url, body, token)
        let theirs = try JSONDecoder().decode([String: String].self, from: output)
        let text = try #require(theirs["X-Amz-Date"])
        let style = Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted)
        let date = try Date(text, strategy: style)

        var signer = RequestSigner(region: "eu-west-1")
        let request = SignableRequest(
            headers: [
                .init("Host", host), .init("Content-Type", "application/x-amz-json-1.1"),
                .init("X-Amz-Target", "Firehose_20150804.PutRecordBatch"),
            ],
            payloadHash: SHA256.hash(of: body.utf8.span).hex
        )
        let credentials = Credentials(
            accessKeyID: "AKIDEXAMPLE",
            secretAccessKey: "wJalr/+secret",
            sessionToken: token.isEmpty ? nil : token,
            source: "a test"
        )
        let ours = signer.sign(request, with: credentials, at: Int(date.timeIntervalSince1970))
        #expect(ours.count == (token.isEmpty ? 2 : 3))
        for header in ours {
            #expect(theirs[header.name] == header.value)
        }
    }
}
