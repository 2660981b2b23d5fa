import JSON

/// The members of an object, where what is missing or of another kind is nothing.
struct JSONFields {
    private let object: JSONObject

    init(_ object: JSONObject) {
        self.object = object
    }

    init(_ value: JSONValue?) {
        if case .object(let object) = value?.content { self.object = object } else { object = JSONObject([]) }
    }

    func number(_ name: String) -> Int {
        if case .number(let number) = object[name]?.value.content { number.integer ?? 0 } else { 0 }
    }

    func text(_ name: String) -> String {
        if case .string(let text) = object[name]?.value.content { text } else { "" }
    }

    func flag(_ name: String) -> Bool { object[name]?.value.content == .bool(true) }

    func object(_ name: String) -> JSONFields { JSONFields(object[name]?.value) }

    func list(_ name: String) -> [JSONFields] { values(name).map { JSONFields($0) } }

    func texts(_ name: String) -> [String] {
        values(name).compactMap { if case .string(let text) = $0.content { text } else { nil } }
    }

    private func values(_ name: String) -> [JSONValue] {
        if case .array(let values) = object[name]?.value.content { values } else { [] }
    }
}
