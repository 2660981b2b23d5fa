/// One path that a pattern stands for once its braces are written out.
struct GlobAlternative: Equatable, Sendable {
    enum Element: Equatable {
        case slash
        case token(NamePattern.Token)
    }

    /// What a path is made of, in order.
    enum Component: Equatable, Sendable {
        /// `**`: any number of directories whose names do not begin with a dot, also none.
        case anyDirectories
        case name(NamePattern)
    }

    /// Whether it begins at the root of the file system.
    let isAbsolute: Bool

    /// Whether it has no slash at all.
    let isBareName: Bool

    /// At least one; the last is a name, and no two `anyDirectories` follow each other.
    let components: [Component]

    /// Splits a pattern without braces at its slashes.
    static func make(of elements: [Element]) -> Result<GlobAlternative, Problem> {
        var components: [Component] = []
        let parts = elements.split(separator: .slash)
        for part in parts {
            let component = Component(part)
            switch component {
            case .anyDirectories where components.last == .anyDirectories: continue
            case .current: continue
            case .parent where !components.allSatisfy(\.isLiteral): return .failure(.parentOfWildcard)
            default: components.append(component)
            }
        }
        guard let last = parts.last.map(Component.init), last != .current, last != .parent, elements.last != .slash
        else { return .failure(.namesNoFile) }
        if components.last == .anyDirectories { components.append(.name(.anything)) }
        return .success(
            GlobAlternative(
                isAbsolute: elements.first == .slash,
                isBareName: !elements.contains(.slash),
                components: components
            )
        )
    }

    /// The directory that everything before the first wildcard names.
    var literalPrefix: [[UInt8]] {
        var names: [[UInt8]] = []
        for case .name(let name) in components.dropLast().prefix(while: \.isLiteral) {
            if let literal = name.literal { names.append(literal) }
        }
        return names
    }
}

extension GlobAlternative {
    typealias Problem = GlobError.Problem
}

extension GlobAlternative.Component {
    fileprivate static let current = Self([.token(.character("."))])
    fileprivate static let parent = Self([.token(.character(".")), .token(.character("."))])

    fileprivate init(_ elements: ArraySlice<GlobAlternative.Element>) {
        var tokens: [NamePattern.Token] = []
        for case .token(let token) in elements { tokens.append(token) }
        self = tokens == [.run, .run] ? .anyDirectories : .name(NamePattern(tokens))
    }

    fileprivate var isLiteral: Bool {
        switch self {
        case .anyDirectories: false
        case .name(let name): name.literal != nil
        }
    }
}

extension GlobError.Problem: Error {}
