import Foundation
import Platform
import TestSupport
import Testing

@Suite struct ObjectFileTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func names(in path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }

    @Test func `a file is put in place whole, its directories made`() throws {
        let folder = directory.path + "/a/b/c"
        let bytes = [UInt8](repeating: 7, count: 3_000_000)
        try ObjectFile.write(bytes.span, named: "object", in: folder)
        try ObjectFile.write([UInt8]().span, named: "empty", in: folder)
        #expect(try names(in: folder) == ["empty", "object"])
        #expect(FileManager.default.contents(atPath: folder + "/object") == Data(bytes))
        #expect(FileManager.default.contents(atPath: folder + "/empty") == Data())
    }

    @Test func `after a failure nothing is left of it`() throws {
        let folder = directory.path
        // No file can be renamed to the name of a directory.
        try FileManager.default.createDirectory(atPath: folder + "/taken", withIntermediateDirectories: false)
        let error = #expect(throws: ObjectFileError.self) {
            try ObjectFile.write([1, 2, 3].span, named: "taken", in: folder)
        }
        #expect(error?.path == folder + "/taken")
        #expect(try names(in: folder) == ["taken"])
    }

    @Test func `a directory that cannot be made is named`() throws {
        let file = directory.path + "/file"
        #expect(FileManager.default.createFile(atPath: file, contents: nil))
        let error = #expect(throws: ObjectFileError.self) {
            try ObjectFile.write([1].span, named: "object", in: file + "/a/b")
        }
        #expect(error?.path.hasPrefix(file + "/a") == true)
        #expect(error?.description.contains("Not a directory") == true)
    }

    @Test(arguments: [
        (0, [1970, 1, 1, 0, 0, 0]), (951_868_799, [2000, 2, 29, 23, 59, 59]),
        (1_796_040_000, [2026, 11, 30, 12, 0, 0]),
    ])
    func `times are told in UTC`(unixSeconds: Int, parts: [Int]) {
        let time = UTCTime(unixSeconds: unixSeconds)
        #expect([time.year, time.month, time.day, time.hour, time.minute, time.second] == parts)
    }
}
