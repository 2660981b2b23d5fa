package import Platform

/// Where the files shared with other AWS tools are, and which profile of them counts.
package struct SharedFiles: Sendable, Equatable {
    /// `AWS_CONFIG_FILE`, else `~/.aws/config`; nil without a home directory.
    package var configuration: String?

    /// `AWS_SHARED_CREDENTIALS_FILE`, else `~/.aws/credentials`; nil without a home directory.
    package var credentials: String?

    /// `AWS_PROFILE`, else `default`.
    package var profileName: String

    /// Whether `AWS_PROFILE` names the profile, so that it has to be there.
    package var isProfileChosen: Bool

    package init(environment: [String: String]) {
        let home = environment.setting("HOME")
        configuration = Self.path("AWS_CONFIG_FILE", standard: "~/.aws/config", environment, home: home)
        credentials = Self.path("AWS_SHARED_CREDENTIALS_FILE", standard: "~/.aws/credentials", environment, home: home)
        profileName = environment.setting("AWS_PROFILE") ?? "default"
        isProfileChosen = environment.setting("AWS_PROFILE") != nil
    }

    /// What a variable says, else the standard path, with `~/` resolved.
    private static func path(
        _ variable: String,
        standard: String,
        _ environment: [String: String],
        home: String?
    ) -> String? {
        let path = environment.setting(variable) ?? standard
        guard path.hasPrefix("~/") else { return path }
        return home.map { "\($0)\(path.dropFirst())" }
    }

    /// Names the profile and the files, for a message.
    package var place: String {
        let paths = [credentials, configuration].compactMap(\.self)
        let files = paths.isEmpty ? "~/.aws/credentials (HOME is not set)" : paths.joined(separator: " and ")
        return "profile '\(profileName)' in \(files)"
    }

    /// The properties of the profile, read from both files now; nil if neither has it.
    ///
    /// A file that is missing counts as empty.
    package func profile() throws(SharedFileError) -> [String: String]? {
        try sections().profile(profileName)
    }

    /// All sections of both files, read now.
    ///
    /// A file that is missing counts as empty.
    package func sections() throws(SharedFileError) -> ProfileSections {
        var sections = try Self.sections(of: configuration, as: .configuration)
        sections.merge(try Self.sections(of: credentials, as: .credentials))
        return sections
    }

    private static func sections(
        of path: String?,
        as kind: ProfileParser.Kind
    ) throws(SharedFileError) -> ProfileSections {
        guard let path else { return ProfileSections() }
        let bytes: [UInt8]
        do {
            bytes = try readFile(path: path, limit: 1_048_576)
        } catch .missing {
            return ProfileSections()
        } catch {
            throw .unreadable(error)
        }
        do {
            return try ProfileParser.parse(bytes, as: kind)
        } catch {
            throw .malformed(path: path, error)
        }
    }
}

/// Why a shared file tells us nothing.
package enum SharedFileError: Error, Equatable, CustomStringConvertible {
    case unreadable(FileContentsError)
    case malformed(path: String, ProfileSyntaxError)

    package var description: String {
        switch self {
        case .unreadable(.unreadable(let path, let reason)):
            "\(path): cannot be read: \(reason); make it readable for the user that this program runs as"
        case .unreadable(let error):
            "\(error); let AWS_CONFIG_FILE and AWS_SHARED_CREDENTIALS_FILE name the right files"
        case .malformed(let path, let error):
            "\(path), \(error)"
        }
    }
}
