import Foundation
import TestSupport
import Testing

@testable import AWS

/// Endpoints of services other than Firehose, and endpoints that profiles name.
@Suite struct ServiceEndpointTests {
    // MARK: STS

    static let stsCases = (try? Vectors.json("endpoints/sts.json", as: EndpointCase.List.self).testCases) ?? []

    /// A signature needs a region, also where the endpoint needs none; those cases get one.
    @Test(.enabled(if: Vectors.areThere, "\(Vectors.absence)"), arguments: stsCases)
    func `finds STS where the SDKs find it`(example: EndpointCase) throws {
        let resolver = EndpointResolver(
            for: .sts,
            endpoint: example.params?.Endpoint,
            region: example.params?.Region ?? (example.params?.Endpoint == nil ? nil : "us-east-1"),
            environment: example.environment
        )
        guard let expected = example.expect.endpoint else {
            #expect(throws: EndpointError.self) { try resolver.resolveService() }
            return
        }
        let endpoint = try resolver.resolveService()
        #expect(endpoint.url == expected.url)
        let region = expected.properties?.authSchemes?.first?.signingRegion ?? example.params?.Region ?? "us-east-1"
        #expect(endpoint.region == region)
    }

    // MARK: Endpoints in variables and profiles

    struct ConfiguredFile: Decodable {
        struct Suite: Decodable {
            var profiles: [String: [String: String]]
            var services: [String: [String: [String: String]]]
            var client_configs: [String: ClientConfiguration]
            var environments: [String: [String: String]]
            var endpointUrlTests: [ConfiguredCase]
        }

        struct ClientConfiguration: Decodable {
            var endpoint_url: String?
            var ignore_configured_endpoint_urls: Bool?
        }

        var testSuites: [Suite]
    }

    struct ConfiguredCase: Decodable, Sendable, CustomTestStringConvertible {
        struct Output: Decodable, Sendable {
            var endpointUrl: String
        }

        var name: String
        var profile: String
        var client_config: String
        var environment: String
        var service: String
        var output: Output

        var testDescription: String { name }
    }

    static let configured = try? Vectors.json(
        "endpoints/configured-endpoint-urls.json",
        as: ConfiguredFile.self
    ).testSuites.first

    @Test(.enabled(if: Vectors.areThere, "\(Vectors.absence)")) func `all shared cases are there`() {
        #expect(Self.stsCases.count == 69)
        #expect(Self.configured?.endpointUrlTests.count == 39)
    }

    @Test(
        .enabled(if: Vectors.areThere, "\(Vectors.absence)"),
        arguments: configured?.endpointUrlTests ?? []
    )
    func `an endpoint of one's own goes before another as in the SDKs`(example: ConfiguredCase) throws {
        let suite = try #require(Self.configured)
        let home = try TemporaryHome(configuration: Self.text(of: suite))
        let client = try #require(suite.client_configs[example.client_config])
        var environment = try #require(suite.environments[example.environment])
        environment["HOME"] = home.url.path
        environment["AWS_PROFILE"] = example.profile
        if client.ignore_configured_endpoint_urls == true {
            environment["AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"] = "true"
        }
        let resolver = EndpointResolver(
            for: AWSService(name: example.service),
            endpoint: client.endpoint_url,
            environment: environment
        )
        #expect(try resolver.resolveService().url == example.output.endpointUrl)
    }

    /// The configuration file that a suite describes.
    private static func text(of suite: ConfiguredFile.Suite) -> String {
        var lines: [String] = []
        for (name, properties) in suite.profiles {
            lines.append("[profile \(name)]")
            lines += properties.map { "\($0) = \($1)" }
        }
        for (name, services) in suite.services {
            lines.append("[services \(name)]")
            for (service, properties) in services {
                lines.append("\(service) =")
                lines += properties.map { "  \($0) = \($1)" }
            }
        }
        return lines.joined(separator: "\n")
    }

    // MARK: Our own

    @Test func `profiles name endpoints of Firehose and choose among Amazon's`() throws {
        let home = try TemporaryHome(
            configuration: """
                [default]
                region = eu-west-1
                use_fips_endpoint = true
                use_dualstack_endpoint = true
                [profile own]
                region = eu-west-1
                services = here
                [services here]
                s3 =
                  endpoint_url = http://s3.example
                firehose =
                  endpoint_url = http://localhost:4566
                """
        )
        func url(_ more: [String: String] = [:]) throws -> String {
            try EndpointResolver(environment: home.environment.merging(more) { $1 }).resolveService().url
        }
        #expect(try url() == "https://firehose-fips.eu-west-1.api.aws")
        #expect(try url(["AWS_USE_FIPS_ENDPOINT": "false"]) == "https://firehose.eu-west-1.api.aws")
        #expect(try url(["AWS_PROFILE": "own"]) == "http://localhost:4566")
        #expect(try url(["AWS_PROFILE": "own", "AWS_ENDPOINT_URL": "http://h:1"]) == "http://h:1")
        #expect(throws: EndpointError.self) { try url(["AWS_ENDPOINT_URL": "http://h:1"]) }
        let ignoring = ["AWS_PROFILE": "own", "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS": "true"]
        #expect(try url(ignoring) == "https://firehose.eu-west-1.amazonaws.com")
    }

    @Test func `authorities are trusted that the environment names, or the profile`() throws {
        let home = try TemporaryHome(configuration: "[default]\nca_bundle = /profile.pem")
        #expect(SharedSettings.caFile(home.environment) == "/profile.pem")
        #expect(SharedSettings.caFile(home.environment.merging(["AWS_CA_BUNDLE": "/own.pem"]) { $1 }) == "/own.pem")
        #expect(SharedSettings.caFile(["AWS_CA_BUNDLE": " "]) == nil)
        try home.write("[default", to: "config")
        #expect(SharedSettings.caFile(home.environment) == nil)
    }

    @Test func `a mistake in a profile is told with the property and the files`() throws {
        let home = try TemporaryHome(configuration: "[default]\nregion = r\nuse_fips_endpoint = maybe")
        let error = #expect(throws: EndpointError.self) {
            try EndpointResolver(environment: home.environment).resolve()
        }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.hasPrefix("use_fips_endpoint of profile 'default' in \(home.url.path)/.aws/credentials and "))
        #expect(text.hasSuffix(" is 'maybe'; expected true or false"))
    }

    @Test(arguments: [
        ("vpce-0123-abc.sts.eu-west-1.vpce.amazonaws.com", "eu-west-1"),
        ("sts.us-gov-west-1.amazonaws.com", "us-gov-west-1"),
        ("sts-fips.eu-west-3.api.aws:8443", "eu-west-3"), ("sts.example.com", nil), ("localhost", nil), ("sts", nil),
    ])
    func `the region is in names of Amazon's hosts`(host: String, region: String?) {
        #expect(AWSService.sts.region(inHost: host) == region)
    }
}
