/// Why a text is not JSON, and where that shows.
///
/// No message repeats a value of the text, which may be a secret.
package struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The place to mend: where a string or comment that never ends began, else where reading stopped.
    package let position: JSONPosition

    /// What is wrong, what was expected, and what to write instead; without the position.
    package let message: String

    package init(_ message: String, at position: JSONPosition) {
        self.position = position
        self.message = message
    }

    package var description: String { "\(position): \(message)" }
}
