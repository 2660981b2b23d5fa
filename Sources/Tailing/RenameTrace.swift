package import Platform

/// Follows files through their names while they are renamed, from the events of their directories in order.
///
/// A file may have had a name that a pattern matches between two looks at its directory, and not have it any more.
package struct RenameTrace: Sendable, Equatable {
    /// The names that files had before, oldest first, by the name that they have now.
    package private(set) var formerNames: [Path: [Path]] = [:]

    /// The same from the look before: a file may be renamed again between an event and the look at its new name.
    private var earlierNames: [Path: [Path]] = [:]

    /// First halves of renamings whose second half has not come.
    private var departed: [UInt32: [Path]] = [:]

    package init() {}

    /// A trace of what happens after what the other one has seen.
    init(after earlier: RenameTrace) {
        earlierNames = earlier.formerNames
        departed = earlier.departed
    }

    /// Keeps only what happened since the look before.
    mutating func forgetPast() {
        earlierNames = [:]
        departed = [:]
    }

    /// Notes an event of a directory that has this path.
    mutating func note(_ event: Inotify.Event, in directory: Path) {
        guard !event.name.isEmpty, !event.mask.contains(.isDirectory) else { return }
        if event.mask.contains(.movedFrom) {
            let path = directory.appending(event.name)
            let earlier = earlierNames.removeValue(forKey: path)
            departed[event.cookie] = (formerNames.removeValue(forKey: path) ?? earlier ?? []) + [path]
        } else if event.mask.contains(.movedTo) {
            formerNames[directory.appending(event.name)] = departed.removeValue(forKey: event.cookie)
        } else if !formerNames.isEmpty, !event.mask.isDisjoint(with: [.created, .deleted]) {
            formerNames[directory.appending(event.name)] = nil
        }
    }
}
