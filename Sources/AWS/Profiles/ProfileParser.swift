/// Reads the grammar of the shared files `~/.aws/config` and `~/.aws/credentials`.
///
/// It goes line by line: a line is blank, a comment, a section, a property, or it is indented and continues the
/// property above. Bytes that are not UTF-8 become U+FFFD.
package struct ProfileParser {
    /// Which of the two files it is: they name their sections differently.
    package enum Kind: Sendable {
        case configuration, credentials
    }

    /// The section that lines belong to; `skipped` is one whose name says nothing to us.
    private enum Section {
        case none
        case skipped
        case open(ProfileSections.Header)
    }

    /// The property that indented lines continue.
    private enum Parent {
        case none
        /// `name` is nil for one that is skipped; with an empty value it has sub-properties.
        case property(name: String?, hasSubProperties: Bool)
    }

    private let kind: Kind
    private var line = 0
    private var section = Section.none
    private var parent = Parent.none
    private var sections = ProfileSections()

    /// Whether `[profile default]` was seen, beside which `[default]` does not count.
    private var hasPrefixedDefault = false

    private init(kind: Kind) {
        self.kind = kind
    }

    /// The sections of one file.
    package static func parse(_ bytes: [UInt8], as kind: Kind) throws(ProfileSyntaxError) -> ProfileSections {
        var parser = ProfileParser(kind: kind)
        // Editors of Windows begin a file with the mark of UTF-8.
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        for line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            parser.line += 1
            try parser.read(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
        }
        return parser.sections
    }

    private mutating func read(_ line: ArraySlice<UInt8>) throws(ProfileSyntaxError) {
        let text = line.trimmingBlanks
        guard let first = text.first, !first.isCommentMark else { return }
        if line.first?.isBlank == true {
            try readContinuation(text)
        } else if first == UInt8(ascii: "[") {
            try readSection(text)
        } else {
            try readProperty(text)
        }
    }

    // MARK: Sections

    private mutating func readSection(_ line: ArraySlice<UInt8>) throws(ProfileSyntaxError) {
        let text = line.prefix { !$0.isCommentMark }.trimmingBlanks
        guard text.last == UInt8(ascii: "]") else { throw error(.sectionNotClosed) }
        parent = .none
        section = .skipped
        if let header = header(named: text.dropFirst().dropLast().trimmingBlanks) {
            section = .open(header)
            sections.open(header)
        }
    }

    /// What a section's name stands for in this kind of file; nil if nothing.
    private mutating func header(named name: ArraySlice<UInt8>) -> ProfileSections.Header? {
        let keyword = name.prefix { !$0.isBlank }
        let rest = name[keyword.endIndex...].trimmingBlanks
        switch kind {
        case .credentials:
            return name.isIdentifier ? .profile(name.text) : nil
        case .configuration where rest.isEmpty:
            return name.text == "default" && !hasPrefixedDefault ? .profile("default") : nil
        case .configuration:
            guard rest.isIdentifier else { return nil }
            switch keyword.text {
            case "profile": return prefixedProfile(rest.text)
            case "sso-session": return .ssoSession(rest.text)
            case "services": return .services(rest.text)
            default: return nil
            }
        }
    }

    /// `[profile default]` replaces what `[default]` said before it.
    private mutating func prefixedProfile(_ name: String) -> ProfileSections.Header {
        if name == "default", !hasPrefixedDefault {
            hasPrefixedDefault = true
            sections.remove(.profile(name))
        }
        return .profile(name)
    }

    // MARK: Properties

    private mutating func readProperty(_ line: ArraySlice<UInt8>) throws(ProfileSyntaxError) {
        if case .none = section { throw error(.propertyOutsideSection) }
        let text = line.withoutTrailingComment.trimmingBlanks
        guard let (name, value) = text.splitAtEquals else { throw error(.propertyWithoutEquals) }
        guard !name.isEmpty else { throw error(.propertyWithoutName) }
        if case .open(let header) = section, name.isIdentifier {
            let name = name.text.lowercased()
            sections.set(name, to: value.text, in: header)
            parent = .property(name: name, hasSubProperties: value.isEmpty)
        } else {
            parent = .property(name: nil, hasSubProperties: value.isEmpty)
        }
    }

    private mutating func readContinuation(_ text: ArraySlice<UInt8>) throws(ProfileSyntaxError) {
        if case .none = section { throw error(.propertyOutsideSection) }
        guard case .property(let name, let hasSubProperties) = parent else {
            throw error(.continuationOutsideProperty)
        }
        if hasSubProperties { try checkSubProperty(text) }
        if case .open(let header) = section, let name { sections.append(line: text.text, to: name, in: header) }
    }

    private func checkSubProperty(_ text: ArraySlice<UInt8>) throws(ProfileSyntaxError) {
        guard let (name, _) = text.splitAtEquals else { throw error(.subPropertyWithoutEquals) }
        guard !name.isEmpty else { throw error(.subPropertyWithoutName) }
    }

    private func error(_ problem: ProfileSyntaxError.Problem) -> ProfileSyntaxError {
        ProfileSyntaxError(line: line, problem: problem)
    }
}
