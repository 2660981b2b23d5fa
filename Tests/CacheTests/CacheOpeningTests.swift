import Cache
import Foundation
import Records
import SQLite
import TestSupport
import Testing

/// What a state directory may look like when the program starts.
@Suite struct CacheOpeningTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func open() throws(CacheError) -> RecordCache {
        try RecordCache(directory: directory.path("state"), streams: [], maxBytes: 1 << 20)
    }

    private func mode(_ name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: directory.path(name))
        return try #require(attributes[.posixPermissions] as? Int)
    }

    @Test func `only its owner can read it`() throws {
        let cache = try open()
        withExtendedLifetime(cache) {}
        #expect(try mode("state") == 0o700)
        #expect(try mode("state/cache.db") == 0o600)
        #expect(try mode("state/firetail.lock") == 0o600)
    }

    @Test func `a second one is refused and told who holds it`() throws {
        let cache = try open()
        #expect(throws: CacheError.inUse(.directory(directory.path("state")), by: Int(getpid()))) {
            try RecordCache(directory: directory.path("state"), streams: [], maxBytes: 1)
        }
        withExtendedLifetime(cache) {}
    }

    @Test func `it can be opened again when the first one is gone`() throws {
        do { _ = try open() }
        _ = try open()
    }

    @Test(arguments: ["this is no database, but long enough to be looked at as one by anybody", "x"])
    func `a file that is no database is refused and left alone`(content: String) throws {
        try FileManager.default.createDirectory(atPath: directory.path("state"), withIntermediateDirectories: true)
        try directory.append(content, to: "state/cache.db")
        #expect { try open() } throws: { error in
            guard case .foreign = error as? CacheError else { return false }
            return true
        }
        #expect(try directory.contents(of: "state/cache.db") == Array(content.utf8))
    }

    @Test func `the database of another program is refused`() throws {
        try FileManager.default.createDirectory(atPath: directory.path("state"), withIntermediateDirectories: true)
        try Database(path: directory.path("state/cache.db")).execute("CREATE TABLE theirs (a)")
        #expect { try open() } throws: { error in
            guard case .foreign = error as? CacheError else { return false }
            return true
        }
    }

    @Test func `a database from a newer version is refused`() throws {
        do { _ = try open() }
        let path = directory.path("state/cache.db")
        try Database(path: path).execute("PRAGMA user_version = 99")
        #expect(throws: CacheError.newer(path: path, version: 99, known: 5)) { try open() }
    }

    @Test func `a damaged database is refused and left alone`() throws {
        do { _ = try open() }
        let path = directory.path("state/cache.db")
        var bytes = try directory.contents(of: "state/cache.db")
        for index in 100..<bytes.count { bytes[index] = 0xAA }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        #expect { try open() } throws: { error in
            guard case .damaged = error as? CacheError else { return false }
            return true
        }
        #expect(try directory.contents(of: "state/cache.db") == bytes)
    }

    @Test func `a state directory that cannot be made is named`() throws {
        try directory.append("a file", to: "state")
        #expect { try open() } throws: { error in
            guard case .inaccessible(let path, _) = error as? CacheError else { return false }
            return path == directory.path("state")
        }
    }
}
