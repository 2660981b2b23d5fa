/// Finds the endpoint of a service, and the region, in configuration, environment and shared files.
package struct EndpointResolver: Sendable {
    private typealias Setting = SharedSettings.Setting

    private let service: AWSService
    private let endpoint: String?
    private let endpointSetting: String
    private let region: String?
    private let environment: [String: String]

    /// Finds the endpoint of Firehose.
    ///
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
        self.init(
            for: .firehose,
            endpoint: endpoint,
            endpointSetting: endpointSetting,
            region: region,
            environment: environment
        )
    }

    /// Finds the endpoint of any service.
    package init(
        for service: AWSService,
        endpoint: String? = nil,
        endpointSetting: String = "the endpoint",
        region: String? = nil,
        environment: [String: String]
    ) {
        self.service = service
        self.endpoint = endpoint?.trimmedSetting
        self.endpointSetting = endpointSetting
        self.region = region?.trimmedSetting
        self.environment = environment
    }

    /// Where to deliver.
    ///
    /// An endpoint of the operator's own is used as it is; otherwise the region says which it is. The shared files are read
    /// only if the configuration does not say everything.
    package func resolve() throws(EndpointError) -> DeliveryTarget {
        if let endpoint { return try target(at: Setting(name: endpointSetting, value: endpoint)) }
        let settings = try settings()
        if let custom = try customEndpoint(settings) { return try target(at: custom, settings) }
        let region = try region(ofHost: nil, settings)
        let usesFIPS = try flag(Self.fips, settings)?.flag ?? false
        let usesDualStack = try flag(Self.dualStack, settings)?.flag ?? false
        if service == .sts, isGlobal(region, settings), !usesFIPS, !usesDualStack {
            return .service(AWSService.globalSTS)
        }
        let host = service.host(in: region, usesFIPS: usesFIPS, usesDualStack: usesDualStack)
        return .service(Endpoint(host: host, region: region))
    }

    /// Which service to call; a directory is none.
    package func resolveService() throws(EndpointError) -> Endpoint {
        switch try resolve() {
        case .service(let endpoint):
            return endpoint
        case .directory(let path):
            var custom = endpoint.map { Setting(name: endpointSetting, value: $0) }
            if custom == nil { custom = try customEndpoint(try settings()) }
            throw .invalid(
                setting: custom?.name ?? endpointSetting,
                value: custom?.value ?? path,
                expected: "a host or an http or https URL"
            )
        }
    }

    // MARK: Endpoints of one's own

    /// The endpoint that replaces Amazon's, if there is one.
    private func customEndpoint(_ settings: SharedSettings) throws(EndpointError) -> Setting? {
        let ignored = settings.value("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", or: "ignore_configured_endpoint_urls")
        if try ignored?.flag ?? false { return nil }
        return settings.variable(service.endpointVariable) ?? settings.variable("AWS_ENDPOINT_URL")
            ?? settings.property("endpoint_url", of: service) ?? settings.property("endpoint_url")
    }

    /// Without `settings` only the environment counts, beside an endpoint of the configuration.
    private func target(at custom: Setting, _ settings: SharedSettings? = nil) throws(EndpointError) -> DeliveryTarget {
        for name in [Self.fips, Self.dualStack] {
            guard let choice = flag(name, settings), try choice.flag else { continue }
            guard case .host = try EndpointAddress(custom.value, setting: custom.name) else { continue }
            throw .conflict(endpointSetting: custom.name, variable: choice.name)
        }
        switch try EndpointAddress(custom.value, setting: custom.name) {
        case .directory(let path): return .directory(path: path)
        case .host(let scheme, let host):
            return .service(Endpoint(scheme: scheme, host: host, region: try region(ofHost: host, settings)))
        }
    }

    // MARK: Amazon's own

    private typealias FlagName = (variable: String, property: String)
    private static let fips = FlagName("AWS_USE_FIPS_ENDPOINT", "use_fips_endpoint")
    private static let dualStack = FlagName("AWS_USE_DUALSTACK_ENDPOINT", "use_dualstack_endpoint")

    private func flag(_ name: FlagName, _ settings: SharedSettings?) -> Setting? {
        guard let settings else { return variable(name.variable) }
        return settings.value(name.variable, or: name.property)
    }

    /// Whether requests to STS go to its one global endpoint, as they all did once.
    private func isGlobal(_ region: String, _ settings: SharedSettings) -> Bool {
        if region == "aws-global" { return true }
        let choice = settings.value("AWS_STS_REGIONAL_ENDPOINTS", or: "sts_regional_endpoints")
        return choice?.value.lowercased() == "legacy" && AWSService.globalSTSRegions.contains(region)
    }

    // MARK: Region

    /// The region: the configured one, else the one in an Amazon host's name, else the environment's or the profile's.
    ///
    /// The host goes before the environment because a request to it that is signed for another region is refused.
    private func region(ofHost host: String?, _ settings: SharedSettings?) throws(EndpointError) -> String {
        let configured = region.map { Setting(name: "region", value: $0) }
        let named = host.flatMap(service.region).map { Setting(name: "the region in the endpoint", value: $0) }
        var found = configured ?? named
        if found == nil {
            found = variable("AWS_REGION") ?? variable("AWS_DEFAULT_REGION")
        }
        if found == nil {
            if let settings {
                found = settings.property("region")
            } else {
                found = try self.settings().property("region")
            }
        }
        guard let region = found else { throw .noRegion }
        guard Self.isRegion(region.value) else {
            throw .invalid(setting: region.name, value: region.value, expected: "a region such as eu-west-1")
        }
        return region.value
    }

    private func variable(_ name: String) -> Setting? {
        environment.setting(name).map { Setting(name: name, value: $0) }
    }

    private func settings() throws(EndpointError) -> SharedSettings {
        do {
            return try SharedSettings(environment: environment)
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
}
