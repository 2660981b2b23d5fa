import Foundation
import HTTP
import TestSupport
import Testing

@testable import AWS
@testable import CredentialSources

/// Where the services of containers and of EC2 are looked for.
@Suite struct MetadataEndpointTests {
    struct SharedFile: Decodable {
        var tests: [SharedCase]
    }

    struct SharedCase: Decodable, Sendable, CustomTestStringConvertible {
        struct Outcome: Decodable, Sendable {
            var Ok: String?
        }

        var docs: String
        var env: [String: String]
        var fs: [String: String]?
        var endpoint_override: String?
        var mode_override: String?
        var result: Outcome

        var testDescription: String { docs }
    }

    private static func cases(_ name: String) -> [SharedCase] {
        (try? Vectors.json("profiles/\(name)", as: SharedFile.self).tests) ?? []
    }

    @Test(.enabled(if: Vectors.areThere, "\(Vectors.absence)")) func `all shared cases are there`() {
        #expect(Self.cases("ecs-tests.json").count == 11)
        #expect(Self.cases("imds-endpoint-tests.json").count == 14)
    }

    // MARK: Containers

    @Test(.enabled(if: Vectors.areThere, "\(Vectors.absence)"), arguments: cases("ecs-tests.json"))
    func `finds the container's service where the SDKs do`(example: SharedCase) throws {
        #expect(Self.container(example.env) == example.result.Ok)
    }

    /// - Returns: nil for nothing and for an error.
    private static func container(_ environment: [String: String]) -> String? {
        (try? ContainerEndpoint.find(in: environment))?.url
    }

    @Test(arguments: [
        "http://127.0.0.1/a", "http://127.9.8.7:99/a", "http://localhost", "http://[::1]:80/a?b=c",
        "http://169.254.170.2/a", "http://169.254.170.23:80/v1", "http://[fd00:ec2::23]:8080/v1", "HTTPS://Any.example",
    ])
    func `a token may go to this host, to its neighbours and where TLS proves who takes it`(url: String) {
        #expect(Self.container(["AWS_CONTAINER_CREDENTIALS_FULL_URI": url]) == url)
    }

    @Test(arguments: [
        "http://192.168.1.1/a", "http://example.com/a", "http://169.254.169.254/a", "http://127.0.0.1.example.com/",
        "http://localhost@example.com/", "http://127.0.0.1:80@example.com/", "https://user:hush@example.com/",
        "http://[fd00:ec2::23]x/", "ftp://localhost/", "localhost/a", "http://", "http:///a", "http://local host/a",
        "http://localhost/\u{1}", "http://example.com#@localhost/", "http://example.com?@localhost/",
    ])
    func `a token goes nowhere else`(url: String) {
        let error = #expect(throws: CredentialsError.self) {
            try ContainerEndpoint.find(in: ["AWS_CONTAINER_CREDENTIALS_FULL_URI": url])
        }
        #expect(error.map { "\($0)" }?.contains("hush") == false)
    }

    @Test(arguments: ["credentials", "@example.com/", ".example.com/", "/a b", "/a\u{7F}"])
    func `a path is a path`(path: String) {
        #expect(throws: CredentialsError.self) {
            try ContainerEndpoint.find(in: ["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": path])
        }
    }

    // MARK: EC2

    /// What a program says in code, the SDKs' cases have beside the variables; here there are only those.
    @Test(.enabled(if: Vectors.areThere, "\(Vectors.absence)"), arguments: cases("imds-endpoint-tests.json"))
    func `finds the metadata service where the SDKs do`(example: SharedCase) throws {
        let home = try TemporaryHome(configuration: example.fs?["config"])
        var environment = example.env
        environment["HOME"] = home.url.path
        environment["AWS_CONFIG_FILE"] = nil
        environment["AWS_EC2_METADATA_SERVICE_ENDPOINT"] =
            example.endpoint_override ?? environment["AWS_EC2_METADATA_SERVICE_ENDPOINT"]
        environment["AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE"] =
            example.mode_override ?? environment["AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE"]
        let client = NetworkClient(HTTPOptions())
        guard let url = example.result.Ok else {
            #expect(throws: EndpointError.self) { try InstanceMetadata(environment, client: client) }
            return
        }
        #expect(try InstanceMetadata(environment, client: client)?.sessionRequest.url == url)
    }

    @Test(arguments: ["true", "TRUE", " True "])
    func `who says so is not asked`(value: String) throws {
        let client = NetworkClient(HTTPOptions())
        let metadata = try InstanceMetadata(["AWS_EC2_METADATA_DISABLED": value], client: client)
        #expect(metadata?.baseURL == nil)
        #expect(InstanceRegion.find(["AWS_EC2_METADATA_DISABLED": value]) == nil)
    }
}
