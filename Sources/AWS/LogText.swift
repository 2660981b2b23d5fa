/// Text from outside, made fit for a line of a log.
package enum LogText {
    /// The first `limit` characters, with `?` for those that do not print.
    package static func printable(_ text: String, limit: Int = 200) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit).map { isPrintable($0) ? $0 : "?" }))
    }

    /// The same without these secrets, should the other side have repeated one.
    package static func printable(_ text: String, hiding secrets: [String], limit: Int = 200) -> String {
        printable(self.text(text, hiding: secrets), limit: limit)
    }

    /// The whole text as it is, but for these secrets.
    package static func text(_ text: String, hiding secrets: [String]) -> String {
        var shown = text
        for secret in secrets where !secret.isEmpty {
            shown = shown.split(separator: secret, omittingEmptySubsequences: false).joined(separator: "(secret)")
        }
        return shown
    }

    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
