import Foundation
import TestSupport
import Testing

@testable import AWS

@Suite struct EndpointTests {
    // MARK: The cases that the SDKs share

    static let sharedCases = (try? Vectors.json("endpoints/firehose.json", as: EndpointCase.List.self).testCases) ?? []

    @Test(.enabled(if: Vectors.areThere, "\(Vectors.absence)")) func `all shared cases are there`() {
        #expect(Self.sharedCases.count == 48)
    }

    /// A signature needs a region, also where the endpoint needs none; those cases get one.
    @Test(.enabled(if: Vectors.areThere, "\(Vectors.absence)"), arguments: sharedCases)
    func `finds the endpoint that the SDKs find`(example: EndpointCase) throws {
        let isCustom = example.params?.Endpoint != nil
        let resolver = EndpointResolver(
            endpoint: example.params?.Endpoint,
            region: example.params?.Region ?? (isCustom ? "us-east-1" : nil),
            environment: example.environment
        )
        if let url = example.expect.endpoint?.url {
            guard case .service(let endpoint) = try resolver.resolve() else {
                Issue.record("not a service")
                return
            }
            #expect(endpoint.url == url)
            #expect(url == "https://\(endpoint.host)")
            #expect(endpoint.region == example.params?.Region ?? "us-east-1")
        } else {
            #expect(example.expect.error != nil)
            #expect(throws: EndpointError.self) { try resolver.resolve() }
        }
    }

    // MARK: Our own

    struct Case: Sendable, CustomTestStringConvertible {
        var endpoint: String?
        var region: String?
        var environment: [String: String] = [:]
        var url: String
        var signedFor: String

        var testDescription: String { "\(endpoint ?? "") \(region ?? "") \(environment)" }
    }

    @Test(arguments: [
        Case(
            region: "eu-isoe-west-1",
            url: "https://firehose.eu-isoe-west-1.cloud.adc-e.uk",
            signedFor: "eu-isoe-west-1"
        ),
        Case(
            region: "us-isof-south-1",
            url: "https://firehose.us-isof-south-1.csp.hci.ic.gov",
            signedFor: "us-isof-south-1"
        ),
        Case(
            region: "eusc-de-east-1",
            url: "https://firehose.eusc-de-east-1.amazonaws.eu",
            signedFor: "eusc-de-east-1"
        ),
        Case(region: "xx-new-1", url: "https://firehose.xx-new-1.amazonaws.com", signedFor: "xx-new-1"),
        Case(
            endpoint: "firehose.eu-west-1.amazonaws.com",
            url: "https://firehose.eu-west-1.amazonaws.com",
            signedFor: "eu-west-1"
        ),
        Case(
            endpoint: "firehose.eu-west-1.amazonaws.com",
            environment: ["AWS_REGION": "us-east-1"],
            url: "https://firehose.eu-west-1.amazonaws.com",
            signedFor: "eu-west-1"
        ),
        Case(
            endpoint: "firehose.eu-west-1.amazonaws.com",
            region: "us-east-1",
            url: "https://firehose.eu-west-1.amazonaws.com",
            signedFor: "us-east-1"
        ),
        Case(
            endpoint: "https://Firehose-FIPS.us-gov-west-1.api.aws/",
            url: "https://firehose-fips.us-gov-west-1.api.aws",
            signedFor: "us-gov-west-1"
        ),
        Case(
            endpoint: "vpce-0a1b-2c3d.firehose.cn-north-1.vpce.amazonaws.com.cn:8443",
            url: "https://vpce-0a1b-2c3d.firehose.cn-north-1.vpce.amazonaws.com.cn:8443",
            signedFor: "cn-north-1"
        ),
        Case(
            endpoint: "https://firehose.internal.example.com",
            environment: ["AWS_REGION": "eu-west-1"],
            url: "https://firehose.internal.example.com",
            signedFor: "eu-west-1"
        ),
        Case(
            endpoint: " ",
            environment: ["AWS_REGION": " ", "AWS_DEFAULT_REGION": "eu-west-2"],
            url: "https://firehose.eu-west-2.amazonaws.com",
            signedFor: "eu-west-2"
        ),
        Case(
            environment: ["AWS_REGION": "eu-west-1", "AWS_DEFAULT_REGION": "eu-west-2"],
            url: "https://firehose.eu-west-1.amazonaws.com",
            signedFor: "eu-west-1"
        ),
        Case(
            region: "eu-west-1",
            environment: ["AWS_ENDPOINT_URL": "http://localhost:1", "AWS_ENDPOINT_URL_FIREHOSE": "http://localhost:2"],
            url: "http://localhost:2",
            signedFor: "eu-west-1"
        ),
        Case(
            endpoint: "http://localhost:3",
            region: "eu-west-1",
            environment: ["AWS_ENDPOINT_URL_FIREHOSE": "http://localhost:2"],
            url: "http://localhost:3",
            signedFor: "eu-west-1"
        ),
        Case(
            region: "eu-west-1",
            environment: ["AWS_ENDPOINT_URL": "http://localhost:1"],
            url: "http://localhost:1",
            signedFor: "eu-west-1"
        ),
        Case(
            region: "eu-west-1",
            environment: ["AWS_ENDPOINT_URL": "http://localhost:1", "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS": "True"],
            url: "https://firehose.eu-west-1.amazonaws.com",
            signedFor: "eu-west-1"
        ),
        Case(endpoint: "https://h:443", region: "r", url: "https://h", signedFor: "r"),
        Case(endpoint: "http://h:80/", region: "r", url: "http://h", signedFor: "r"),
        Case(endpoint: "http://h:443", region: "r", url: "http://h:443", signedFor: "r"),
        Case(endpoint: "http://[::1]:4566", region: "r", url: "http://[::1]:4566", signedFor: "r"),
        Case(endpoint: "[FE80::1]", region: "r", url: "https://[fe80::1]", signedFor: "r"),
        Case(endpoint: "localhost:8080", region: "r", url: "https://localhost:8080", signedFor: "r"),
    ])
    func `endpoint and region come from the nearest setting`(example: Case) throws {
        let resolver = EndpointResolver(
            endpoint: example.endpoint,
            region: example.region,
            environment: example.environment
        )
        guard case .service(let endpoint) = try resolver.resolve() else {
            Issue.record("not a service")
            return
        }
        #expect(endpoint.url == example.url)
        #expect(endpoint.region == example.signedFor)
    }

    @Test(arguments: [
        ("file:///some/dir", "/some/dir"), ("FILE:///with%20blank/%2", "/with blank/%2"), ("file:///", "/"),
    ])
    func `a file URL is a directory, which needs no region`(text: String, path: String) throws {
        #expect(try EndpointResolver(endpoint: text, environment: [:]).resolve() == .directory(path: path))
    }

    @Test(arguments: [
        "ftp://h", "https://", "https://h/path", "https://h?query", "https://h#part", "https://h:", "https://h:0",
        "https://h:65536", "https://h:+80", "https://h:8a", "https://a..b", "https://a b", "http://[::1", "http://[]",
        "http://[h]", "http://::1", "file://some/dir", "file:some", "file:///a%00b", "héllo.example",
    ])
    func `what is no endpoint is refused with its setting and value`(text: String) {
        let error = #expect(throws: EndpointError.self) {
            try EndpointResolver(endpoint: text, region: "r", environment: [:]).resolve()
        }
        guard case .invalid("firehose.endpoint", text, _) = error else {
            Issue.record("unexpected: \(String(describing: error))")
            return
        }
    }

    @Test func `a password in an endpoint is refused and not shown`() {
        let error = #expect(throws: EndpointError.self) {
            try EndpointResolver(region: "r", environment: ["AWS_ENDPOINT_URL": "https://me:hush@h"]).resolve()
        }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.hasPrefix("AWS_ENDPOINT_URL is '(not shown, since it has an @)'; expected a host such as"))
        #expect(!text.contains("hush"))
    }

    @Test(arguments: ["AWS_USE_FIPS_ENDPOINT", "AWS_USE_DUALSTACK_ENDPOINT"])
    func `variants exist only of Amazon's endpoints`(variable: String) {
        #expect(throws: EndpointError.conflict(endpointSetting: "firehose.endpoint", variable: variable)) {
            try EndpointResolver(endpoint: "h", region: "r", environment: [variable: "true"]).resolve()
        }
        #expect(throws: EndpointError.invalid(setting: variable, value: "yes", expected: "true or false")) {
            try EndpointResolver(region: "r", environment: [variable: "yes"]).resolve()
        }
    }

    @Test func `no region is an error`() {
        #expect(throws: EndpointError.noRegion) { try EndpointResolver(environment: [:]).resolve() }
        #expect(throws: EndpointError.noRegion) {
            try EndpointResolver(endpoint: "https://example.com", environment: [:]).resolve()
        }
    }

    @Test(arguments: ["EU-WEST-1", "eu west 1", "eu-west-1.", "-eu", "eu-", "a/b", String(repeating: "a", count: 64)])
    func `what is no region is refused`(region: String) {
        #expect(
            throws: EndpointError.invalid(setting: "AWS_REGION", value: region, expected: "a region such as eu-west-1")
        ) { try EndpointResolver(environment: ["AWS_REGION": region]).resolve() }
    }

    @Test func `the profile's region is the last resort`() throws {
        let home = try TemporaryHome(configuration: "[default]\nregion = eu-north-1\n[profile w]\nregion = eu-south-1")
        var environment = home.environment
        let north = Endpoint(host: "firehose.eu-north-1.amazonaws.com", region: "eu-north-1")
        #expect(try EndpointResolver(environment: environment).resolve() == .service(north))
        environment["AWS_PROFILE"] = "w"
        let south = Endpoint(host: "firehose.eu-south-1.amazonaws.com", region: "eu-south-1")
        #expect(try EndpointResolver(environment: environment).resolve() == .service(south))
        environment["AWS_REGION"] = "eu-west-1"
        let west = Endpoint(host: "firehose.eu-west-1.amazonaws.com", region: "eu-west-1")
        #expect(try EndpointResolver(environment: environment).resolve() == .service(west))
    }

    @Test func `a broken shared file matters only if the configuration does not say everything`() throws {
        let home = try TemporaryHome(configuration: "[default")
        let path = home.url.appending(path: ".aws/config").path
        let problem = ProfileSyntaxError(line: 1, problem: .sectionNotClosed)
        #expect(throws: EndpointError.sharedFile(.malformed(path: path, problem))) {
            try EndpointResolver(environment: home.environment).resolve()
        }
        _ = try EndpointResolver(endpoint: "h", region: "eu-west-1", environment: home.environment).resolve()
    }

    @Test(arguments: [
        ("localhost", false), ("localhost:8080", false), ("sink.localhost", false), ("127.0.0.1", false),
        ("127.9.9.9:80", false), ("[::1]", false), ("[::1]:8080", false), ("[::2]", true), ("127.example.com", true),
        ("127.0.0", true), ("127.0.0.1.example", true), ("128.0.0.1", true), ("notlocalhost", true),
    ])
    func `plain HTTP to another machine is worth a warning`(host: String, isUnencrypted: Bool) {
        #expect(Endpoint(scheme: .http, host: host, region: "r").isUnencrypted == isUnencrypted)
        #expect(!Endpoint(scheme: .https, host: host, region: "r").isUnencrypted)
    }
}
