import Platform
import Testing

@Suite struct DirectoryTests {
    @Test func `lends every name but those of itself and its parent`() throws {
        let directory = try Directory(opening: Path("/proc/self"))
        for _ in 1...2 {
            var names: [String: FileKind?] = [:]
            try directory.names().forEach { name, _, kind in
                names[String(decoding: name.indices.map { name[$0] }, as: UTF8.self)] = kind
            }
            #expect(names["status"] == .regular && names["fd"] == .directory && names["exe"] == .symbolicLink)
            #expect(names["."] == nil && names[".."] == nil)
        }
        #expect(directory.status.kind == .directory && directory.isKernelInterface)
    }

    @Test func `a link is itself or what it leads to`() throws {
        let directory = try Directory(opening: Path("/proc/self"))
        #expect(try directory.status(of: Array("exe".utf8), followingLinks: false).kind == .symbolicLink)
        #expect(try directory.status(of: Array("exe".utf8), followingLinks: true).kind == .regular)
        #expect(throws: Errno.noSuchFile) { try directory.status(of: Array("none".utf8), followingLinks: true) }
    }

    @Test(arguments: [("/none", Errno.noSuchFile), ("/dev/null", .notADirectory), ("", .noSuchFile)])
    func `says why a directory cannot be opened`(path: String, error: Errno) {
        #expect(throws: error) { _ = try Directory(opening: Path(path)) }
    }

    @Test func `an error has the words of the system`() {
        #expect(Errno.permissionDenied.description == "Permission denied")
    }
}
