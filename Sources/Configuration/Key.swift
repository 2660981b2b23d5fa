import JSON

/// What the messages and the reference say of a key, whatever the type of its value.
struct KeyRow: Sendable {
    /// What the agent does with a key.
    enum Support: Sendable {
        /// It is read; `allowed` completes "expected …", and without a default it is required.
        case supported(allowed: String, byDefault: String?)

        /// It is refused, with this advice, unless the value asks for nothing.
        case notYet(advice: String, isHarmless: @Sendable (JSONValue) -> Bool)

        /// It is accepted with a warning; the meaning says why.
        case withoutEffect
    }

    let name: String
    let support: Support
    let meaning: String

    var isSupported: Bool {
        if case .supported = support { true } else { false }
    }
}

extension KeyRow {
    /// A key of the Kinesis Agent whose feature is not there.
    static func notYet(
        _ name: String,
        _ meaning: String,
        advice: String = "remove it, or leave this work to the Kinesis Agent",
        unless isHarmless: @escaping @Sendable (JSONValue) -> Bool = \.isBlank
    ) -> KeyRow {
        KeyRow(name: name, support: .notYet(advice: advice, isHarmless: isHarmless), meaning: meaning)
    }

    /// A key of the Kinesis Agent for which there is no need here.
    static func withoutEffect(_ name: String, _ reason: String) -> KeyRow {
        KeyRow(name: name, support: .withoutEffect, meaning: reason)
    }
}

/// A key that is read: its row, and how its value becomes one of ours.
struct Key<Value: Sendable>: Sendable {
    let name: String

    /// Completes "expected …".
    let allowed: String

    let byDefault: Value

    /// The default as the file would have it, or in words; nil: the key is required.
    let shownDefault: String?

    /// Whether null is the same as no value, as it is where the Kinesis Agent wants a text.
    let acceptsNull: Bool

    let isSecret: Bool
    let meaning: String
    let convert: @Sendable (JSONValue) -> Conversion<Value>

    init(
        _ name: String,
        allowed: String,
        byDefault: Value,
        shownDefault: String?,
        acceptsNull: Bool = false,
        isSecret: Bool = false,
        meaning: String,
        convert: @escaping @Sendable (JSONValue) -> Conversion<Value>
    ) {
        self.name = name
        self.allowed = allowed
        self.byDefault = byDefault
        self.shownDefault = shownDefault
        self.acceptsNull = acceptsNull
        self.isSecret = isSecret
        self.meaning = meaning
        self.convert = convert
    }

    var row: KeyRow {
        KeyRow(name: name, support: .supported(allowed: allowed, byDefault: shownDefault), meaning: meaning)
    }
}
