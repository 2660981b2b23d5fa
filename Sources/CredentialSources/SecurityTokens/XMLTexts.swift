/// The texts in an XML document, by the names of the element that has one and of the element around it.
///
/// It reads what services answer, and no more of XML: no document types, whose entities could grow without bound. The first
/// text of a name counts.
package struct XMLTexts: Sendable, Equatable {
    /// Text that is not XML, or not of this kind.
    package struct Malformed: Error, Equatable {}

    private var texts: [String: String] = [:]

    /// How deeply elements may lie in each other.
    private static let depthLimit = 16

    /// Texts that are kept at most.
    private static let countLimit = 64

    /// Such as `Credentials/AccessKeyId`.
    package subscript(path: String) -> String? { texts[path] }

    /// Reads a whole document.
    package init(_ bytes: [UInt8]) throws(Malformed) {
        var rest = bytes[...]
        var names: [String] = []
        var text: [UInt8] = []
        var isLeaf = false
        var isOver = false
        while let mark = rest.firstIndex(of: UInt8(ascii: "<")) {
            text += rest[..<mark]
            rest = rest[(mark + 1)...]
            guard let tag = try Self.tag(&rest) else { continue }
            if isOver { throw Malformed() }
            switch tag {
            case .start(let name):
                guard names.count < Self.depthLimit else { throw Malformed() }
                names.append(name)
                isLeaf = true
            case .end(let name):
                guard names.last == name else { throw Malformed() }
                if isLeaf { try keep(text, of: names) }
                names.removeLast()
                isLeaf = false
            case .empty(let name):
                try keep([], of: names + [name])
                isLeaf = false
            }
            isOver = names.isEmpty
            text = []
        }
        guard isOver, rest.allSatisfy(\.isXMLBlank) else { throw Malformed() }
    }

    private mutating func keep(_ text: [UInt8], of names: [String]) throws(Malformed) {
        let path = names.suffix(2).joined(separator: "/")
        guard texts[path] == nil, texts.count < Self.countLimit else { return }
        guard let text = String(validating: try Self.resolved(text), as: UTF8.self) else { throw Malformed() }
        texts[path] = text
    }

    // MARK: Tags

    private enum Tag {
        case start(String)
        case end(String)
        case empty(String)
    }

    /// Takes what follows a `<`, up to its `>`; nil for a comment or an instruction.
    private static func tag(_ rest: inout ArraySlice<UInt8>) throws(Malformed) -> Tag? {
        for (beginning, end) in [("!--", "-->"), ("?", "?>")] where rest.starts(with: beginning.utf8) {
            guard let found = rest.firstRange(of: Array(end.utf8)) else { throw Malformed() }
            rest = rest[found.upperBound...]
            return nil
        }
        let isEnd = rest.first == UInt8(ascii: "/")
        if isEnd { rest.removeFirst() }
        let name = rest.prefix { !$0.isXMLBlank && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
        guard !name.isEmpty, name.allSatisfy(\.isInXMLName) else { throw Malformed() }
        rest = rest[name.endIndex...]
        let isEmpty = try skipAttributes(&rest)
        guard !isEnd || !isEmpty else { throw Malformed() }
        if isEnd { return .end(text(name)) }
        return isEmpty ? .empty(text(name)) : .start(text(name))
    }

    /// - Returns: whether the tag ends with `/>`.
    private static func skipAttributes(_ rest: inout ArraySlice<UInt8>) throws(Malformed) -> Bool {
        var quote: UInt8?
        var last: UInt8 = 0
        while let byte = rest.popFirst() {
            if quote != nil {
                if byte == quote { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                return last == UInt8(ascii: "/")
            } else if byte == UInt8(ascii: "<") {
                throw Malformed()
            }
            last = byte
        }
        throw Malformed()
    }

    // MARK: Text

    /// The text with its entities resolved.
    private static func resolved(_ text: [UInt8]) throws(Malformed) -> [UInt8] {
        var resolved: [UInt8] = []
        var rest = text[...]
        while let mark = rest.firstIndex(of: UInt8(ascii: "&")) {
            resolved += rest[..<mark]
            guard let end = rest[mark...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else { throw Malformed() }
            guard let character = character(Self.text(rest[(mark + 1)..<end])) else { throw Malformed() }
            resolved += String(character).utf8
            rest = rest[(end + 1)...]
        }
        return resolved + rest
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    private static func character(_ entity: String) -> Unicode.Scalar? {
        switch entity {
        case "lt": "<"
        case "gt": ">"
        case "amp": "&"
        case "quot": "\""
        case "apos": "'"
        default:
            if entity.hasPrefix("#x") {
                UInt32(entity.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
            } else if entity.hasPrefix("#") {
                UInt32(entity.dropFirst()).flatMap(Unicode.Scalar.init)
            } else {
                nil
            }
        }
    }
}

extension UInt8 {
    fileprivate var isXMLBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }

    fileprivate var isInXMLName: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
            UInt8(ascii: ":"):
            true
        default: self >= 0x80
        }
    }
}
