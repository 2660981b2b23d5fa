/// What whoever looks for files, or for the beginnings of events, understands by a pattern.
package struct PatternRules: Sendable {
    /// Why a text is no pattern of `filePattern`, without the text; nil if it is one.
    package var problemOfInclude: @Sendable (String) -> String?

    /// The same for `excludePattern`.
    package var problemOfExclude: @Sendable (String) -> String?

    /// The same for `multiLineStartPattern`, which is a regular expression.
    package var problemOfLineStart: @Sendable (String) -> String?

    package init(
        problemOfInclude: @escaping @Sendable (String) -> String? = { _ in nil },
        problemOfExclude: @escaping @Sendable (String) -> String? = { _ in nil },
        problemOfLineStart: @escaping @Sendable (String) -> String? = { _ in nil }
    ) {
        self.problemOfInclude = problemOfInclude
        self.problemOfExclude = problemOfExclude
        self.problemOfLineStart = problemOfLineStart
    }
}
