extension JSONParser {
    /// Skips white space and, where they are allowed, comments.
    mutating func skipBlanks() throws(JSONError) {
        while let byte = cursor.byte {
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): cursor.advance()
            case UInt8(ascii: "/"): try skipComment()
            case UInt8(ascii: "#"):
                throw error("'#' does not begin a comment" + (options.allowsComments ? "; write // instead" : ""))
            default: return
            }
        }
    }

    private mutating func skipComment() throws(JSONError) {
        let opening = cursor.position
        guard options.allowsComments else { throw error("comments are not allowed here") }
        switch cursor.byte(ahead: 1) {
        case UInt8(ascii: "/"):
            cursor.advance { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        case UInt8(ascii: "*"):
            cursor.advance()
            cursor.advance()
            try skipToCommentEnd(opening)
        default:
            throw error("a single '/' means nothing; a comment is // or /* */")
        }
    }

    private mutating func skipToCommentEnd(_ opening: JSONPosition) throws(JSONError) {
        while cursor.byte != nil {
            if cursor.advance(over: UInt8(ascii: "*")) {
                if cursor.advance(over: UInt8(ascii: "/")) { return }
            } else {
                cursor.advance()
            }
        }
        throw JSONError("the comment that begins here has no end; close it with */", at: opening)
    }
}
