/// What a JSON text may hold besides JSON.
package struct JSONOptions: Sendable {
    /// Whether `// …` and `/* … */` count as white space.
    package var allowsComments: Bool

    /// How deeply arrays and objects may be nested; the parser recurses as deep.
    package var depthLimit: Int

    package init(allowsComments: Bool = true, depthLimit: Int = 100) {
        self.allowsComments = allowsComments
        self.depthLimit = depthLimit
    }
}

/// A JSON text as a tree.
///
/// The text is UTF-8; a byte order mark is skipped. Beyond what `JSONOptions` allows, it must be what RFC 8259 says.
package struct JSONDocument: Sendable {
    package let root: JSONValue

    /// What is wrong with the text behind the root value; nil if there are only blanks and comments.
    package let trailing: JSONError?

    /// Parses a whole text.
    package init(parsing bytes: [UInt8], options: JSONOptions = JSONOptions()) throws(JSONError) {
        var parser = JSONParser(bytes, options: options)
        try parser.checkEncoding()
        root = try parser.value()
        trailing = parser.trailingError()
    }
}
