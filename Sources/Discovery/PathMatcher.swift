/// Follows a path name by name through many alternatives at once.
///
/// Where it stands is a set of states. Nothing is ever tried again, so the time for a path grows with its length and
/// with the number of alternatives, never faster; and a walk goes on from its directory instead of from the root.
struct PathMatcher: Sendable {
    /// What each state expects; nil after an alternative's last name: the path so far matches.
    private var expected: [GlobAlternative.Component?] = []

    /// States, in ascending order; empty where nothing can match any more.
    typealias States = [Int]

    /// Where a path begins: in the root.
    private(set) var start: States = []

    init(_ alternatives: some Sequence<GlobAlternative>) {
        for alternative in alternatives {
            let first = expected.count
            expected += alternative.components
            expected.append(nil)
            enter(first, into: &start)
        }
    }

    /// The states after one more name.
    func advance(_ states: States, by name: Span<UInt8>) -> States {
        var next: States = []
        for state in states {
            switch expected[state] {
            case .anyDirectories where !isHidden(name): enter(state, into: &next)
            case .name(let pattern) where pattern.matches(name): enter(state + 1, into: &next)
            default: continue
            }
        }
        return next
    }

    /// Whether the path that led here matches.
    func matches(_ states: States) -> Bool {
        states.contains { expected[$0] == nil }
    }

    /// Whether a path that goes on from here may match.
    func continues(_ states: States) -> Bool {
        states.contains { expected[$0] != nil }
    }

    /// Whether the path that led here matches with one more name.
    func matches(_ states: States, then name: Span<UInt8>) -> Bool {
        for state in states where endsAfter(state) {
            if case .name(let pattern) = expected[state], pattern.matches(name) { return true }
        }
        return false
    }

    /// Whether one more name can make the path match.
    func mayEnd(_ states: States) -> Bool { states.contains(where: endsAfter) }

    /// The only names with which a path can go on, in order, if there are only so many.
    func literals(_ states: States) -> [[UInt8]]? {
        var names: Set<[UInt8]> = []
        for component in states.compactMap({ expected[$0] }) {
            guard case .name(let pattern) = component, let literal = pattern.literal else { return nil }
            names.insert(literal)
        }
        return names.sorted { $0.lexicographicallyPrecedes($1) }
    }

    private func endsAfter(_ state: Int) -> Bool {
        expected[state] != nil && expected[state + 1] == nil
    }

    /// Adds a state, and the one behind it where that can be had for nothing.
    ///
    /// A state leads to itself or to the one or two that follow it. So states that are added in the order of those
    /// they come from are in order, and what is not greater than the last one is there already.
    private func enter(_ state: Int, into states: inout States) {
        if state > states.last ?? -1 { states.append(state) }
        if expected[state] == .anyDirectories, state + 1 > states.last ?? -1 { states.append(state + 1) }
    }
}
