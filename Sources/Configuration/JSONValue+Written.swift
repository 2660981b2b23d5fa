import JSON

extension JSONValue {
    /// The value as it is written, on one line and shortened.
    var written: String {
        switch content {
        case .null: "null"
        case .bool(let bool): bool ? "true" : "false"
        case .number(let number): number.text.shortened
        case .string(let text): "\"\(text.shortened)\""
        case .array, .object: kind
        }
    }

    /// What sort of value it is.
    var kind: String {
        switch content {
        case .null: "null"
        case .bool: "a truth value"
        case .number: "a number"
        case .string: "a text"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension String {
    /// The first 60 characters, with quotes, control characters and invisible ones escaped.
    var shortened: String {
        let limit = 60
        var line = ""
        for scalar in unicodeScalars.prefix(limit) {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: line += scalar.escaped(asASCII: true)
            default: line += scalar == "\"" || scalar == "\\" ? "\\\(scalar)" : "\(scalar)"
            }
        }
        return unicodeScalars.dropFirst(limit).isEmpty ? line : line + "…"
    }
}
