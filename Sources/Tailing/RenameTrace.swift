package import Platform

/// Follows files through their names while they are renamed, from the events of their directories in order.
///
/// A file may have had a name that a pattern matches between two looks at its directory, and not have it any more.
package struct RenameTrace: Sendable, Equatable {
    /// The names that files had before, oldest first, by the name that they have now.
    package private(set) var formerNames: [Path: [Path]] = [:]

    /// First halves of renamings whose second half has not come.
    private var departed: [UInt32: [Path]] = [:]

    package init() {}

    /// Notes an event of a directory that has this path.
    mutating func note(_ event: Inotify.Event, in directory: Path) {
        guard !event.name.isEmpty, !event.mask.contains(.isDirectory) else { return }
        if event.mask.contains(.movedFrom) {
            let path = directory.appending(event.name)
            departed[event.cookie] = (formerNames.removeValue(forKey: path) ?? []) + [path]
        } else if event.mask.contains(.movedTo) {
            formerNames[directory.appending(event.name)] = departed.removeValue(forKey: event.cookie)
        } else if !formerNames.isEmpty, !event.mask.isDisjoint(with: [.created, .deleted]) {
            formerNames[directory.appending(event.name)] = nil
        }
    }
}
