/// A value of a JSON text, and where it begins there.
package struct JSONValue: Sendable, Equatable {
    /// What a value is.
    package enum Content: Sendable, Equatable {
        case null
        case bool(Bool)
        case number(JSONNumber)
        case string(String)
        case array([JSONValue])
        case object(JSONObject)
    }

    package var content: Content

    /// Where its first character stands.
    package var position: JSONPosition

    package init(_ content: Content, at position: JSONPosition) {
        self.content = content
        self.position = position
    }
}

/// A number as it was written, which no conversion has rounded.
package struct JSONNumber: Sendable, Equatable {
    package let text: String

    /// Its value; nil if it has a fraction or an exponent, or does not fit.
    package var integer: Int? { Int(text) }

    package init(text: String) {
        self.text = text
    }
}

/// The members of an object, in the order of the text.
package struct JSONObject: Sendable, Equatable {
    package let members: [JSONMember]

    /// Where each name stands last.
    private let lastIndex: [String: Int]

    package init(_ members: [JSONMember]) {
        self.members = members
        lastIndex = Dictionary(zip(members.map(\.name), members.indices), uniquingKeysWith: { max($0, $1) })
    }

    /// The member of this name; the last one, if there are several.
    package subscript(name: String) -> JSONMember? {
        lastIndex[name].map { members[$0] }
    }

    /// Every member whose name an earlier one has, with that earlier one.
    package var duplicates: [(first: JSONMember, again: JSONMember)] {
        guard lastIndex.count < members.count else { return [] }
        var firsts: [String: JSONMember] = [:]
        var found: [(first: JSONMember, again: JSONMember)] = []
        for member in members {
            if let first = firsts[member.name] {
                found.append((first, member))
            } else {
                firsts[member.name] = member
            }
        }
        return found
    }
}

/// A name and a value in an object.
package struct JSONMember: Sendable, Equatable {
    package let name: String

    /// Where the name's opening quote stands.
    package let position: JSONPosition

    package let value: JSONValue

    package init(name: String, at position: JSONPosition, value: JSONValue) {
        self.name = name
        self.position = position
        self.value = value
    }
}
