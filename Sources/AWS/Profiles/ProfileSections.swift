/// The sections of the shared files and their properties, names in lower case.
package struct ProfileSections: Equatable, Sendable {
    /// What a section is about.
    package enum Header: Hashable, Sendable {
        case profile(String)
        case ssoSession(String)
        case services(String)
    }

    package private(set) var properties: [Header: [String: String]] = [:]

    package init() {}

    /// The properties of a profile; nil if there is none of this name.
    package func profile(_ name: String) -> [String: String]? {
        properties[.profile(name)]
    }

    /// What a `services` section says of one service: the lines that are indented below its name.
    func properties(ofService service: String, in section: String) -> [String: String] {
        var found: [String: String] = [:]
        for line in (properties[.services(section)]?[service] ?? "").split(separator: "\n") {
            guard let (name, value) = Array(line.utf8)[...].splitAtEquals else { continue }
            found[name.text.lowercased()] = value.text
        }
        return found
    }

    /// Adds all sections of another file, whose properties win.
    package mutating func merge(_ other: ProfileSections) {
        properties.merge(other.properties) { $0.merging($1) { $1 } }
    }

    /// Makes sure that a section is there, with or without properties.
    mutating func open(_ header: Header) {
        if properties[header] == nil { properties[header] = [:] }
    }

    /// Forgets a section.
    mutating func remove(_ header: Header) {
        properties[header] = nil
    }

    /// Sets a property of a section, over what it was before.
    mutating func set(_ name: String, to value: String, in header: Header) {
        properties[header, default: [:]][name] = value
    }

    /// Adds a line to the value of a property.
    mutating func append(line: String, to name: String, in header: Header) {
        properties[header]?[name]?.append("\n\(line)")
    }
}
