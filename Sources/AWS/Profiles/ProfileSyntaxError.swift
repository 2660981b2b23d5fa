/// Where a shared file breaks its grammar, and how.
package struct ProfileSyntaxError: Error, Equatable {
    package enum Problem: Equatable, Sendable {
        case sectionNotClosed
        case propertyOutsideSection
        case continuationOutsideProperty
        case propertyWithoutEquals
        case propertyWithoutName
        case subPropertyWithoutEquals
        case subPropertyWithoutName
    }

    /// Counted from 1.
    package var line: Int

    package var problem: Problem
}

/// The text of the line is left out, since it may be a secret.
extension ProfileSyntaxError: CustomStringConvertible {
    package var description: String {
        "line \(line): \(explanation)"
    }

    private var explanation: String {
        switch problem {
        case .sectionNotClosed:
            "the section name is not closed; write it as [name]"
        case .propertyOutsideSection:
            "there is no section yet; begin with one such as [default]"
        case .continuationOutsideProperty:
            "it is indented but continues no property; remove the blanks before it"
        case .propertyWithoutEquals:
            "there is no '='; write name = value"
        case .propertyWithoutName:
            "there is no name before '='; write name = value"
        case .subPropertyWithoutEquals:
            "it is indented under a property without a value and has no '='; write name = value"
        case .subPropertyWithoutName:
            "it is indented under a property without a value and has no name before '='; write name = value"
        }
    }
}
