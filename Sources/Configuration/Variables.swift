import JSON

/// Puts variables of the environment into the texts of the configuration.
struct Variables {
    let environment: [String: String]

    /// Replaces `${NAME}` by the variable and `$$` by `$` in a string or an array of strings.
    func replace(in value: JSONValue) -> Conversion<JSONValue> {
        switch value.content {
        case .string(let text):
            do throws(Refusal) {
                return .value(JSONValue(.string(try replace(in: text)), at: value.position))
            } catch {
                return .refused([error])
            }
        case .array(let elements):
            return Conversion.each(of: elements, replace(in:)).then {
                .value(JSONValue(.array($0), at: value.position))
            }
        default:
            return .value(value)
        }
    }

    private func replace(in text: String) throws(Refusal) -> String {
        let dollar = UInt8(ascii: "$")
        var rest = Array(text.utf8)[...]
        var result: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == dollar && rest.first == UInt8(ascii: "{") {
                result.append(contentsOf: try variable(in: &rest).utf8)
                continue
            }
            if byte == dollar && rest.first == dollar { rest.removeFirst() }
            result.append(byte)
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The value of the variable whose `{NAME}` the text begins with.
    private func variable(in rest: inout ArraySlice<UInt8>) throws(Refusal) -> String {
        let end = rest.firstIndex(of: UInt8(ascii: "}")) ?? rest.endIndex
        let name = rest[..<end].dropFirst()
        guard end < rest.endIndex, Self.isName(name) else {
            throw Refusal("expected the name of an environment variable between ${ and }; write $$ for a dollar sign")
        }
        let text = String(decoding: name, as: UTF8.self)
        guard let value = environment[text] else {
            let problem = "the environment variable \(text.shortened) is not set"
            throw Refusal(problem + "; set it, or write $$ for a dollar sign")
        }
        rest = rest[(end + 1)...]
        return value
    }

    private static func isName(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, !first.isDigit else { return false }
        return bytes.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") }
    }
}
