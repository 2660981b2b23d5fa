import JSON

// The kinds of values that keys have.

extension Key where Value == Int {
    /// An integer that has a default.
    static func integer(
        _ name: String,
        _ range: ClosedRange<Int>,
        default value: Int,
        _ meaning: String
    ) -> Key {
        number(name, range, default: value, meaning) { $0 }
    }
}

extension Key where Value == Int? {
    /// An integer, or nothing.
    static func optionalInteger(
        _ name: String,
        _ range: ClosedRange<Int>,
        absent: String,
        _ meaning: String
    ) -> Key {
        Key(name, allowed: text(range), byDefault: nil, shownDefault: absent, meaning: meaning) { value in
            checked(value, range).then { .value($0) }
        }
    }

    /// An integer of which zero means nothing.
    static func integerOrZero(_ name: String, _ range: ClosedRange<Int>, _ meaning: String) -> Key {
        number(name, range, default: 0, meaning) { $0 == 0 ? nil : $0 }
    }
}

extension Key where Value == Duration {
    /// A duration that the file gives in milliseconds.
    static func milliseconds(
        _ name: String,
        _ range: ClosedRange<Int>,
        default value: Int,
        _ meaning: String
    ) -> Key {
        number(name, range, default: value, meaning) { .milliseconds($0) }
    }

    /// A duration that the file gives in seconds.
    static func seconds(_ name: String, _ range: ClosedRange<Int>, default value: Int, _ meaning: String) -> Key {
        number(name, range, default: value, meaning) { .seconds($0) }
    }
}

extension Key where Value == Duration? {
    /// A duration that the file gives in milliseconds, or nothing.
    static func optionalMilliseconds(
        _ name: String,
        _ range: ClosedRange<Int>,
        absent: String,
        _ meaning: String
    ) -> Key {
        Key(name, allowed: text(range), byDefault: nil, shownDefault: absent, meaning: meaning) { value in
            checked(value, range).then { .value(.milliseconds($0)) }
        }
    }
}

extension Key where Value == Bool {
    /// Something that is so or not; not, if nothing is said.
    static func boolean(_ name: String, _ meaning: String) -> Key {
        Key(name, allowed: "true or false", byDefault: false, shownDefault: "false", meaning: meaning) { value in
            value.scalarBool.map { .value($0) } ?? .refused()
        }
    }
}

extension Key {
    /// Something that the file gives as an integer of a range.
    private static func number(
        _ name: String,
        _ range: ClosedRange<Int>,
        default value: Int,
        _ meaning: String,
        make: @escaping @Sendable (Int) -> Value
    ) -> Key {
        Key(name, allowed: text(range), byDefault: make(value), shownDefault: "\(value)", meaning: meaning) { value in
            checked(value, range).then { .value(make($0)) }
        }
    }

    private static func text(_ range: ClosedRange<Int>) -> String {
        "an integer from \(range.lowerBound) to \(range.upperBound)"
    }

    private static func checked(_ value: JSONValue, _ range: ClosedRange<Int>) -> Conversion<Int> {
        guard let integer = value.scalarInteger, range.contains(integer) else { return .refused() }
        return .value(integer)
    }
}

extension Key where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// One of a few words, whose case matters.
    static func choice(_ name: String, default value: Value, _ meaning: String) -> Key {
        let words = Value.allCases.map { "\"\($0.rawValue)\"" }
        return Key(
            name,
            allowed: words.joined(separator: " or "),
            byDefault: value,
            shownDefault: "\"\(value.rawValue)\"",
            meaning: meaning
        ) { value in
            guard case .string(let word) = value.content, let choice = Value(rawValue: word) else { return .refused() }
            return .value(choice)
        }
    }
}

extension Key {
    /// One of a few words, whose case matters, or nothing.
    static func optionalChoice<Choice: RawRepresentable & CaseIterable>(
        _ name: String,
        absent: String,
        _ meaning: String
    ) -> Key where Value == Choice?, Choice.RawValue == String {
        let words = Choice.allCases.map { "\"\($0.rawValue)\"" }
        return Key(
            name,
            allowed: words.joined(separator: " or "),
            byDefault: nil,
            shownDefault: absent,
            acceptsNull: true,
            meaning: meaning
        ) { value in
            guard case .string(let word) = value.content, let choice = Choice(rawValue: word) else { return .refused() }
            return .value(choice)
        }
    }
}

extension Key {
    /// Something that the file gives as a text; null and nothing are the same.
    static func text<Wrapped>(
        _ name: String,
        _ allowed: String,
        absent: String?,
        isSecret: Bool = false,
        _ meaning: String,
        make: @escaping @Sendable (String) -> Conversion<Wrapped?>
    ) -> Key where Value == Wrapped? {
        Key(
            name,
            allowed: allowed,
            byDefault: nil,
            shownDefault: absent,
            acceptsNull: true,
            isSecret: isSecret,
            meaning: meaning
        ) { value in
            value.scalarText.map(make) ?? .refused()
        }
    }
}

extension Key where Value == String? {
    /// The absolute path of a file; an empty one is none.
    static func file(_ name: String, absent: String, _ meaning: String) -> Key {
        text(name, "the absolute path of a file", absent: absent, meaning) { text in
            if text.isEmpty { return .value(nil) }
            return text.hasPrefix("/") && !text.utf8.contains(0) ? .value(text) : .refused()
        }
    }

    /// A part of a credential, which is never shown; an empty one is none.
    static func secret(_ name: String, _ meaning: String) -> Key {
        text(name, "printable ASCII characters, without blanks", absent: "none", isSecret: true, meaning) { text in
            guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return .refused() }
            return .value(text.isEmpty ? nil : text)
        }
    }
}

extension Key where Value == [String] {
    /// A text or an array of texts, each of which is checked.
    static func texts(
        _ name: String,
        _ allowed: String,
        absent: String?,
        _ meaning: String,
        check: @escaping @Sendable (String) -> Conversion<String>
    ) -> Key {
        Key(
            name,
            allowed: allowed + ", or an array of such",
            byDefault: [],
            shownDefault: absent,
            acceptsNull: true,
            meaning: meaning
        ) { value in
            guard case .array(let elements) = value.content else { return one(value, check).then { .value([$0]) } }
            return elements.isEmpty ? .refused("the array is empty") : .each(of: elements) { one($0, check) }
        }
    }

    private static func one(
        _ value: JSONValue,
        _ check: (String) -> Conversion<String>
    ) -> Conversion<String> {
        value.scalarText.map(check) ?? .refused()
    }
}
