import Discovery
import Platform
import Testing

/// The matcher against one that is slow and obvious.
@Suite struct GlobReferenceTests {
    @Test(arguments: 0..<20) func `agrees with a naive matcher`(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        var matched = 0
        for _ in 0..<200 {
            let pattern = Self.pattern(&random)
            let glob = try Glob(pattern)
            let alternatives = Reference.expand(pattern)
            for _ in 0..<20 {
                let path = Self.path(&random)
                let expected = alternatives.contains { Reference.matches(path, $0) }
                #expect(glob.matches(Path(path)) == expected, "\(pattern) \(path)")
                matched += expected ? 1 : 0
                for directory in path.indices.dropFirst().filter({ path[$0] == "/" }) where expected {
                    #expect(glob.mayMatch(in: Path(String(path[..<directory]))), "\(pattern) \(path)")
                }
            }
        }
        #expect(matched > 20, "the cases must not all be trivial")
    }

    private static let pieces = ["a", "b", ".", "*", "?", "[ab]", "[!a]", "[a.]", "*", "a"]

    private static func pattern(_ random: inout SplitMix) -> String {
        (0..<Int.random(in: 1...4, using: &random)).map { _ in
            Int.random(in: 0..<4, using: &random) == 0 ? "/**" : "/" + name(&random)
        }.joined()
    }

    private static func name(_ random: inout SplitMix, depth: Int = 0) -> String {
        // A first letter keeps "." and ".." out, which are no names.
        let first = ["a", "*", ".a", ".*b", "?"].randomElement(using: &random) ?? ""
        return (0..<Int.random(in: 0...3, using: &random)).reduce(into: first) { name, _ in
            guard depth < 2, Int.random(in: 0..<8, using: &random) == 0 else {
                name += pieces.randomElement(using: &random) ?? ""
                return
            }
            let separator = Int.random(in: 0..<4, using: &random) == 0 ? "/" : ""
            name += "{" + Self.name(&random, depth: depth + 1) + "," + separator
            name += Self.name(&random, depth: depth + 1) + "}"
        }
    }

    private static func path(_ random: inout SplitMix) -> String {
        (0..<Int.random(in: 1...5, using: &random)).map { _ in
            let first = ["a", "b", ".a"].randomElement(using: &random) ?? ""
            return (0..<Int.random(in: 0...2, using: &random)).reduce(into: "/" + first) { name, _ in
                name += ["a", "b", "."].randomElement(using: &random) ?? ""
            }
        }.joined()
    }
}

/// A matcher that tries everything.
private enum Reference {
    static func expand(_ pattern: String) -> [String] {
        guard let open = pattern.firstIndex(of: "{") else { return [pattern] }
        var depth = 0
        var choices = [""]
        var rest = pattern[pattern.index(after: open)...]
        while let character = rest.popFirst() {
            if character == "}" && depth == 0 { break }
            if character == "," && depth == 0 {
                choices.append("")
                continue
            }
            if character == "{" { depth += 1 }
            if character == "}" { depth -= 1 }
            choices[choices.count - 1].append(character)
        }
        return choices.flatMap { expand(pattern[..<open] + $0 + rest) }
    }

    static func matches(_ path: String, _ pattern: String) -> Bool {
        var names = pattern.split(separator: "/")
        if names.last == "**" { names.append("*") }
        return matches(path.split(separator: "/")[...], names[...])
    }

    private static func matches(_ names: ArraySlice<Substring>, _ patterns: ArraySlice<Substring>) -> Bool {
        guard let pattern = patterns.first else { return names.isEmpty }
        if pattern == "**", matches(names, patterns.dropFirst()) { return true }
        guard let name = names.first else { return false }
        if name.hasPrefix("."), !pattern.hasPrefix(".") { return false }
        if pattern == "**" { return matches(names.dropFirst(), patterns) }
        return matchesName(name, pattern) && matches(names.dropFirst(), patterns.dropFirst())
    }

    private static func matchesName(_ name: Substring, _ pattern: Substring) -> Bool {
        guard let token = pattern.first else { return name.isEmpty }
        let rest = pattern.dropFirst()
        if token == "*" {
            return matchesName(name, rest) || !name.isEmpty && matchesName(name.dropFirst(), pattern)
        }
        guard let character = name.first else { return false }
        guard token == "[" else {
            return (token == "?" || token == character) && matchesName(name.dropFirst(), rest)
        }
        let set = rest.prefix { $0 != "]" }
        let isIn = set.first == "!" ? !set.dropFirst().contains(character) : set.contains(character)
        return isIn && matchesName(name.dropFirst(), rest.dropFirst(set.count + 1))
    }
}

/// Random numbers that are the same in every run.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
