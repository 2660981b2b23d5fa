import Records
import Testing

@Suite struct RecordBatchTests {
    @Test func `records lie back to back with their lengths`() {
        var batch = RecordBatch()
        batch.append(Array("one\n".utf8).span)
        batch.append([UInt8]().span)
        batch.append(Array("two\n".utf8).span)
        #expect(batch.lengths == [4, 0, 4])
        #expect(batch.bytes == Array("one\ntwo\n".utf8))
        batch.removeAll()
        #expect(batch.isEmpty && batch.bytes.isEmpty)
    }

    @Test(arguments: [
        ("a", true), ("A-z_0.9", true), (String(repeating: "x", count: 64), true),
        ("", false), (String(repeating: "x", count: 65), false), ("a b", false), ("é", false), ("a/b", false),
    ])
    func `stream names are 1 to 64 of the allowed characters`(name: String, isValid: Bool) {
        #expect((StreamName(name) != nil) == isValid)
    }
}
