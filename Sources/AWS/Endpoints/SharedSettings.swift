/// Settings that all programs which use AWS share: variables, and without them properties of the profile.
package struct SharedSettings: Sendable {
    /// A value and the name of the setting that has it.
    package struct Setting: Sendable, Equatable {
        package var name: String
        package var value: String
    }

    let environment: [String: String]
    private let files: SharedFiles
    private let sections: ProfileSections
    private let profile: [String: String]

    /// Reads the shared files now.
    package init(environment: [String: String]) throws(SharedFileError) {
        self.environment = environment
        files = SharedFiles(environment: environment)
        sections = try files.sections()
        profile = sections.profile(files.profileName) ?? [:]
    }

    /// The PEM file of the authorities to trust, which `AWS_CA_BUNDLE` or `ca_bundle` of the profile names; nil for those of
    /// the system.
    ///
    /// Shared files that cannot be read name none here: whoever needs them says what is wrong.
    package static func caFile(_ environment: [String: String]) -> String? {
        environment.setting("AWS_CA_BUNDLE")
            ?? (try? SharedSettings(environment: environment))?.property("ca_bundle")?.value
    }

    /// The value of a variable, or of a property of the profile.
    package func value(_ variable: String, or property: String) -> Setting? {
        self.variable(variable) ?? self.property(property)
    }

    func variable(_ name: String) -> Setting? {
        environment.setting(name).map { Setting(name: name, value: $0) }
    }

    func property(_ name: String) -> Setting? {
        profile.setting(name).map { Setting(name: "\(name) of \(files.place)", value: $0) }
    }

    /// A property that the profile's `services` section has for one service.
    func property(_ name: String, of service: AWSService) -> Setting? {
        guard let section = profile.setting("services") else { return nil }
        return sections.properties(ofService: service.name, in: section).setting(name).map { value in
            Setting(name: "\(name) of \(service.name) in [services \(section)] of \(files.place)", value: value)
        }
    }
}

extension SharedSettings.Setting {
    /// The value as a truth.
    var flag: Bool {
        get throws(EndpointError) {
            switch value.lowercased() {
            case "true": return true
            case "false": return false
            default: throw .invalid(setting: name, value: value, expected: "true or false")
            }
        }
    }
}
