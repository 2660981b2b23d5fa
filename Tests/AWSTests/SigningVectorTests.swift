import Crypto
import Foundation
import TestSupport
import Testing

@testable import AWS

/// The published test suite of Signature Version 4: canonical request, string to sign and signature of each case.
@Suite(.enabled(if: Vectors.areThere, "\(Vectors.absence)"))
struct SigningVectorTests {
    static let names = Vectors.folders(in: "sigv4")

    @Test func `all cases are there`() {
        #expect(Self.names.count == 38)
    }

    @Test(arguments: names) func `signs in headers`(name: String) throws {
        let example = try Example(name)
        var request = example.request
        var added = [SignableRequest.Header("X-Amz-Date", example.date.text)]
        if let token = example.context.credentials.token, !example.context.omitsToken {
            added.append(.init("X-Amz-Security-Token", token))
        }
        if example.context.signsBody { request.headers.append(.init("x-amz-content-sha256", request.payloadHash)) }
        var complete = request
        complete.headers += added
        try example.expect(complete, kind: "header")

        var credentials = example.credentials
        if example.context.omitsToken { credentials.sessionToken = nil }
        var signer = example.signer
        let headers = signer.sign(request, with: credentials, at: example.unixSeconds)
        let signed = try example.file("header-signed-request.txt")
        #expect(headers.dropLast() == added[...])
        for header in headers {
            #expect(signed.split(separator: "\n").contains("\(header.name):\(header.value)"))
        }
    }

    @Test(arguments: names) func `signs in the query`(name: String) throws {
        let example = try Example(name)
        var request = example.request
        request.query = [request.query, example.signingQuery].filter { !$0.isEmpty }.joined(separator: "&")
        try example.expect(request, kind: "query")
    }
}

/// One folder of the suite.
private struct Example {
    struct Context: Decodable {
        struct Keys: Decodable {
            var access_key_id: String
            var secret_access_key: String
            var token: String?
        }

        var credentials: Keys
        var expiration_in_seconds: Int
        var normalize: Bool
        var region: String
        var service: String
        var sign_body: Bool
        var timestamp: String
        var omit_session_token: Bool?

        var omitsToken: Bool { omit_session_token ?? false }
        var signsBody: Bool { sign_body }
    }

    let folder: String
    let context: Context
    let request: SignableRequest
    let unixSeconds: Int

    init(_ name: String) throws {
        folder = "sigv4/\(name)"
        context = try Vectors.json("\(folder)/context.json")
        request = Self.parse(try Vectors.text("\(folder)/request.txt"))
        unixSeconds = Int(try Date(context.timestamp, strategy: .iso8601).timeIntervalSince1970)
    }

    var credentials: Credentials {
        Credentials(
            accessKeyID: context.credentials.access_key_id,
            secretAccessKey: context.credentials.secret_access_key,
            sessionToken: context.credentials.token,
            source: "test"
        )
    }

    var date: SigningDate { SigningDate(unixSeconds: unixSeconds) }

    var signer: RequestSigner {
        RequestSigner(region: context.region, service: context.service, normalizesPath: context.normalize)
    }

    func file(_ name: String) throws -> String {
        try Vectors.text("\(folder)/\(name)")
    }

    /// The parameters of a signature in the query, in no particular order.
    var signingQuery: String {
        let scope = "\(date.day)/\(context.region)/\(context.service)/aws4_request"
        var parameters = [
            ("X-Amz-SignedHeaders", CanonicalRequest(request, normalizingPath: true).signedHeaders),
            ("X-Amz-Algorithm", "AWS4-HMAC-SHA256"),
            ("X-Amz-Credential", "\(context.credentials.access_key_id)/\(scope)"),
            ("X-Amz-Date", date.text),
            ("X-Amz-Expires", String(context.expiration_in_seconds)),
        ]
        if let token = context.credentials.token, !context.omitsToken {
            parameters.append(("X-Amz-Security-Token", token))
        }
        return parameters.map { "\($0)=\(PercentEncoding.encode($1.utf8))" }.joined(separator: "&")
    }

    /// Compares all three steps of a signature with the suite's files.
    func expect(_ request: SignableRequest, kind: String) throws {
        var signer = signer
        let canonical = CanonicalRequest(request, normalizingPath: context.normalize)
        #expect(canonical.text == (try file("\(kind)-canonical-request.txt")))
        let stringToSign = signer.stringToSign(canonical, at: date)
        #expect(stringToSign == (try file("\(kind)-string-to-sign.txt")))
        let signature = signer.signature(of: stringToSign, with: credentials, on: date.day)
        #expect(signature == (try file("\(kind)-signature.txt")))
    }

    /// Takes an HTTP request apart; a line that begins with a blank continues the header above.
    private static func parse(_ text: String) -> SignableRequest {
        let head = text.firstRange(of: "\n\n").map { text[..<$0.lowerBound] } ?? text[...]
        let body = text.firstRange(of: "\n\n").map { text[$0.upperBound...] } ?? ""
        let lines = head.split(separator: "\n")
        var headers: [SignableRequest.Header] = []
        for line in lines.dropFirst() {
            if line.hasPrefix(" ") {
                headers[headers.count - 1].value += "\n\(line)"
            } else {
                let colon = line.firstIndex(of: ":") ?? line.endIndex
                headers.append(.init(String(line[..<colon]), String(line[colon...].dropFirst())))
            }
        }
        let method = lines[0].prefix { $0 != " " }
        let target = lines[0].dropFirst(method.count + 1).dropLast(" HTTP/1.1".count)
        let path = target.prefix { $0 != "?" }
        return SignableRequest(
            method: String(method),
            path: String(path),
            query: String(target.dropFirst(path.count + 1)),
            headers: headers,
            payloadHash: SHA256.hash(of: body.utf8.span).hex
        )
    }
}
