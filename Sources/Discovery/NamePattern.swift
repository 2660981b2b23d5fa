/// A pattern for one name of a path, without slashes and braces.
struct NamePattern: Equatable, Sendable {
    enum Token: Equatable, Sendable {
        case character(Unicode.Scalar)
        /// `?`: one character, whatever it is.
        case any
        /// `*`: any number of characters, also none.
        case run
        /// `[a-z]`, or `[!a-z]`, which is everything else.
        case oneOf([ClosedRange<UInt32>], negated: Bool)
    }

    private let tokens: [Token]

    /// The only name that matches, if there is only one.
    let literal: [UInt8]?

    /// Whether names that begin with a dot can match.
    private let beginsWithDot: Bool

    init(_ tokens: [Token]) {
        self.tokens = tokens
        beginsWithDot = tokens.first == .character(".")
        var text = String.UnicodeScalarView()
        for case .character(let character) in tokens { text.append(character) }
        literal = text.count == tokens.count ? Array(String(text).utf8) : nil
    }

    /// Every name that does not begin with a dot.
    static let anything = NamePattern([.run])

    /// Whether a whole name matches.
    ///
    /// Only the last `*` is ever tried again: what an earlier one could take, the last one can take as well. So the
    /// time is at most the product of both lengths.
    func matches(_ name: Span<UInt8>) -> Bool {
        if isHidden(name) && !beginsWithDot { return false }
        var token = 0
        var index = 0
        var retry: (token: Int, index: Int)?
        while index < name.count {
            if token < tokens.count, tokens[token] == .run {
                token += 1
                retry = (token, index)
                continue
            }
            let character = NameCharacter(in: name, at: index)
            if token < tokens.count, tokens[token].matches(character) {
                token += 1
                index += character.length
            } else if let last = retry {
                token = last.token
                index = last.index + NameCharacter(in: name, at: last.index).length
                retry = (token, index)
            } else {
                return false
            }
        }
        return tokens[token...].allSatisfy { $0 == .run }
    }
}

extension NamePattern.Token {
    fileprivate func matches(_ character: NameCharacter) -> Bool {
        switch self {
        case .character(let expected): character.value == expected.value
        case .any, .run: true
        case .oneOf(let ranges, let negated): ranges.contains { $0.contains(character.value) } != negated
        }
    }
}

/// Whether a name begins with a dot, so that only a pattern with the dot matches it.
func isHidden(_ name: Span<UInt8>) -> Bool { !name.isEmpty && name[0] == UInt8(ascii: ".") }
