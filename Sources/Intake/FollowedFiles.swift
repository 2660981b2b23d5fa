import Platform
import Tailing

/// The files that are followed: found by number, by identity, and by the directory in which they were last seen.
struct FollowedFiles {
    private var files: [Int: FollowedFile] = [:]
    private var ids: [FileKey: Int] = [:]
    private var idsByDirectory: [Path: Set<Int>] = [:]
    private var lastID = 0

    var count: Int { files.count }

    var all: Dictionary<Int, FollowedFile>.Values { files.values }

    subscript(id: Int) -> FollowedFile? { files[id] }

    subscript(key: FileKey) -> FollowedFile? { ids[key].flatMap { files[$0] } }

    /// The files whose last known name is in this very directory.
    func files(in directory: Path) -> [FollowedFile] {
        (idsByDirectory[directory] ?? []).compactMap { files[$0] }
    }

    /// Follows one more file, whose lines begin as `begin` says for its number.
    mutating func add(
        _ tail: Tail,
        of flow: Int,
        at now: ContinuousClock.Instant,
        _ begin: (_ id: Int) -> FramedFile
    ) -> FollowedFile {
        lastID += 1
        let file = FollowedFile(begin(lastID), flow: flow, tail: tail, at: now)
        files[file.id] = file
        ids[file.key] = file.id
        idsByDirectory[tail.path.parent, default: []].insert(file.id)
        return file
    }

    /// Notes that a file has another name.
    mutating func move(_ file: FollowedFile, to path: Path) {
        guard path != file.tail.path else { return }
        removeFromDirectory(file)
        file.tail.path = path
        file.isOutOfSight = false
        idsByDirectory[path.parent, default: []].insert(file.id)
    }

    /// Forgets a file.
    mutating func remove(_ file: FollowedFile) {
        removeFromDirectory(file)
        files[file.id] = nil
        ids[file.key] = nil
    }

    private mutating func removeFromDirectory(_ file: FollowedFile) {
        let directory = file.tail.path.parent
        idsByDirectory[directory]?.remove(file.id)
        if idsByDirectory[directory]?.isEmpty == true { idsByDirectory[directory] = nil }
    }
}
