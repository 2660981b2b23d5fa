/// Why a text is no regular expression.
package struct RegexError: Error, Equatable, Sendable {
    /// The whole text.
    package let pattern: String

    /// Where in it the trouble is, in bytes of UTF-8 from its beginning.
    package let offset: Int

    /// What is wrong there, without the pattern.
    package let problem: String
}

extension RegexError: CustomStringConvertible {
    package var description: String { "the regular expression '\(pattern)' is wrong: \(reason)" }

    /// What is wrong, and where, without the pattern.
    package var reason: String { "at offset \(offset): \(problem)" }
}
