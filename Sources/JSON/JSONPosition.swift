/// A place in a text.
package struct JSONPosition: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Counted from 1.
    package let line: Int

    /// Unicode scalars from the start of the line, counted from 1; a byte order mark is none.
    package let column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    package var description: String { "line \(line), column \(column)" }

    package static func < (left: JSONPosition, right: JSONPosition) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}
