/// Writes a JSON text, one value after the other.
package struct JSONWriter {
    /// What was written so far.
    package private(set) var text = ""

    /// Whether the next value is the first one of its array or object.
    private var isFirst = true

    package init() {}

    /// Writes an object, whose members `body` writes.
    package mutating func object(_ name: String? = nil, _ body: (inout JSONWriter) -> Void) {
        enclose(name, "{", "}", body)
    }

    /// Writes an array, whose values `body` writes.
    package mutating func array(_ name: String? = nil, _ body: (inout JSONWriter) -> Void) {
        enclose(name, "[", "]", body)
    }

    package mutating func value(_ name: String? = nil, _ number: Int) { add(name, "\(number)") }

    package mutating func value(_ name: String? = nil, _ bool: Bool) { add(name, bool ? "true" : "false") }

    /// Writes a text, or null.
    package mutating func value(_ name: String? = nil, _ string: String?) {
        add(name, string.map(Self.quoted) ?? "null")
    }

    private mutating func add(_ name: String?, _ value: String) {
        if !isFirst { text += "," }
        isFirst = false
        if let name { text += Self.quoted(name) + ":" }
        text += value
    }

    private mutating func enclose(
        _ name: String?,
        _ start: String,
        _ end: String,
        _ body: (inout JSONWriter) -> Void
    ) {
        add(name, start)
        isFirst = true
        body(&self)
        isFirst = false
        text += end
    }

    private static func quoted(_ string: String) -> String {
        var quoted = "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\u{0}"..<" ", "\u{7F}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
