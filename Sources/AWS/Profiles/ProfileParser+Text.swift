// What the grammar of the shared files says about bytes.

extension UInt8 {
    /// A space or a tab.
    var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

    /// What a comment begins with.
    var isCommentMark: Bool { self == UInt8(ascii: "#") || self == UInt8(ascii: ";") }

    /// Whether names of profiles and properties may contain it.
    var isIdentifierByte: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "/"),
            UInt8(ascii: "."), UInt8(ascii: "%"), UInt8(ascii: "@"), UInt8(ascii: ":"), UInt8(ascii: "+"):
            true
        default: false
        }
    }
}

extension ArraySlice<UInt8> {
    /// The bytes as text, repaired where they are not UTF-8.
    var text: String { String(decoding: self, as: UTF8.self) }

    /// Whether it can name a profile or a property.
    var isIdentifier: Bool { !isEmpty && allSatisfy(\.isIdentifierByte) }

    var trimmingBlanks: ArraySlice<UInt8> {
        let start = drop(while: \.isBlank)
        guard let last = start.lastIndex(where: { !$0.isBlank }) else { return [] }
        return start[...last]
    }

    /// What stands before a comment, which needs a blank before it: `a;b` is a value.
    var withoutTrailingComment: ArraySlice<UInt8> {
        for index in indices.dropFirst() where self[index].isCommentMark && self[index - 1].isBlank {
            return self[..<index]
        }
        return self
    }

    /// Both sides of the first `=`, without blanks around them.
    var splitAtEquals: (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)? {
        guard let equals = firstIndex(of: UInt8(ascii: "=")) else { return nil }
        return (self[..<equals].trimmingBlanks, self[(equals + 1)...].trimmingBlanks)
    }
}
