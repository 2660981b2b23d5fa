/// A service of Amazon's, as far as host names and settings go.
package struct AWSService: Sendable, Equatable {
    /// Its name in host names, in signatures and, in capitals, in variables.
    let name: String

    static let firehose = AWSService(name: "firehose")

    /// The Security Token Service, which gives temporary credentials.
    package static let sts = AWSService(name: "sts")

    /// The variable that replaces its endpoint.
    var endpointVariable: String { "AWS_ENDPOINT_URL_\(name.uppercased())" }

    /// The host that Amazon has for it in a region.
    func host(in region: String, usesFIPS: Bool, usesDualStack: Bool) -> String {
        let partition = Partition.containing(region: region)
        // Its hosts of the US government's regions are FIPS hosts under their plain names.
        let isPlain = self == .sts && region.hasPrefix("us-gov-") && !usesDualStack
        let label = usesFIPS && !isPlain ? "\(name)-fips" : name
        return "\(label).\(region).\(usesDualStack ? partition.dualStackDNSSuffix : partition.dnsSuffix)"
    }

    /// The region in a host name of the service, also one of a VPC endpoint; nil if there is none.
    package func region(inHost host: String) -> String? {
        let labels = host.prefix { $0 != ":" }.split(separator: ".").map(String.init)
        guard let own = labels.firstIndex(where: { $0 == name || $0 == "\(name)-fips" }), own + 1 < labels.count
        else { return nil }
        let suffix = labels[(own + 2)...].drop { $0 == "vpce" }.joined(separator: ".")
        return Partition.hasSuffix(suffix) ? labels[own + 1] : nil
    }

    // MARK: The global endpoint of STS

    /// Where STS was before it was in each region; it signs as `us-east-1`.
    package static let globalSTS = Endpoint(host: "sts.amazonaws.com", region: "us-east-1")

    /// The regions whose requests older SDKs sent there.
    static let globalSTSRegions: Set = [
        "ap-northeast-1", "ap-south-1", "ap-southeast-1", "ap-southeast-2", "ca-central-1", "eu-central-1",
        "eu-north-1", "eu-west-1", "eu-west-2", "eu-west-3", "sa-east-1", "us-east-1", "us-east-2", "us-west-1",
        "us-west-2",
    ]
}
