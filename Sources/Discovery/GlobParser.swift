/// Reads a pattern and writes out its braces.
struct GlobParser {
    /// How many paths the braces of one pattern may stand for.
    static let maximumAlternatives = 256

    /// How many braces may lie within each other.
    static let maximumDepth = 16

    private indirect enum Node {
        case slash
        case token(NamePattern.Token)
        /// `{a,b}`: one of these.
        case choice([[Node]])
    }

    private let pattern: String
    private let characters: [Unicode.Scalar]
    private var index = 0

    /// Reads a whole pattern.
    ///
    /// - Returns: what it stands for once the braces are written out; at least one.
    static func parse(_ pattern: String) throws(GlobError) -> [GlobAlternative] {
        var parser = GlobParser(pattern: pattern)
        let nodes = try parser.sequence(depth: 0)
        guard parser.count(nodes) <= maximumAlternatives else { throw parser.failure(.tooManyAlternatives, at: 0) }
        var alternatives: [GlobAlternative] = []
        for elements in parser.expand(nodes[...]) {
            switch GlobAlternative.make(of: elements) {
            case .success(let alternative): alternatives.append(alternative)
            case .failure(let problem): throw parser.failure(problem, at: parser.characters.count - 1)
            }
        }
        return alternatives
    }

    private init(pattern: String) {
        self.pattern = pattern
        characters = Array(pattern.unicodeScalars)
    }

    private func failure(_ problem: GlobError.Problem, at index: Int) -> GlobError {
        GlobError(pattern: pattern, position: max(index, 0) + 1, problem: problem)
    }

    // MARK: Reading

    private mutating func next() -> Unicode.Scalar? {
        guard index < characters.count else { return nil }
        index += 1
        return characters[index - 1]
    }

    /// Reads up to the end, or within braces up to the comma or brace that ends an alternative.
    private mutating func sequence(depth: Int) throws(GlobError) -> [Node] {
        var nodes: [Node] = []
        while index < characters.count {
            if depth > 0, characters[index] == "," || characters[index] == "}" { break }
            nodes.append(try node(depth: depth))
        }
        return nodes
    }

    private mutating func node(depth: Int) throws(GlobError) -> Node {
        let start = index
        guard let character = next() else { preconditionFailure("a node is read where there is one") }
        switch character {
        case "/": return .slash
        case "*": return .token(.run)
        case "?": return .token(.any)
        case "[": return .token(try bracket(from: start))
        case "{": return .choice(try brace(from: start, depth: depth + 1))
        case "\\": return .token(.character(try escaped(from: start)))
        case "\0": throw failure(.nul, at: start)
        default: return .token(.character(character))
        }
    }

    private mutating func escaped(from start: Int) throws(GlobError) -> Unicode.Scalar {
        guard let character = next(), character != "/" else { throw failure(.nothingEscaped, at: start) }
        guard character != "\0" else { throw failure(.nul, at: index - 1) }
        return character
    }

    private mutating func brace(from start: Int, depth: Int) throws(GlobError) -> [[Node]] {
        guard depth <= Self.maximumDepth else { throw failure(.nestedTooDeep, at: start) }
        var choices: [[Node]] = []
        while true {
            choices.append(try sequence(depth: depth))
            switch next() {
            case ",": continue
            case "}": return choices
            default: throw failure(.unclosedBrace, at: start)
            }
        }
    }

    private mutating func bracket(from start: Int) throws(GlobError) -> NamePattern.Token {
        let negated = index < characters.count && (characters[index] == "!" || characters[index] == "^")
        if negated { index += 1 }
        var ranges: [ClosedRange<UInt32>] = []
        // A `]` that comes first is one of the characters.
        while ranges.isEmpty || index >= characters.count || characters[index] != "]" {
            let position = index
            if characters[index...].starts(with: "[:".unicodeScalars) { throw failure(.characterClass, at: position) }
            let first = try bracketed(from: start)
            // A `-` before the `]` is one of the characters.
            let isRange = index + 1 < characters.count && characters[index] == "-" && characters[index + 1] != "]"
            if isRange { index += 1 }
            let last = isRange ? try bracketed(from: start) : first
            guard first <= last else { throw failure(.reversedRange, at: position) }
            ranges.append(first.value...last.value)
        }
        index += 1
        return .oneOf(ranges, negated: negated)
    }

    private mutating func bracketed(from start: Int) throws(GlobError) -> Unicode.Scalar {
        let position = index
        switch next() {
        case nil, "/": throw failure(.unclosedBracket, at: start)
        case "\\": return try escaped(from: position)
        case "\0": throw failure(.nul, at: position)
        case .some(let character): return character
        }
    }

    // MARK: Writing out

    /// How many alternatives `nodes` stand for; just above the limit where there are more.
    private func count(_ nodes: [Node]) -> Int {
        var product = 1
        for case .choice(let choices) in nodes {
            var sum = 0
            for choice in choices { sum = min(sum + count(choice), Self.maximumAlternatives + 1) }
            product = min(product * sum, Self.maximumAlternatives + 1)
        }
        return product
    }

    private func expand(_ nodes: ArraySlice<Node>) -> [[GlobAlternative.Element]] {
        nodes.reduce(into: [[]]) { alternatives, node in
            switch node {
            case .slash: for index in alternatives.indices { alternatives[index].append(.slash) }
            case .token(let token): for index in alternatives.indices { alternatives[index].append(.token(token)) }
            case .choice(let choices):
                let endings = choices.flatMap { expand($0[...]) }
                alternatives = alternatives.flatMap { start in endings.map { start + $0 } }
            }
        }
    }
}
