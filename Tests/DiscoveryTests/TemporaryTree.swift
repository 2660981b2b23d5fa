import Glibc
import Platform

/// A directory for one test, removed with all that is in it when the test lets go of it.
final class TemporaryTree {
    let root: Path

    init() {
        var template = Array("/tmp/firetail-tests-XXXXXX\0".utf8CString)
        precondition(mkdtemp(&template) != nil, "cannot make a temporary directory, errno \(errno)")
        root = Path(bytes: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) })
        root.withCString { precondition(chmod($0, 0o755) == 0) }
    }

    deinit { Self.remove(root) }

    subscript(_ name: String) -> Path { name.isEmpty ? root : root.appending(Array(name.utf8)) }

    /// Makes a file, and the directories that it needs.
    @discardableResult
    func file(_ name: String, _ text: String = "line\n") -> Path { file(bytes: Array(name.utf8), text) }

    @discardableResult
    func file(bytes name: [UInt8], _ text: String = "line\n") -> Path {
        let path = root.appending(name)
        makeDirectories(path.parent)
        let descriptor = path.withCString { creat($0, 0o644) }
        precondition(descriptor >= 0, "cannot make \(path), errno \(errno)")
        precondition(write(descriptor, text, text.utf8.count) == text.utf8.count)
        close(descriptor)
        return path
    }

    func directory(_ name: String) { makeDirectories(self[name]) }

    func link(_ name: String, to target: String) {
        makeDirectories(self[name].parent)
        precondition(self[name].withCString { symlink(target, $0) } == 0, "cannot link \(name), errno \(errno)")
    }

    func hardLink(_ name: String, to target: String) {
        precondition(self[target].withCString { old in self[name].withCString { Glibc.link(old, $0) } } == 0)
    }

    func fifo(_ name: String) { precondition(self[name].withCString { mkfifo($0, 0o644) } == 0) }

    func setMode(_ name: String, _ mode: mode_t) { precondition(self[name].withCString { chmod($0, mode) } == 0) }

    func rename(_ old: String, to new: String) {
        precondition(self[old].withCString { old in self[new].withCString { Glibc.rename(old, $0) } } == 0)
    }

    func remove(_ name: String) { Self.remove(self[name]) }

    private func makeDirectories(_ path: Path) {
        guard path.withCString({ access($0, F_OK) }) != 0 else { return }
        makeDirectories(path.parent)
        precondition(path.withCString { mkdir($0, 0o755) } == 0, "cannot make \(path), errno \(errno)")
    }

    private static func remove(_ path: Path) {
        if path.withCString({ unlink($0) }) == 0 { return }
        var names: [[UInt8]] = []
        try? Directory(opening: path).names().forEach { name, _, _ in names.append(name.indices.map { name[$0] }) }
        for name in names { remove(path.appending(name)) }
        _ = path.withCString { rmdir($0) }
    }
}

/// Looks at files as a user without rights would, also where the tests run as root.
///
/// Linux keeps this identity for each thread, so other tests do not notice.
func withoutPrivileges<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard getuid() == 0 else { return try body() }
    _ = setfsuid(65534)
    defer { _ = setfsuid(0) }
    return try body()
}

@_silgen_name("setfsuid") private func setfsuid(_ user: uid_t) -> CInt
