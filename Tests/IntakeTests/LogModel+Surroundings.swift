import TestSupport

/// Steps that leave the files' content alone: directories, rights, and room in the streams.
extension LogModel {
    func renameDirectory() throws {
        guard setting.matchesRotated else { return }
        nameCount += 1
        note("rename d1/d2 to d1/e\(nameCount)")
        try bench.directory.rename("d1/d2", to: "d1/e\(nameCount)")
        try bench.directory.makeDirectory("d1/d2")
        for name in current.keys where name.hasPrefix("d1/d2/") {
            let moved = "d1/e\(nameCount)/" + name.dropFirst("d1/d2/".count)
            current[moved] = current.removeValue(forKey: name)
            if closed.remove(name) != nil { closed.insert(moved) }
        }
    }

    func close() throws {
        guard let name = pickExisting() else { return }
        note("close \(name)")
        closed.insert(name)
        try bench.directory.setMode(name, 0)
    }

    func open(_ name: String) throws {
        guard closed.remove(name) != nil else { return }
        note("open \(name)")
        try bench.directory.setMode(name, 0o644)
    }

    func setFull() {
        note("full")
        bench.store.change { $0.full = [.logs] }
    }
}
