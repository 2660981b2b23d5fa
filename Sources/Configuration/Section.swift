import JSON

/// What the reading of a whole file shares.
struct Source {
    let file: String
    let variables: Variables
    let patterns: PatternRules

    /// Whether a key that is not known is only worth a warning.
    let isLenient: Bool
}

/// One object of the file: gives the value of each of its keys, and gathers what is wrong with them.
struct Section {
    let source: Source
    let level: Level

    /// What stands before the name of a key in a message, such as `flows[1]`; empty at the top level.
    let path: String

    let object: JSONObject
    let position: JSONPosition
    private(set) var findings = Findings()
    private var faultyKeys: Set<String> = []

    init(_ object: JSONObject, at position: JSONPosition, level: Level, path: String, source: Source) {
        self.object = object
        self.position = position
        self.level = level
        self.path = path
        self.source = source
        checkNames()
    }

    // MARK: Values

    /// The value of a key; its default if it is absent, and also if it is wrong, which is then a fault.
    mutating func value<Value>(_ key: Key<Value>) -> Value {
        guard let written = object[key.name]?.value, !(key.acceptsNull && written.content == .null) else {
            return key.byDefault
        }
        switch source.variables.replace(in: written).then(key.convert) {
        case .value(let value):
            return value
        case .refused(let refusals):
            for refusal in refusals { note(refusal, of: key, written) }
            return key.byDefault
        }
    }

    /// Faults the absence of a key.
    mutating func require(_ row: KeyRow) {
        guard case .supported(let allowed, _) = row.support, !isGiven(row.name) else { return }
        note(row.name, at: position, problem: "missing; expected \(allowed)")
    }

    /// Whether a key has a value that is not null.
    func isGiven(_ name: String) -> Bool {
        object[name].map { $0.value.content != .null } ?? false
    }

    /// Whether no fault has been found with any of the keys.
    func areSound(_ names: String...) -> Bool {
        faultyKeys.isDisjoint(with: names)
    }

    // MARK: Faults

    /// Adds a fault of a key.
    mutating func note(
        _ name: String,
        element: Int? = nil,
        at position: JSONPosition? = nil,
        value: String? = nil,
        problem: String,
        advice: String? = nil,
        isWarning: Bool = false
    ) {
        let fault = Fault(
            file: source.file,
            position: position ?? object[name]?.position ?? self.position,
            keyPath: (path.isEmpty ? "" : path + ".") + name.shortened + (element.map { "[\($0)]" } ?? ""),
            value: value,
            problem: problem,
            advice: advice
        )
        findings.add(fault, isWarning: isWarning)
        if !isWarning { faultyKeys.insert(name) }
    }

    private mutating func note<Value>(_ refusal: Refusal, of key: Key<Value>, _ written: JSONValue) {
        let value = refusal.element.flatMap { written[$0] } ?? written
        note(
            key.name,
            element: refusal.element,
            at: value.position,
            value: key.isSecret || refusal.hidesValue ? nil : value.written,
            problem: refusal.problem ?? "expected \(key.allowed)"
        )
    }

    // MARK: Names

    /// Looks at every name, whether it is known here and whether it is there once.
    private mutating func checkNames() {
        for member in object.members where !Self.isComment(member) {
            if let row = level.row(member.name) {
                check(member, row)
            } else {
                noteStranger(member)
            }
        }
        for (first, again) in object.duplicates where !Self.isComment(again) {
            note(
                again.name,
                at: again.position,
                problem: "is there twice, first at \(first.position)",
                advice: "remove one of them"
            )
        }
    }

    private static func isComment(_ member: JSONMember) -> Bool {
        member.name.hasPrefix("_")
    }

    private mutating func check(_ member: JSONMember, _ row: KeyRow) {
        switch row.support {
        case .supported:
            break
        case .notYet(let advice, let isHarmless):
            guard !isHarmless(member.value) else { break }
            note(
                member.name,
                at: member.position,
                problem: "not supported yet (\(row.meaning))",
                advice: advice
            )
        case .withoutEffect:
            guard !member.value.isBlank else { break }
            note(member.name, at: member.position, problem: "has no effect: \(row.meaning)", isWarning: true)
        }
    }

    /// Says where a key that is not known here belongs; its value may be a secret whose name was mistyped.
    private mutating func noteStranger(_ member: JSONMember) {
        let isMisplaced = level.other.row(member.name) != nil
        note(
            member.name,
            at: member.position,
            problem: isMisplaced ? "belongs \(level.other.place)" : "unknown key",
            advice: isMisplaced ? (source.isLenient ? "it is ignored" : "move it there") : advice(on: member),
            isWarning: source.isLenient
        )
    }

    private func advice(on member: JSONMember) -> String {
        if case .object = member.value.content,
            let flat = level.rows.first(where: { $0.name.hasPrefix(member.name + ".") })
        {
            return "write such keys flat: \"\(flat.name)\""
        }
        let here = level.rows.map(\.name)
        let candidates = here + level.other.rows.map(\.name).filter { !here.contains($0) }
        guard let nearest = Spelling.nearest(to: member.name, among: candidates) else {
            return source.isLenient ? "it is ignored" : "remove it, or begin it with _ to make it a comment"
        }
        return "did you mean \"\(nearest)\"" + (here.contains(nearest) ? "?" : ", which belongs \(level.other.place)?")
    }
}

extension JSONValue {
    /// The element of an array; nil if this is none.
    subscript(index: Int) -> JSONValue? {
        guard case .array(let elements) = content, elements.indices.contains(index) else { return nil }
        return elements[index]
    }
}
