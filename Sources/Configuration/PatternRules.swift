/// What whoever looks for files, or reads them, understands by a pattern or a name.
package struct PatternRules: Sendable {
    /// Why a text is no pattern of `filePattern`, without the text; nil if it is one.
    package var problemOfInclude: @Sendable (String) -> String?

    /// The same for `excludePattern`.
    package var problemOfExclude: @Sendable (String) -> String?

    /// The same for `multiLineStartPattern`, which is a regular expression.
    package var problemOfLineStart: @Sendable (String) -> String?

    /// Why a text names no encoding, without the text; nil if it names one.
    package var problemOfEncoding: @Sendable (String) -> String?

    package init(
        problemOfInclude: @escaping @Sendable (String) -> String? = { _ in nil },
        problemOfExclude: @escaping @Sendable (String) -> String? = { _ in nil },
        problemOfLineStart: @escaping @Sendable (String) -> String? = { _ in nil },
        problemOfEncoding: @escaping @Sendable (String) -> String? = { _ in nil }
    ) {
        self.problemOfInclude = problemOfInclude
        self.problemOfExclude = problemOfExclude
        self.problemOfLineStart = problemOfLineStart
        self.problemOfEncoding = problemOfEncoding
    }
}
