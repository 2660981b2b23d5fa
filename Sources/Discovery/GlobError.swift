/// Why a text is no pattern for file paths.
package struct GlobError: Error, Equatable, CustomStringConvertible {
    package enum Problem: Equatable, Sendable {
        case relative
        case namesNoFile
        case unclosedBracket
        case unclosedBrace
        case nothingEscaped
        case reversedRange
        case characterClass
        case parentOfWildcard
        case nul
        case tooManyAlternatives
        case nestedTooDeep
    }

    package let pattern: String

    /// Which character of the pattern it is about, from 1.
    package let position: Int

    package let problem: Problem

    package init(pattern: String, position: Int, problem: Problem) {
        self.pattern = pattern
        self.position = position
        self.problem = problem
    }

    package var description: String {
        "pattern \"\(pattern)\", \(reason)"
    }

    /// The description without the pattern.
    package var reason: String { "character \(position): \(explanation)" }

    private var explanation: String {
        switch problem {
        case .relative: "a path must begin with \"/\"; write it in full, such as /var/log/app/*.log"
        case .namesNoFile: "the path ends before it names a file; add a name, such as *.log"
        case .unclosedBracket: "\"[\" has no \"]\" in the same name; add it, or write \\[ for the character itself"
        case .unclosedBrace: "\"{\" has no \"}\"; add it, or write \\{ for the character itself"
        case .nothingEscaped: "\"\\\" has nothing after it; write \\\\ for the character itself"
        case .reversedRange: "the range ends before it begins; swap its ends"
        case .characterClass: "classes such as [:digit:] are not known here; write a range, such as [0-9]"
        case .parentOfWildcard: "\"..\" cannot follow a wildcard; write the path without it"
        case .nul: "no path holds a NUL character; remove it"
        case .tooManyAlternatives:
            "its braces stand for more than \(GlobParser.maximumAlternatives) paths; use * or several patterns"
        case .nestedTooDeep: "braces may be nested \(GlobParser.maximumDepth) deep; use several patterns"
        }
    }
}
