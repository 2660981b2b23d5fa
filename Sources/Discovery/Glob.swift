package import Platform

/// A pattern for absolute paths.
///
/// - `*` stands for any number of characters of one name, `?` for one.
/// - `[a-z_]` is one of these characters; `[!a-z]` or `[^a-z]` one that is not.
/// - `{a,b}` is one of the alternatives, which may hold slashes and braces.
/// - `**` as a whole name stands for any number of directories, also none.
/// - `\` takes away the meaning of the character after it.
///
/// A name that begins with a dot matches only a pattern that begins with the dot, and `**` does not cross it. Upper
/// and lower case differ. A character is a Unicode scalar as it is written, composed or not, or a byte that is not
/// UTF-8; so any name can match.
package struct Glob: Sendable, CustomStringConvertible {
    package let pattern: String

    let alternatives: [GlobAlternative]

    private let matcher: PathMatcher

    package init(_ pattern: String) throws(GlobError) {
        let alternatives = try GlobParser.parse(pattern)
        guard alternatives.allSatisfy(\.isAbsolute) else {
            throw GlobError(pattern: pattern, position: 1, problem: .relative)
        }
        self.pattern = pattern
        self.alternatives = alternatives
        matcher = PathMatcher(alternatives)
    }

    package var description: String { pattern }

    /// Whether an absolute path matches as a whole.
    package func matches(_ path: Path) -> Bool {
        matcher.matches(states(at: path))
    }

    /// Whether something in a directory, at any depth, may match.
    package func mayMatch(in directory: Path) -> Bool {
        matcher.continues(states(at: directory))
    }

    /// The directories that everything before the first wildcard names, one for each different way to read the braces.
    package var literalPrefixes: [Path] {
        Set(alternatives.map { $0.literalPrefix.reduce(.root) { $0.appending($1) } }).sorted()
    }

    private func states(at path: Path) -> PathMatcher.States {
        path.components.reduce(matcher.start) { states, name in matcher.advance(states, by: name.span) }
    }
}
