import Firehose
import Foundation
import Records
import TestSupport
import Testing

@Suite struct DirectoryDestinationTests {
    private let directory: TemporaryDirectory
    private let stream: StreamName
    private let batch = RecordBatch(bytes: Array("one\ntwo\n".utf8), lengths: [4, 4])

    init() throws {
        directory = try TemporaryDirectory()
        stream = try #require(StreamName("app.logs"))
    }

    /// Files below the directory, by path.
    private func files(below path: String) throws -> [String] {
        let all = try FileManager.default.subpathsOfDirectory(atPath: path)
        return all.filter { name in
            var isDirectory: ObjCBool = false
            return FileManager.default.fileExists(atPath: "\(path)/\(name)", isDirectory: &isDirectory)
                && !isDirectory.boolValue
        }
    }

    private func contents(_ name: String) -> [UInt8]? {
        FileManager.default.contents(atPath: "\(directory.path)/\(name)").map { [UInt8]($0) }
    }

    @Test func `a batch becomes one file, named as Firehose names objects`() async throws {
        let destination = DirectoryDestination(directory: directory.path, unixSeconds: { 784_111_777 })
        #expect(await destination.deliver(batch, to: stream) == .accepted)
        let files = try files(below: directory.path)
        let file = try #require(files.first)
        #expect(files.count == 1)
        let hex = "[0-9a-f]"
        let uuid = try Regex("\(hex){8}-\(hex){4}-4\(hex){3}-[89ab]\(hex){3}-\(hex){12}")
        #expect(file.replacing(uuid, with: "UUID") == "1994/11/06/08/app.logs-1-1994-11-06-08-49-37-UUID")
        #expect(contents(file) == batch.bytes)
    }

    @Test func `batches of the same second do not meet`() async throws {
        let destination = DirectoryDestination(directory: directory.path + "/new/", unixSeconds: { 0 })
        for _ in 1...3 { #expect(await destination.deliver(batch, to: stream) == .accepted) }
        #expect(try files(below: directory.path + "/new").count == 3)
    }

    @Test(arguments: [([0x1f, 0x8b, 0x08], [3], true), ([0x1f, 0x8b], [1, 1], false), ([0x1f, 0x61], [2], false)])
    func `compressed records are seen by the name`(bytes: [UInt8], lengths: [Int], isCompressed: Bool) async throws {
        let destination = DirectoryDestination(directory: directory.path)
        let records = RecordBatch(bytes: bytes, lengths: lengths)
        #expect(await destination.deliver(records, to: stream) == .accepted)
        #expect(try files(below: directory.path).map { $0.hasSuffix(".gz") } == [isCompressed])
    }

    @Test func `an empty batch makes no file`() async throws {
        let destination = DirectoryDestination(directory: directory.path)
        #expect(await destination.deliver(RecordBatch(), to: stream) == .accepted)
        #expect(try files(below: directory.path).isEmpty)
    }

    @Test func `a directory that cannot be made is named with the reason`() async throws {
        let file = directory.path + "/file"
        #expect(FileManager.default.createFile(atPath: file, contents: Data("x".utf8)))
        let destination = DirectoryDestination(directory: file + "/below")
        guard case .failed(let failure) = await destination.deliver(batch, to: stream) else {
            Issue.record("expected a failure")
            return
        }
        #expect(failure.kind == .unreachable)
        #expect(failure.reason.contains(file + "/below") && failure.reason.contains("Not a directory"))
    }

    @Test func `a cancelled task writes nothing`() async throws {
        let destination = DirectoryDestination(directory: directory.path)
        let delivery = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await destination.deliver(batch, to: stream)
        }
        guard case .failed(let failure) = await delivery.value else {
            Issue.record("expected a failure")
            return
        }
        #expect(failure.kind == .unreachable)
        #expect(try files(below: directory.path).isEmpty)
    }
}
