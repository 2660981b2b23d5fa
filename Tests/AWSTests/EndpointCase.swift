import Testing

/// One of the cases of endpoints that the SDKs share.
struct EndpointCase: Decodable, Sendable, CustomTestStringConvertible {
    struct Parameters: Decodable, Sendable {
        var Region: String?
        var UseFIPS: Bool?
        var UseDualStack: Bool?
        var UseGlobalEndpoint: Bool?
        var Endpoint: String?
    }

    struct Outcome: Decodable, Sendable {
        struct Endpoint: Decodable, Sendable {
            struct Properties: Decodable, Sendable {
                struct Scheme: Decodable, Sendable {
                    var signingRegion: String?
                }

                var authSchemes: [Scheme]?
            }

            var url: String
            var properties: Properties?
        }

        var endpoint: Endpoint?
        var error: String?
    }

    /// A file of them.
    struct List: Decodable {
        var testCases: [EndpointCase]
    }

    var documentation: String
    var params: Parameters?
    var expect: Outcome

    var testDescription: String { documentation }

    var environment: [String: String] {
        var environment: [String: String] = [:]
        environment["AWS_USE_FIPS_ENDPOINT"] = params?.UseFIPS.map(String.init)
        environment["AWS_USE_DUALSTACK_ENDPOINT"] = params?.UseDualStack.map(String.init)
        if params?.UseGlobalEndpoint == true { environment["AWS_STS_REGIONAL_ENDPOINTS"] = "legacy" }
        return environment
    }
}
