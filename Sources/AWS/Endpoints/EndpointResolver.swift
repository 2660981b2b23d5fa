/// Finds the Firehose endpoint and the region in configuration, environment and shared files.
package struct EndpointResolver: Sendable {
    /// A value and the name of the setting that has it.
    private typealias Setting = (name: String, value: String)

    private let endpoint: String?
    private let endpointSetting: String
    private let region: String?
    private let environment: [String: String]

    /// - Parameters:
    ///   - endpoint: `firehose.endpoint` of the configuration; blank counts as unset.
    ///   - endpointSetting: what that is called in errors.
    ///   - region: `region` of the configuration; blank counts as unset.
    ///   - environment: the variables of the process.
    package init(
        endpoint: String? = nil,
        endpointSetting: String = "firehose.endpoint",
        region: String? = nil,
        environment: [String: String]
    ) {
        self.endpoint = endpoint?.trimmedSetting
        self.endpointSetting = endpointSetting
        self.region = region?.trimmedSetting
        self.environment = environment
    }

    /// Where to deliver.
    ///
    /// An endpoint of the operator's own is used as it is; otherwise the region says which it is.
    package func resolve() throws(EndpointError) -> DeliveryTarget {
        let usesFIPS = try flag("AWS_USE_FIPS_ENDPOINT")
        let usesDualStack = try flag("AWS_USE_DUALSTACK_ENDPOINT")
        guard let custom = try customEndpoint() else {
            let region = try region(ofHost: nil)
            return .service(Self.standard(region: region, usesFIPS: usesFIPS, usesDualStack: usesDualStack))
        }
        switch try EndpointAddress(custom.value, setting: custom.name) {
        case .directory(let path):
            return .directory(path: path)
        case .host(let scheme, let host):
            if usesFIPS { throw .conflict(endpointSetting: custom.name, variable: "AWS_USE_FIPS_ENDPOINT") }
            if usesDualStack { throw .conflict(endpointSetting: custom.name, variable: "AWS_USE_DUALSTACK_ENDPOINT") }
            return .service(Endpoint(scheme: scheme, host: host, region: try region(ofHost: host)))
        }
    }

    /// Which service to call; a directory is none.
    package func resolveService() throws(EndpointError) -> Endpoint {
        switch try resolve() {
        case .service(let endpoint):
            return endpoint
        case .directory(let path):
            let custom = try customEndpoint()
            throw .invalid(
                setting: custom?.name ?? endpointSetting,
                value: custom?.value ?? path,
                expected: "a host or an http or https URL"
            )
        }
    }

    /// The endpoint that Amazon has for a region.
    private static func standard(region: String, usesFIPS: Bool, usesDualStack: Bool) -> Endpoint {
        let partition = Partition.containing(region: region)
        let service = usesFIPS ? "firehose-fips" : "firehose"
        let suffix = usesDualStack ? partition.dualStackDNSSuffix : partition.dnsSuffix
        return Endpoint(host: "\(service).\(region).\(suffix)", region: region)
    }

    /// The endpoint that replaces Amazon's, if there is one.
    private func customEndpoint() throws(EndpointError) -> Setting? {
        if let endpoint { return (endpointSetting, endpoint) }
        if try flag("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS") { return nil }
        return variable("AWS_ENDPOINT_URL_FIREHOSE") ?? variable("AWS_ENDPOINT_URL")
    }

    // MARK: Region

    /// The region: the configured one, else the one in an Amazon host's name, else the environment's or the profile's.
    ///
    /// The host goes before the environment because a request to it that is signed for another region is refused.
    private func region(ofHost host: String?) throws(EndpointError) -> String {
        let configured = region.map { Setting("region", $0) }
        let named = host.flatMap(Self.regionName).map { Setting("the region in the endpoint", $0) }
        var found = configured ?? named ?? variable("AWS_REGION") ?? variable("AWS_DEFAULT_REGION")
        if found == nil { found = try profileRegion() }
        guard let region = found else { throw .noRegion }
        guard Self.isRegion(region.value) else {
            throw .invalid(setting: region.name, value: region.value, expected: "a region such as eu-west-1")
        }
        return region.value
    }

    /// The region that a host name of Firehose contains, also one of a VPC endpoint.
    private static func regionName(inHost host: String) -> String? {
        let labels = host.prefix { $0 != ":" }.split(separator: ".").map(String.init)
        guard let service = labels.firstIndex(where: { $0 == "firehose" || $0 == "firehose-fips" }),
            service + 1 < labels.count
        else { return nil }
        let suffix = labels[(service + 2)...].drop { $0 == "vpce" }.joined(separator: ".")
        return Partition.hasSuffix(suffix) ? labels[service + 1] : nil
    }

    private func profileRegion() throws(EndpointError) -> Setting? {
        let files = SharedFiles(environment: environment)
        do {
            return try files.profile()?.setting("region").map { ("region of \(files.place)", $0) }
        } catch {
            throw .sharedFile(error)
        }
    }

    /// Whether it can stand in a host name: lower-case letters, digits and hyphens.
    private static func isRegion(_ name: String) -> Bool {
        name.utf8.count <= 63 && name.utf8.first != UInt8(ascii: "-") && name.utf8.last != UInt8(ascii: "-")
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    // MARK: Environment

    private func variable(_ name: String) -> Setting? {
        environment.setting(name).map { (name, $0) }
    }

    /// Whether a variable is `true`; unset is `false`.
    private func flag(_ name: String) throws(EndpointError) -> Bool {
        guard let value = environment.setting(name) else { return false }
        switch value.lowercased() {
        case "true": return true
        case "false": return false
        default: throw .invalid(setting: name, value: value, expected: "true or false")
        }
    }
}
