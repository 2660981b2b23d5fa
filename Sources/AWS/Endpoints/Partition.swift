/// A set of regions whose host names end alike.
struct Partition: Equatable, Sendable {
    /// What its regions begin with, before a place and a number: `cn-` and then `north-1`.
    let regionPrefix: String

    let dnsSuffix: String

    /// The suffix of hosts that have IPv6 addresses too.
    let dualStackDNSSuffix: String

    /// The one that most regions are in, and those that we do not know.
    static let standard = Partition(regionPrefix: "", dnsSuffix: "amazonaws.com", dualStackDNSSuffix: "api.aws")

    /// The partitions apart from the standard one.
    private static let others = [
        Partition(
            regionPrefix: "cn-",
            dnsSuffix: "amazonaws.com.cn",
            dualStackDNSSuffix: "api.amazonwebservices.com.cn"
        ),
        Partition(regionPrefix: "us-gov-", dnsSuffix: "amazonaws.com", dualStackDNSSuffix: "api.aws"),
        Partition(
            regionPrefix: "eusc-de-",
            dnsSuffix: "amazonaws.eu",
            dualStackDNSSuffix: "api.amazonwebservices.eu"
        ),
        Partition(regionPrefix: "us-iso-", dnsSuffix: "c2s.ic.gov", dualStackDNSSuffix: "api.aws.ic.gov"),
        Partition(regionPrefix: "us-isob-", dnsSuffix: "sc2s.sgov.gov", dualStackDNSSuffix: "api.aws.scloud"),
        Partition(
            regionPrefix: "eu-isoe-",
            dnsSuffix: "cloud.adc-e.uk",
            dualStackDNSSuffix: "api.cloud-aws.adc-e.uk"
        ),
        Partition(regionPrefix: "us-isof-", dnsSuffix: "csp.hci.ic.gov", dualStackDNSSuffix: "api.aws.hci.ic.gov"),
    ]

    /// The partition of a region.
    static func containing(region: String) -> Partition {
        others.first { region.hasPrefix($0.regionPrefix) } ?? standard
    }

    /// Whether host names of some partition end so, after the region.
    static func hasSuffix(_ suffix: String) -> Bool {
        ([standard] + others).contains { $0.dnsSuffix == suffix || $0.dualStackDNSSuffix == suffix }
    }
}
