import AWS

/// Where the agent of ECS or of EKS Pod Identity hands out credentials to the containers beside it.
struct ContainerEndpoint: Equatable {
    let url: String

    /// What the variables say.
    ///
    /// - Returns: nil if they say nothing.
    /// - Throws: why they cannot be right; a secret sent there might go astray.
    static func find(in environment: [String: String]) throws(CredentialsError) -> ContainerEndpoint? {
        if let path = environment.setting(Self.relativeVariable) {
            guard path.hasPrefix("/"), isClean(path) else {
                throw .broken(place: "the environment", reason: "\(Self.relativeVariable) does not begin with a /")
            }
            return ContainerEndpoint(url: "http://169.254.170.2\(path)")
        }
        guard let url = environment.setting(Self.fullVariable) else { return nil }
        guard isClean(url), isAllowed(url) else {
            throw .broken(
                place: "the environment",
                reason: "\(Self.fullVariable) is not an https:// URL, nor an http:// URL of this host, of ECS "
                    + "(169.254.170.2) or of EKS (169.254.170.23, [fd00:ec2::23])"
            )
        }
        return ContainerEndpoint(url: url)
    }

    private static let relativeVariable = "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"
    private static let fullVariable = "AWS_CONTAINER_CREDENTIALS_FULL_URI"

    /// Both variables, for a message.
    static let place = "\(relativeVariable) or \(fullVariable) in the environment"

    private static func isClean(_ text: String) -> Bool { text.utf8.allSatisfy { (0x21...0x7E).contains($0) } }

    private static func isAllowed(_ url: String) -> Bool {
        guard let separator = url.firstRange(of: "://") else { return false }
        let authority = url[separator.upperBound...].prefix { !"/?#".contains($0) }
        guard !authority.contains("@"),
            let address = try? EndpointAddress("http://\(authority)", setting: ""), case .host(_, let host) = address
        else { return false }
        switch url[..<separator.lowerBound].lowercased() {
        case "https": return true
        case "http":
            if Endpoint(scheme: .http, host: host, region: "").isLoopback { return true }
            let name = host.hasPrefix("[") ? host.prefix { $0 != "]" } + "]" : host.prefix { $0 != ":" }
            return ["169.254.170.2", "169.254.170.23", "[fd00:ec2::23]"].contains(String(name))
        default: return false
        }
    }
}
