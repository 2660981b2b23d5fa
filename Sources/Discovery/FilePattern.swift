package import Platform

/// Which files a flow reads: what matches an include, unless an exclude or its suffix forbids it.
package struct FilePattern: Sendable {
    /// Where a walk stands: how far the patterns agree with the path of the directory that it is in.
    struct Position: Sendable {
        var includes: PathMatcher.States
        fileprivate var excludes: PathMatcher.States
    }

    /// What compressed files are called, in any case; they are never read.
    package static let compressedSuffixes = [".gz", ".bz2", ".zip", ".xz", ".zst"]

    package let includes: [Glob]

    private let included: PathMatcher
    private let excluded: PathMatcher
    /// For excludes without a slash: they apply to each name of a path by itself.
    private let excludedNames: PathMatcher

    /// Compiles the patterns of a flow.
    ///
    /// An exclude is an absolute pattern, or begins with `**/` and then means any depth, or has no slash and then
    /// applies to every name. One that matches a directory excludes all that is in it.
    package init(includes: [String], excludes: [String] = []) throws(GlobError) {
        var globs: [Glob] = []
        for pattern in includes { globs.append(try Glob(pattern)) }
        var paths: [GlobAlternative] = []
        var names: [GlobAlternative] = []
        for pattern in excludes {
            for alternative in try GlobParser.parse(pattern) {
                if alternative.isAbsolute || alternative.components.first == .anyDirectories {
                    paths.append(alternative)
                } else if alternative.isBareName {
                    names.append(alternative)
                } else {
                    throw GlobError(pattern: pattern, position: 1, problem: .relative)
                }
            }
        }
        self.includes = globs
        included = PathMatcher(globs.flatMap(\.alternatives))
        excluded = PathMatcher(paths)
        excludedNames = PathMatcher(names)
    }

    /// Whether a file of this absolute path is to be read.
    package func matches(_ path: Path) -> Bool {
        let names = path.components
        guard let name = names.last, let position = position(at: names.dropLast()) else { return false }
        return accepts(name.span, at: position)
    }

    // MARK: Following a walk

    var start: Position { Position(includes: included.start, excludes: excluded.start) }

    /// Where a walk stands in the directory that these names lead to; nil if nothing in it can match.
    func position(at names: some Sequence<ArraySlice<UInt8>>) -> Position? {
        var position = start
        for name in names {
            guard let next = enter(name.span, at: position) else { return nil }
            position = next
        }
        return position
    }

    /// Where a walk stands in a subdirectory; nil if nothing in it can match.
    func enter(_ name: Span<UInt8>, at position: Position) -> Position? {
        let includes = included.advance(position.includes, by: name)
        guard included.continues(includes), !excludes(name, at: position) else { return nil }
        return Position(includes: includes, excludes: excluded.advance(position.excludes, by: name))
    }

    /// Whether a file of this name is to be read.
    func accepts(_ name: Span<UInt8>, at position: Position) -> Bool {
        included.matches(position.includes, then: name) && !excludes(name, at: position) && !isCompressed(name)
    }

    /// Whether files may match in the very directory.
    func mayAccept(at position: Position) -> Bool { included.mayEnd(position.includes) }

    /// The only names that can matter in a directory, if there are only so many.
    func literalNames(at position: Position) -> [[UInt8]]? { included.literals(position.includes) }

    private func excludes(_ name: Span<UInt8>, at position: Position) -> Bool {
        excluded.matches(position.excludes, then: name) || excludedNames.matches(excludedNames.start, then: name)
    }

    private func isCompressed(_ name: Span<UInt8>) -> Bool {
        Self.compressedSuffixes.contains { suffix in
            let bytes = suffix.utf8
            guard name.count >= bytes.count else { return false }
            return zip(bytes, name.count - bytes.count..<name.count).allSatisfy { byte, index in
                let other = name[index]
                return other == byte || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(other) && other | 0x20 == byte
            }
        }
    }
}
