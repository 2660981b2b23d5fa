import Testing

@testable import Intake

@Suite struct RotatedNameTests {
    @Test(arguments: [
        ("a.log.1", ["a.log"]), ("a.log-20260101", ["a.log"]), ("a.log.old", ["a.log"]), ("a-20260101.log", ["a.log"]),
        ("a.1.log", ["a.log"]), ("a.log.2026-01-01T10:00:00Z", ["a.log"]), ("a_2.log", ["a.log"]),
        ("a-1.log.2", ["a-1.log"]),
    ])
    func `a number or a date is taken away`(name: String, logs: [String]) {
        #expect(Set(logs).isSubset(of: origins(name)))
    }

    @Test(arguments: ["a.log", "a.logs", "a-error.log", "a.log.bak", "a1.log", ".1", "a.", "", "a.log.x1", "1", "old"])
    func `other names are names of their own`(name: String) {
        #expect(origins(name) == [])
    }

    private func origins(_ name: String) -> Set<String> {
        Set(RotatedName.origins(of: Array(name.utf8)).map { String(decoding: $0, as: UTF8.self) })
    }

    @Test func `only gzip files can be uncompressed`() {
        #expect(RotatedName.uncompressed(Array("a.log.1.gz".utf8)) == Array("a.log.1".utf8))
        #expect(RotatedName.uncompressed(Array("a.log.xz".utf8)) == nil)
        #expect(RotatedName.uncompressed(Array(".gz".utf8)) == nil)
    }
}
